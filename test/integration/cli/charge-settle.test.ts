/**
 * `ringkey charge settle`: records an outcome that an operator looked up at the processor, with all its consequences.
 */
import { expect, test } from 'vitest';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import type { NewsType } from '../../../src/notifications/progress/ports.ts';
import { openProgress } from '../../../src/notifications/progress/progress.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestRedis } from '../../support/redis.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { createTestPayments, FAST_SANDBOX, keyedCard, readPaymentState } from '../payments/test-payments.ts';
import { EventLog } from '../phone/event-log.ts';
import { auditOf, useCommandRunner } from './command-runner.ts';

const runner = useCommandRunner();

const charge = (line: string) => runner.run(`charge ${line}`);

/** A payment without an outcome from its processor. */
async function leftPending({ givenUp }: { givenUp: boolean }) {
  const sessionId = await createTestSession(runner.database, runner.merchant);
  const silent = createSandbox(runner.database, FAST_SANDBOX);
  silent.charge = async () => ({ status: 'unknown', cause: 'test' });
  await createTestPayments(runner.database, { processors: [silent] }).pay(
    runner.merchant,
    sessionId,
    keyedCard('visa'),
  );
  const { rows } = await runner.database.query<{ id: string }>(
    `update charges set resolve_at = case when $2 then 'infinity' else resolve_at end
      where session_id = $1 and status = 'pending' returning id`,
    [sessionId, givenUp],
  );
  return { sessionId, id: String(rows[0]?.id) };
}

async function textsOf(sessionId: string): Promise<unknown[]> {
  while ((await relayBatch({ database: runner.database, docsUrl: '' })).more);
  const { rows } = await runner.database.query<{ kind: string }>('select kind from texts where session_id = $1', [
    sessionId,
  ]);
  return rows.map(({ kind }) => kind);
}

test('--succeeded completes the session and sends the events and the receipt', async () => {
  const { sessionId, id } = await leftPending({ givenUp: true });
  const { code, out, err, log } = await charge(`settle ${id} --succeeded pi_42`);
  expect({ code, out, err }).toEqual({ code: 0, out: `${id}  succeeded  4250 USD  pi_42`, err: '' });
  expect(JSON.parse(log)).toMatchObject({
    msg: 'charge settled',
    chargeId: id,
    status: 'succeeded',
    processorPaymentId: 'pi_42',
    source: 'operator',
    operator: expect.stringMatching(/./),
  });
  const state = await readPaymentState(runner.database, sessionId);
  expect(state).toMatchObject({ session: 'complete', charges: ['succeeded'] });
  expect(state.events).toEqual(['checkout.pending', 'checkout.succeeded', 'checkout.completed']);
  expect(state.rows[0]).toMatchObject({ processorPaymentId: 'pi_42', declineCode: null });
  expect(await textsOf(sessionId)).toEqual(['receipt']);
  expect(await auditOf(runner.database, id)).toMatchObject([
    {
      action: 'charge.settled',
      actor_kind: 'command',
      actor_id: expect.stringMatching(/./),
      changes: { status: { from: 'pending', to: 'succeeded' }, processor_payment_id: 'pi_42' },
    },
  ]);
});

test('notifies a page or call of the session at once', async () => {
  const redis = await createTestRedis();
  const progress = openProgress({
    redisUrl: redis.url,
    log: { info: () => undefined, warn: () => undefined },
    pollMs: { away: 600_000, connected: 600_000 },
  });
  try {
    const { sessionId, id } = await leftPending({ givenUp: true });
    const news = new EventLog<NewsType>();
    progress.subscribe(sessionId, (type) => news.push(type));
    // From now on it receives messages of other processes.
    await news.waitFor((type) => type === 'missed');
    await expect.poll(() => progress.connected).toBe(true);
    expect(await runner.run(`charge settle ${id} --succeeded pi_7`, { REDIS_URL: redis.url })).toMatchObject({
      code: 0,
    });
    await news.waitFor((type) => type === 'charge_changed');
  } finally {
    progress.close();
    await redis.close();
  }
});

test('--not-received texts the caller that nothing was charged, and another try is possible', async () => {
  const { sessionId, id } = await leftPending({ givenUp: true });
  expect(await charge(`settle ${id} --not-received`)).toMatchObject({ code: 0, out: `${id}  failed  4250 USD` });
  const state = await readPaymentState(runner.database, sessionId);
  expect(state).toMatchObject({
    session: 'open',
    charges: ['failed'],
    events: ['checkout.pending', 'checkout.failed'],
  });
  expect(await textsOf(sessionId)).toEqual(['not_charged']);
});

