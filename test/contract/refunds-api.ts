/** Creates charges and refunds over REST, for the contract tests on refunds. */
import { expect } from 'vitest';
import type { RefundResource } from '../../src/contract/refunds.ts';
import type { Database } from '../../src/db/pool.ts';
import type { CaptureMode } from '../../src/domain/hold.ts';
import { newId } from '../../src/domain/ids.ts';
import type { ApiDeps } from '../../src/http/api/ports.ts';
import { InFlight } from '../../src/lib/concurrency/in-flight.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import type { Processor } from '../../src/payments/port/processor.ts';
import { refundCharge } from '../../src/payments/refunds/refund.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';
import { createRecordingLog } from '../integration/payments/test-payments.ts';
import { CALLER, expectError, insertTestKeys } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

export const AMOUNT = 4_000;

export interface RefundsApi {
  api: TestApi;
  /** Charges {@link AMOUNT} to this test card, in a new session. */
  createCharge(card?: string): Promise<{ id: string; session: string }>;
  refund(body: object, headers?: Record<string, string>): Promise<Answer>;
  read(id: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** @param query including the question mark */
  list(query: string): Promise<Answer>;
  /** Newest first. */
  refundsOf(charge: string): Promise<RefundResource[]>;
  close(): Promise<void>;
}

/** @param sandboxOf creates the processor for refunds; by default the sandbox */
export async function startRefundsApi(sandboxOf?: (database: Database) => Processor): Promise<RefundsApi> {
  const deps = { inFlight: new InFlight(), log: createRecordingLog(), onPending: () => undefined };
  const refund: ApiDeps['refund'] = (order) =>
    refundCharge({ ...deps, database: api.database, processors: sandboxOf ? [sandboxOf(api.database)] : [] }, order);
  const api: TestApi = await startTestApi(sandboxOf === undefined ? {} : { refund });
  await insertTestKeys(api);
  const list = (query: string) => api.get(`/v1/refunds${query}`);
  return {
    api,
    createCharge: (card = 'visa') => createCharge(api, card),
    refund: (body, headers) => api.post('/v1/refunds', body, headers),
    read: (id, headers) => api.get(`/v1/refunds/${id}`, headers),
    list,
    refundsOf: async (charge) => (await list(`?charge=${charge}`)).body.refunds as RefundResource[],
    close: () => api.close(),
  };
}

/** Charges {@link AMOUNT} to this test card of the demo's caller, in a new session. */
export async function createCharge(
  api: TestApi,
  card: string,
  capture: CaptureMode = 'automatic',
): Promise<{ id: string; session: string }> {
  const instrument = newId('Instrument');
  await api.database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year)
     values ($1, $2, 'test', 'con_demo_caller', 'mer_demo_diner', 'sandbox', $3, 'VISA', '0000', 12, 2049)`,
    [instrument, DEMO_ACCOUNT, handleOf(testCard(card))],
  );
  const body = { merchant_id: 'mer_demo_diner', amount_cents: AMOUNT, caller_phone: CALLER, capture };
  const { checkout_session_id: session } = await api.checkout(body);
  const { body: answer } = await api.post('/v1/charge', { checkout_session_id: session, instrument_id: instrument });
  return { id: String(answer.charge_id ?? answer.error?.charge), session };
}

/** Expects `invalid_value` for this field, with the id of the charge. */
export function expectRefusal(answer: Answer, charge: string, param: 'charge' | 'amount_cents'): void {
  expectError(answer, 'invalid_value', param);
  expect(answer.body.error.charge).toBe(charge);
}
