/** The table of the processors: what each can do, by its own adapter. */

import type { Processor } from '../../../payments/port/processor.ts';
import { verifiesOnLine, verifiesOnPage } from '../../../payments/shared/deps.ts';
import { Table } from '../markdown.tsx';

/** The parts of an adapter that say what it can do. */
export type DescribedProcessor = Pick<
  Processor,
  | 'name'
  | 'can'
  | 'modes'
  | 'page'
  | 'wallet'
  | 'refunds'
  | 'holds'
  | 'records'
  | 'debits'
  | 'notifications'
  | 'disputes'
  | 'payouts'
  | 'testData'
>;

const HEAD = [
  'Processor',
  'Keypad',
  'Pay page',
  'Tokens',
  'Saved cards',
  'Without a payment',
  'Without the caller',
  'Wallets',
  'Refunds',
  'Holds',
  'Bank debits',
  'Reconciliation',
  'Notifications',
  'Disputes',
  'Payouts',
];

export const Processors = ({ processors }: { processors: readonly DescribedProcessor[] }) => (
  <Table head={HEAD} rows={processors.map((processor) => [<code>{processor.name}</code>, ...abilities(processor)])} />
);

function abilities(processor: DescribedProcessor): string[] {
  const { can, modes, page, wallet, refunds, holds, records, debits, notifications, disputes, payouts } = processor;
  const hasPage = can.pageKeypad || modes.some((mode) => page(mode) !== null);
  const holdsAre = holds === null ? 'no' : holds.partial ? 'yes' : 'whole only';
  const before = [can.keypad, hasPage, can.pageTokens, can.savedCards && wallet !== null];
  const after = [can.merchantInitiated === true, can.wallets, refunds !== null];
  const places = [verifiesOnLine(processor) ? ['line'] : [], verifiesOnPage(processor) ? ['page'] : []].flat();
  const saves = places.length === 0 ? 'no' : places.join(' and ');
  return [
    ...before.map(yesOrNo),
    saves,
    ...after.map(yesOrNo),
    holdsAre,
    ...[debits !== undefined, records !== null, notifications != null].map(yesOrNo),
    ...[disputes !== undefined || notifications?.tellsDisputes === true, payouts !== undefined].map(yesOrNo),
  ];
}

const yesOrNo = (can: boolean) => (can ? 'yes' : 'no');