test('a charge that is still looked up is only settled with --now', async () => {
  const { sessionId, id } = await leftPending({ givenUp: false });
  for (const outcome of ['--succeeded pi_1', '--not-received']) {
    const refused = await charge(`settle ${id} ${outcome}`);
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('still being looked up'),
      log: '',
    });
  }
  expect(await readPaymentState(runner.database, sessionId)).toMatchObject({
    charges: ['pending'],
    events: ['checkout.pending'],
  });
  expect(await charge(`settle ${id} --succeeded pi_1 --now`)).toMatchObject({ code: 0 });
  expect(await readPaymentState(runner.database, sessionId)).toMatchObject({ charges: ['succeeded'] });
});

test('a charge that may still be on its way is not failed', async () => {
  const { sessionId, id } = await leftPending({ givenUp: false });
  const early = await charge(`settle ${id} --not-received --now`);
  expect(early).toMatchObject({ code: 1, out: '', err: expect.stringContaining('on its way'), log: '' });
  expect(await readPaymentState(runner.database, sessionId)).toMatchObject({ charges: ['pending'] });
  await runner.database.query(`update charges set created_at = created_at - interval '11 minutes' where id = $1`, [id]);
  expect(await charge(`settle ${id} --not-received --now`)).toMatchObject({ code: 0 });
  expect(await readPaymentState(runner.database, sessionId)).toMatchObject({ charges: ['failed'] });
});

test('a charge that its payer may still confirm is not failed', async () => {
  const { sessionId, id } = await leftPending({ givenUp: false });
  const aged = (minutes: number) =>
    runner.database.query(
      `update charges set created_at = now() - $2::integer * interval '1 minute', processor_payment_id = 'theirs' where id = $1`,
      [id, minutes],
    );
  const deadline = (sql: string) =>
    runner.database.query(`update charges set action_deadline = ${sql} where id = $1`, [id]);
  await aged(11);
  await deadline(`created_at + interval '10 minutes'`);
  const early = await charge(`settle ${id} --not-received --now`);
  expect(early).toMatchObject({ code: 1, err: expect.stringContaining('wait until it is twenty minutes old') });
  // The resolver no longer waits for the payer, whose last confirmation may still be on its way.
  await deadline('null');
  expect(await charge(`settle ${id} --not-received --now`)).toMatchObject({ code: 1 });
  expect(await readPaymentState(runner.database, sessionId)).toMatchObject({ charges: ['pending'] });
  await aged(21);
  expect(await charge(`settle ${id} --not-received --now`)).toMatchObject({ code: 0 });
});

test('rejects another charge’s processor ID, and an ID other than the processor’s own', async () => {
  const [one, two] = [await leftPending({ givenUp: true }), await leftPending({ givenUp: true })];
  expect(await charge(`settle ${one.id} --succeeded pi_one`)).toMatchObject({ code: 0 });
  const refused = await charge(`settle ${two.id} --succeeded pi_one`);
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`the ID belongs to ${one.id}`),
    log: '',
  });
  expect(await readPaymentState(runner.database, two.sessionId)).toMatchObject({ charges: ['pending'] });
  await runner.database.query(`update charges set processor_payment_id = 'theirs' where id = $1`, [two.id]);
  const other = await charge(`settle ${two.id} --succeeded pi_two`);
  expect(other).toMatchObject({ code: 1, out: '', err: expect.stringContaining('has the ID theirs'), log: '' });
  expect(await charge(`settle ${two.id} --succeeded theirs`)).toMatchObject({ code: 0 });
});

test('an outcome is final', async () => {
  const { sessionId, id } = await leftPending({ givenUp: true });
  await charge(`settle ${id} --not-received`);
  const again = await charge(`settle ${id} --succeeded pi_1 --now`);
  expect(again).toMatchObject({ code: 1, out: '', err: `ringkey: ${id} is not pending: it is failed`, log: '' });
  expect(await readPaymentState(runner.database, sessionId)).toMatchObject({ charges: ['failed'] });
});

test.each(['--help', 'settle -h'])('prints its help: %s', async (line) => {
  expect(await charge(line)).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: ringkey charge /) });
});

test.each([
  'settle',
  'settle ch_1',
  'settle ch_1 ch_2 --not-received',
  'settle ch_1 --succeeded',
  'settle ch_1 --succeeded --not-received',
  'settle ch_1 --succeeded pi_1 --not-received',
  'settle evt_1 --not-received',
  'settle ch_1 --colour red',
])('rejects the command line: %s', async (line) => {
  expect(await charge(line)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^ringkey: [\s\S]*Usage: /),
  });
});
