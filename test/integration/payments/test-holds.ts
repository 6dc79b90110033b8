/** Holds amounts, captures and voids them, and reads the result from the database and the sandbox. */
import type { Database, Sql } from '../../../src/db/pool.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { HoldChangeKind } from '../../../src/domain/hold.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import { changeHold, type HoldResult } from '../../../src/payments/holds/change-hold.ts';
import { checkDueHolds, resolveDueChanges } from '../../../src/payments/holds/resolve-holds.ts';
import type { Holds } from '../../../src/payments/port/holds.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestSession, type SessionOptions, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';

export const HELD = 4_250;

/** Makes a charge that is authorized. */
export async function createHold(
  database: Database,
  merchant: TestMerchant,
  card = 'visa',
  options: SessionOptions = {},
): Promise<ChargeId> {
  const session = await createTestSession(database, merchant, { amountCents: HELD, capture: 'manual', ...options });
  const result = await createTestPayments(database).pay(merchant, session, keyedCard(card));
  if (result.type !== 'succeeded') throw new Error(`the charge: ${result.type}`);
  return result.charge.id;
}

interface TestHolds {
  lines: string[];
  /** What the lines were logged with. */
  fields: unknown[];
  /** @param amountCents by default, the whole hold */
  change(kind: HoldChangeKind, id: ChargeId, amountCents?: number): Promise<HoldResult>;
  /** Settles pending changes once. */
  resolve(): Promise<void>;
  /** Reads holds that are due once. */
  check(): Promise<void>;
}

/** The sandbox with some functions of its holds replaced. */
export function sandboxWithHolds(database: Database, ways: Partial<Holds>): Processor {
  const sandbox = createSandbox(database, FAST_SANDBOX);
  if (sandbox.holds === null) throw new Error('the sandbox holds amounts');
  return { ...sandbox, holds: { ...sandbox.holds, ...ways } };
}

/** Changes holds, by default at the sandbox. */
export function createTestHolds(
  database: Database,
  { accountId, mode }: TestMerchant,
  processor: Processor = createSandbox(database, FAST_SANDBOX),
): TestHolds {
  const log = createRecordingLog();
  const deps = { database, processors: [processor], inFlight: new InFlight(), log, onPending: () => undefined };
  const stop = new AbortController().signal;
  return {
    lines: log.lines,
    fields: log.fields,
    change: (kind, chargeId, amountCents) =>
      changeHold(deps, { kind, chargeId, by: SYSTEM, scope: { accountId, mode }, amountCents: amountCents ?? null }),
    resolve: async () => void (await resolveDueChanges(deps, stop)),
    check: async () => void (await checkDueHolds(deps, stop)),
  };
}

/** Reads the charge, its changes and events, and the sandbox's payment. */
export async function readHoldState(sql: Sql, id: ChargeId) {
  const charges = await sql.query<{ status: string; captured: number | null }>(
    'select status, captured_cents as captured from charges where id = $1',
    [id],
  );
  const changes = await sql.query<{ text: string }>(
    `select concat_ws(' ', kind, status, amount_cents, failure) as text from hold_changes
      where charge_id = $1 order by created_at`,
    [id],
  );
  const events = await sql.query<{ type: string }>(
    `select type from events where charge_id = $1 and type like 'charge.%' order by sequence`,
    [id],
  );
  const ledger = await sql.query<{ text: string }>(
    `select concat_ws(' ', status, captured_cents) as text from sandbox_payments where reference = $1`,
    [id],
  );
  return {
    ...charges.rows[0],
    changes: changes.rows.map(({ text }) => text),
    events: events.rows.map(({ type }) => type),
    there: ledger.rows[0]?.text,
  };
}

/** Makes the charge's pending change due, and older. */
export async function ageChanges(sql: Sql, id: ChargeId, seconds: number): Promise<void> {
  await sql.query(
    `update hold_changes set created_at = created_at - $2::integer * interval '1 second', resolve_at = now()
      where charge_id = $1 and status = 'pending'`,
    [id, seconds],
  );
}
