/** Creates paid charges, refunds them, and reads the result from the database and the sandbox. */

import type { Database, Sql } from '../../../src/db/pool.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { type RefundOrder, type RefundResult, refundCharge } from '../../../src/payments/refunds/refund.ts';
import { resolveDueRefunds } from '../../../src/payments/refunds/resolve-refunds.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { CredentialsFor, PaymentTimings } from '../../../src/payments/shared/deps.ts';
import { createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';

export const PAID = 4_250;

/** Makes a charge of {@link PAID} that succeeds. */
export async function createPaidCharge(database: Database, merchant: TestMerchant, card = 'visa'): Promise<ChargeId> {
  const result = await createTestPayments(database).pay(
    merchant,
    await createTestSession(database, merchant, { amountCents: PAID }),
    keyedCard(card),
  );
  if (result.type !== 'succeeded') throw new Error(`the charge: ${result.type}`);
  return result.charge.id;
}

export interface TestRefunds {
  lines: string[];
  outcomes: string[];
  inFlight: InFlight;
  /** @param amountCents by default, the rest of the charge */
  refund(chargeId: ChargeId, amountCents?: number, more?: Partial<RefundOrder>): Promise<RefundResult>;
  /** Runs the refund resolver once. */
  resolve(): Promise<void>;
}

/** Refunds charges with the dependencies given, by default the sandbox. */
export function createTestRefunds(
  database: Database,
  merchant: TestMerchant,
  options: { processor?: Processor; timings?: Partial<PaymentTimings>; credentialsFor?: CredentialsFor } = {},
): TestRefunds {
  const { processor = createSandbox(database, FAST_SANDBOX), ...rest } = options;
  const [log, inFlight] = [createRecordingLog(), new InFlight()];
  const outcomes: string[] = [];
  const onRefund = (outcome: string) => outcomes.push(outcome);
  const deps = { database, processors: [processor], inFlight, log, onPending: () => undefined, onRefund, ...rest };
  return {
    lines: log.lines,
    outcomes,
    inFlight,
    refund: (chargeId, amountCents, more = {}) =>
      refundCharge(deps, {
        chargeId,
        by: SYSTEM,
        scope: { accountId: merchant.accountId, mode: merchant.mode },
        amountCents: amountCents ?? null,
        reason: null,
        metadata: {},
        idempotency: null,
        ...more,
      }),
    async resolve() {
      await resolveDueRefunds(deps, new AbortController().signal);
    },
  };
}

/** Reads the refunds of a charge from the database and the sandbox. */
export async function readRefundState(sql: Sql, chargeId: ChargeId) {
  const rows = async <T>(text: string) => (await sql.query(text, [chargeId])).rows as T[];
  const [charge] = await rows<{ refunded_cents: number }>('select refunded_cents from charges where id = $1');
  const refunds = await rows<{ status: string; amount_cents: number; failure: string | null }>(
    'select status::text, amount_cents, failure from refunds where charge_id = $1 order by created_at, id',
  );
  const events = await rows<{ type: string }>(
    `select type from events where charge_id = $1 and type like 'refund.%' order by sequence`,
  );
  const ledger = await rows<{ amount_cents: number }>(
    `select l.amount_cents from sandbox_refunds l join refunds r on r.id = l.reference
      where r.charge_id = $1 and l.status = 'succeeded' order by l.created_at`,
  );
  return {
    refundedCents: charge?.refunded_cents,
    refunds: refunds.map(({ status, amount_cents }) => `${status} ${amount_cents}`),
    failures: refunds.flatMap(({ failure }) => (failure === null ? [] : [failure])),
    events: events.map(({ type }) => type),
    ledger: ledger.map(({ amount_cents }) => amount_cents),
  };
}

/** Makes a charge's pending refunds older and due, here and in the sandbox. */
export async function agePendingRefunds(sql: Sql, chargeId: ChargeId, seconds: number): Promise<void> {
  await sql.query(
    `update refunds set created_at = created_at - $2::integer * interval '1 second', resolve_at = least(resolve_at, now())
      where charge_id = $1 and status = 'pending'`,
    [chargeId, seconds],
  );
  await sql.query(
    `update sandbox_refunds set settles_at = settles_at - $2::integer * interval '1 second'
      where reference in (select id from refunds where charge_id = $1)`,
    [chargeId, seconds],
  );
}
