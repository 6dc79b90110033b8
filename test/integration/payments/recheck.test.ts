/** Charges that were failed without an answer are looked up again, because the processor may have taken them after all. */
import { describe, expect, it } from 'vitest';
import { recheckDueCharges } from '../../../src/payments/charges/recheck.ts';
import type { NotFound, ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { agePendingCharges, createRecordingLog, readPaymentState } from './test-payments.ts';
import { createTestResolver } from './test-resolver.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const { resolver, leftPending } = createTestResolver(db, merchant);
const NEVER = new AbortController().signal;
const UNKNOWN: ProcessorAnswer = { status: 'unknown', cause: 'test' };

describe('a charge that was failed because the processor had not received it', () => {
  it('is looked up an hour and a day later, and a late success is recorded and logged', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    await agePendingCharges(db.database, sessionId, 101);
    await resolver().run();
    const late: string[] = [];
    const log = createRecordingLog();
    // The first lookup finds nothing. At the second, the processor is unavailable first.
    const answers: (ProcessorAnswer | NotFound)[] = [{ status: 'not_found' }, UNKNOWN, UNKNOWN];
    const lookups: unknown[] = [];
    const lookUp: Processor['lookUp'] = async ({ settles }) => {
      lookups.push(settles);
      return answers.shift() ?? { status: 'succeeded', processorPaymentId: 'late_1' };
    };
    const processors = [{ ...createSandbox(db.database), lookUp }];
    const deps = { database: db.database, processors, log, onLateSuccess: () => late.push('late') };
    const hoursLater = (hours: number) =>
      db.database.query(
        `update charge_rechecks set due_at = due_at - $2::integer * interval '1 hour'
          where charge_id in (select id from charges where session_id = $1)`,
        [sessionId, hours],
      );
    await recheckDueCharges(deps, NEVER);
    expect(lookups).toEqual([]);
    for (const hours of [1, 23, 1, 1, 1_000]) {
      await hoursLater(hours);
      await recheckDueCharges(deps, NEVER);
    }
    // A mere lookup: the charge is final.
    expect(lookups).toEqual([undefined, undefined, undefined, undefined]);
    expect(late).toHaveLength(1);
    expect(log.lines.join('\n')).toContain('a charge reported as failed was paid');
    const { rows, session, charges } = await readPaymentState(db.database, sessionId);
    expect([session, charges]).toEqual(['complete', ['succeeded']]);
    const { rows: audited } = await db.database.query(
      'select action, actor_kind, changes from audit_events where object_id = $1',
      [rows[0]?.id],
    );
    const changes = {
      status: { from: 'failed', to: 'succeeded' },
      processor: 'sandbox',
      processor_payment_id: 'late_1',
      amount_cents: 4250,
      currency: 'USD',
    };
    expect(audited).toEqual([{ action: 'charge.paid_late', actor_kind: 'system', changes }]);
  });

  it('is looked up again until the bank has paid it if it was a bank debit that was accepted after all', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    await agePendingCharges(db.database, sessionId, 101);
    await resolver().run();
    const log = createRecordingLog();
    const debited: ProcessorAnswer = { status: 'debited', processorPaymentId: 'debit_1', settlesInMs: 7_200_000 };
    const answers: ProcessorAnswer[] = [debited, debited, debited];
    const lookUp = async () => answers.shift() ?? ({ status: 'succeeded', processorPaymentId: 'debit_1' } as const);
    const deps = { database: db.database, processors: [{ ...createSandbox(db.database), lookUp }], log };
    const mine = 'charge_id in (select id from charges where session_id = $1)';
    const look = async () => {
      await db.database.query(`update charge_rechecks set due_at = now() where ${mine} and due_at < 'infinity'`, [
        sessionId,
      ]);
      await recheckDueCharges(deps, NEVER);
    };
    for (let time = 0; time < 3; time += 1) await look();
    expect(log.lines.join('\n')).toContain('a bank debit was accepted whose charge was reported as failed');
    const { rows } = await db.database.query(
      `select due_at > now() + interval '1 hour' as "isLater" from charge_rechecks where ${mine}`,
      [sessionId],
    );
    expect(rows).toEqual([{ isLater: true }]);
    await look();
    expect((await readPaymentState(db.database, sessionId)).charges).toEqual(['succeeded']);
  });

  it('is looked up again for three days while the processor is unavailable, and then logged for an operator', async () => {
    const sessionId = await leftPending('hangs_not_taken');
    await agePendingCharges(db.database, sessionId, 101);
    await resolver().run();
    const log = createRecordingLog();
    const lookUp = async (): Promise<ProcessorAnswer> => UNKNOWN;
    const deps = { database: db.database, processors: [{ ...createSandbox(db.database), lookUp }], log };
    const left = async () => {
      const mine = 'charge_id in (select id from charges where session_id = $1)';
      await db.database.query(`update charge_rechecks set due_at = now() where ${mine} and due_at < 'infinity'`, [
        sessionId,
      ]);
      await recheckDueCharges(deps, NEVER);
      const due = await db.database.query(`select from charge_rechecks where ${mine} and due_at < 'infinity'`, [
        sessionId,
      ]);
      return due.rowCount;
    };
    const looks: (number | null)[] = [];
    for (let look = 0; look < 5; look += 1) looks.push(await left());
    expect(looks).toEqual([1, 1, 1, 1, 1]);
    await db.database.query(`update charges set created_at = now() - interval '73 hours' where session_id = $1`, [
      sessionId,
    ]);
    await left();
    expect(await left()).toBe(0);
    expect(log.lines.at(-1)).toMatch(/could not be checked again/);
  });
});
