/**
 * `ringkey refund settle`: records an outcome that an operator looked up at the processor, with all its consequences.
 */
import { expect, test } from 'vitest';
import type { ChargeId } from '../../../src/domain/ids.ts';
import type { RefundAnswer } from '../../../src/payments/port/refunds.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { FAST_SANDBOX } from '../payments/test-payments.ts';
import {
  agePendingRefunds,
  createPaidCharge,
  createTestRefunds,
  PAID,
  readRefundState,
} from '../payments/test-refunds.ts';
import { auditOf, useCommandRunner } from './command-runner.ts';

const runner = useCommandRunner();

const refund = (line: string) => runner.run(`refund ${line}`);

const SILENT: RefundAnswer = { status: 'unknown', cause: 'test' };
const NAMED: RefundAnswer = { status: 'pending', processorRefundId: 'theirs' };
const HOURS = 3_600;

/** A refund for which the processor has only returned `answer`. */
async function leftPending({ givenUp, answer = SILENT }: { givenUp: boolean; answer?: RefundAnswer }) {
  const chargeId: ChargeId = await createPaidCharge(runner.database, runner.merchant);
  const processor = createSandbox(runner.database, FAST_SANDBOX);
  const { refunds } = processor;
  if (refunds === null) throw new Error('the sandbox gives money back');
  const testRefunds = createTestRefunds(runner.database, runner.merchant, {
    processor: { ...processor, refunds: { ...refunds, refund: async () => answer } },
  });
  await testRefunds.refund(chargeId, 1_000);
  const { rows } = await runner.database.query<{ id: string }>(
    `update refunds set resolve_at = case when $2 then 'infinity' else resolve_at end where charge_id = $1 returning id`,
    [chargeId, givenUp],
  );
  return { chargeId, id: String(rows[0]?.id) };
}

test('--succeeded sends the event and reduces what is left of the charge', async () => {
  const { chargeId, id } = await leftPending({ givenUp: true });
  const { code, out, err, log } = await refund(`settle ${id} --succeeded re_42`);
  expect({ code, out, err }).toEqual({ code: 0, out: `${id}  succeeded  1000 USD  re_42`, err: '' });
  expect(JSON.parse(log)).toMatchObject({
    msg: 'refund settled',
    refundId: id,
    status: 'succeeded',
    processorRefundId: 're_42',
    source: 'operator',
    operator: expect.stringMatching(/./),
  });
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({
    refundedCents: 1_000,
    refunds: ['succeeded 1000'],
    events: ['refund.succeeded'],
  });
  expect(await auditOf(runner.database, id)).toMatchObject([
    { action: 'refund.created', actor_kind: 'system' },
    {
      action: 'refund.settled',
      actor_kind: 'command',
      actor_id: expect.stringMatching(/./),
      changes: { status: { from: 'pending', to: 'succeeded' }, processor_refund_id: 're_42' },
    },
  ]);
});

test.each([
  ['--refused', 'refused'],
  ['--not-received', 'not_received'],
])('%s sends the event, and the amount can be refunded again: %s', async (words, failure) => {
  const { chargeId, id } = await leftPending({ givenUp: true });
  expect(await refund(`settle ${id} ${words}`)).toMatchObject({ code: 0, out: `${id}  failed  1000 USD`, err: '' });
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({
    refundedCents: 0,
    refunds: ['failed 1000'],
    failures: [failure],
    events: ['refund.failed'],
  });
  expect(await createTestRefunds(runner.database, runner.merchant).refund(chargeId)).toMatchObject({
    refund: { status: 'succeeded', amount: { amountCents: PAID } },
  });
});

test('a refund that is still looked up is only settled with --now', async () => {
  const { chargeId, id } = await leftPending({ givenUp: false });
  for (const outcome of ['--succeeded re_1', '--refused', '--not-received']) {
    const left = await refund(`settle ${id} ${outcome}`);
    expect(left).toMatchObject({ code: 1, out: '', err: expect.stringContaining('still being looked up'), log: '' });
  }
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({ refunds: ['pending 1000'], events: [] });
  expect(await refund(`settle ${id} --succeeded re_1 --now`)).toMatchObject({ code: 0 });
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({ refunds: ['succeeded 1000'] });
});

test('a refund that Ringkey may resend is not failed, because the payer could be refunded twice', async () => {
  const { chargeId, id } = await leftPending({ givenUp: false });
  await agePendingRefunds(runner.database, chargeId, 12 * HOURS);
  for (const outcome of ['--refused', '--not-received']) {
    const early = await refund(`settle ${id} ${outcome} --now`);
    expect(early).toMatchObject({ code: 1, out: '', err: expect.stringContaining('on its way'), log: '' });
  }
  await agePendingRefunds(runner.database, chargeId, 601);
  expect(await refund(`settle ${id} --not-received --now`)).toMatchObject({ code: 0 });
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({ refunds: ['failed 1000'] });
});

test('a refund with a processor ID is not resent, so --now can settle it as refused, but not as not received', async () => {
  const { chargeId, id } = await leftPending({ givenUp: false, answer: NAMED });
  for (const outcome of ['--succeeded re_1', '--not-received']) {
    const other = await refund(`settle ${id} ${outcome} --now`);
    expect(other).toMatchObject({ code: 1, out: '', err: expect.stringContaining('has the ID theirs'), log: '' });
  }
  expect(await refund(`settle ${id} --refused --now`)).toMatchObject({
    code: 0,
    out: `${id}  failed  1000 USD  theirs`,
  });
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({
    failures: ['refused'],
    events: ['refund.failed'],
  });
});

test('rejects the processor ID of another refund of the charge, however late that was made', async () => {
  const { chargeId, id } = await leftPending({ givenUp: true });
  await runner.database.query(`update refunds set created_at = created_at - interval '31 days' where id = $1`, [id]);
  const later = await createTestRefunds(runner.database, runner.merchant).refund(chargeId, 250);
  if (later.type !== 'refund') throw new Error('no second refund');
  const refused = await refund(`settle ${id} --succeeded ${later.refund.processorRefundId}`);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`the ID belongs to ${later.refund.id}`) });
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({
    refunds: ['pending 1000', 'succeeded 250'],
  });
});

test('an outcome is final', async () => {
  const { chargeId, id } = await leftPending({ givenUp: true });
  await refund(`settle ${id} --refused`);
  const again = await refund(`settle ${id} --succeeded re_1 --now`);
  expect(again).toMatchObject({ code: 1, out: '', err: `ringkey: ${id} is not pending: it is failed`, log: '' });
  expect(await readRefundState(runner.database, chargeId)).toMatchObject({ refunds: ['failed 1000'] });
});

test('reports an unknown refund', async () => {
  expect(await refund('settle re_nobody --refused')).toMatchObject({
    code: 1,
    out: '',
    err: 'ringkey: refund not found',
  });
});

test('prints its help', async () => {
  expect(await refund('settle --help')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Usage: ringkey refund settle [\s\S]*--not-received/),
  });
});

test.each([
  'settle',
  'settle re_1',
  'settle re_1 re_2 --refused',
  'settle re_1 --succeeded',
  'settle re_1 --succeeded re_1 --refused',
  'settle re_1 --refused --not-received',
  'settle ch_1 --refused',
  'settle re_1 --colour red',
])('rejects the command line: %s', async (line) => {
  expect(await refund(line)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^ringkey: [\s\S]*Usage: /),
  });
});
