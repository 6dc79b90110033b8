/** The table of test cards, from the table that the sandbox uses. */

import type { TestData, VendorTestCard } from '../../../payments/port/test-data.ts';
import { TEST_ACCOUNTS, TEST_ROUTING_NUMBER } from '../../../payments/sandbox/bank-accounts.ts';
import { type ActionEnd, type Behaviour, TEST_CARDS, type TestCard } from '../../../payments/sandbox/cards.ts';
import { Table } from '../markdown.tsx';

/** The result of a charge with the card. */
function resultOf({ behaviour }: TestCard): string {
  return RESULTS[behaviour.kind](behaviour as never);
}

type Result = { [K in Behaviour['kind']]: (behaviour: Extract<Behaviour, { kind: K }>) => string };

const ENDS: Readonly<Record<ActionEnd, string>> = {
  approved: 'succeeded',
  declined: 'card_declined, generic_decline',
  refused: 'card_declined, authentication_required',
  abandoned: 'pending, then failed',
};

const RESULTS: Result = {
  approves: () => 'succeeded',
  slow: () => 'succeeded',
  declines: ({ code }) => `card_declined, ${code}`,
  checks: ({ code }) => `card_declined, ${code}`,
  hangs: ({ taken }) => `processor_unavailable, then ${taken ? 'succeeded' : 'failed'}`,
  asks: ({ ends }) => `card_declined, authentication_required; on the pay page ${ENDS[ends]}`,
  breaks: ({ code }) => `processor_unavailable, then ${code === null ? 'succeeded' : 'failed'}`,
};

export const TestCards = () => (
  <Table
    head={['Number', 'What happens', 'Result', 'Token']}
    rows={TEST_CARDS.map((card) => [
      <code>{spaced(card.number)}</code>,
      card.about,
      resultOf(card),
      <code>tok_{card.name}</code>,
    ])}
  />
);

/** The test bank accounts, from the table that the sandbox uses. */
export const TestAccounts = () => (
  <Table
    head={['Routing number', 'Account number', 'What happens']}
    rows={TEST_ACCOUNTS.map(({ accountNumber, about }) => [
      <code>{TEST_ROUTING_NUMBER}</code>,
      <code>{accountNumber}</code>,
      about,
    ])}
  />
);

/** The published test cards of a vendor, as test calls enter them. */
export const VendorTestCards = ({ cards }: Pick<TestData, 'cards'>) => (
  <Table
    head={['Card', 'Number', 'Expiry', 'Security code']}
    rows={cards.map((card) => [
      card.about,
      <code>{spaced(card.number)}</code>,
      expiryOf(card),
      card.securityCode ?? 'any',
    ])}
  />
);

const expiryOf = ({ expiry }: VendorTestCard) =>
  expiry === undefined ? 'any future month' : `${expiry.slice(0, 2)}/20${expiry.slice(2)}`;

/** As it is printed on a card. */
function spaced(number: string): string {
  const groups = number.length === 15 ? /^(\d{4})(\d{6})(\d{5})$/ : /^(\d{4})(\d{4})(\d{4})(\d{4})$/;
  return groups.exec(number)?.slice(1).join(' ') ?? number;
}
