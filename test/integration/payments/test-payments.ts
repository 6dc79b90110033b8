/** Creates merchants, sessions and saved cards, takes payments, and reads the result from the database and the sandbox. */
import type {
  AccountId,
  ChargeId,
  CheckoutSessionId,
  EventId,
  InstrumentId,
  MerchantId,
} from '../../../src/domain/ids.ts';
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { CheckoutSession, Merchant, Mode } from '../../../src/domain/session.ts';
import type { KeyedCard } from '../../../src/flow/types.ts';
import type { PaymentCard } from '../../../src/payments/card.ts';
import type { CredentialsFor, Log, PaymentDeps, PaymentTimings } from '../../../src/payments/deps.ts';
import { InFlight } from '../../../src/concurrency/in-flight.ts';
import type { Processor, ProcessorAnswer } from '../../../src/payments/ports.ts';
import { handleOf, testCard } from '../../../src/payments/sandbox/cards.ts';
import { createSandbox, type SandboxTimings } from '../../../src/payments/sandbox/index.ts';
import { type PaymentRequest, type PaymentResult, takePayment } from '../../../src/payments/take-payment.ts';
import { insertAccount } from '../../../src/db/keys/accounts.ts';
import { type ChargeRow, chargeOf } from '../../../src/db/charges/charges.ts';
import type { Database, Sql } from '../../../src/db/pool.ts';
import type { EventFacts, EventType } from '../../../src/db/events/events.ts';
import { seedMerchant } from '../../../src/db/merchants/merchant-records.ts';
import { insertSession } from '../../../src/db/sessions/sessions.ts';
import { sealHandle } from '../../../src/vault/handles.ts';
import type { Vault } from '../../../src/vault/vault.ts';

/** Sandbox delays that are short enough for tests. */
export const FAST_SANDBOX: SandboxTimings = { slowMs: 150, settleMs: 150, hangMs: 20_000 };

/** The sandbox with a charge function of the test's own. Counts its calls. */
export function scriptedProcessor(sql: Sql, charge: Processor['charge']): Processor & { asked: number } {
  const processor = {
    ...createSandbox(sql, FAST_SANDBOX),
    asked: 0,
    charge: (...args: Parameters<Processor['charge']>) => {
      processor.asked += 1;
      return charge(...args);
    },
  };
  return processor;
}

export const APPROVED: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'p_1' };

export interface TestMerchant {
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
}

export async function createTestMerchant(
  sql: Sql,
  options: { processor?: string | null; mode?: Mode } = {},
): Promise<TestMerchant> {
  const testMerchant: TestMerchant = {
    accountId: newId('Account'),
    merchantId: newId('Merchant'),
    mode: options.mode ?? 'test',
  };
  await insertAccount(sql, { id: testMerchant.accountId, name: 'Test' });
  const merchant: Merchant = {
    ...{ id: testMerchant.merchantId, accountId: testMerchant.accountId, mode: testMerchant.mode },
    ...{ slug: 'test', businessName: 'Test merchant', currency: 'USD', policy: { kind: 'always' }, language: 'en-US' },
    ...{ timeZone: 'UTC', cardSaving: 'never' },
    ...{ voice: null, asksPostalCode: false, asksConfirmation: false, returnMode: null, acceptedBrands: ['visa'] },
    processor: options.processor === undefined ? 'sandbox' : options.processor,
  };
  await seedMerchant(sql, merchant, []);
  return testMerchant;
}

export interface SessionOptions {
  amountCents?: number;
  /** Negative for an expired session. */
  secondsLeft?: number;
  merchantId?: MerchantId | null;
  callerPhone?: string | null;
}

export async function createTestSession(
  sql: Sql,
  testMerchant: TestMerchant,
  options: SessionOptions = {},
): Promise<CheckoutSessionId> {
  const id = newId('CheckoutSession');
  const session: Omit<CheckoutSession, 'status' | 'metadata' | 'createdAt'> = {
    ...{ id, accountId: testMerchant.accountId, mode: testMerchant.mode, consumerId: null, verdict: 'required' },
    ...{ merchantId: options.merchantId === undefined ? testMerchant.merchantId : options.merchantId },
    ...{ amount: { amountCents: options.amountCents ?? 4_250, currency: 'USD' }, amountSource: 'request' },
    callerPhone: options.callerPhone === undefined ? '+15550101234' : options.callerPhone,
    ...{ orderId: 'order_1', platformCallId: null, returnTo: null },
    ...{ successMessage: null, failureMessage: null, lineItems: [] },
    expiresAt: new Date(Date.now() + (options.secondsLeft ?? 1_800) * 1_000),
  };
  await insertSession(sql, { ...session, metadata: {}, transferToken: null });
  return id;
}

/** Saves a Visa of the sessions' caller, valid until April 2031. Its handle is sealed when a vault is given. */
export async function insertSavedCard(sql: Sql, testMerchant: TestMerchant, vault?: Vault): Promise<InstrumentId> {
  const { accountId, merchantId, mode } = testMerchant;
  const id = newId('Instrument');
  const handle = handleOf(testCard('visa'));
  await sql.query(
    `with caller as (insert into consumers (id, account_id, mode, phone) values ($1, $2, $3, $4) returning id)
     insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, handle_sealed,
                              brand, last_four, expiry_month, expiry_year)
     select $5, $2, $3, id, $6, 'sandbox', $7, $8, 'VISA', '4242', 4, 2031 from caller`,
    [
      ...[newId('Consumer'), accountId, mode, '+15550101234', id, merchantId],
      ...[vault === undefined ? handle : sealHandle(vault, id, handle), vault !== undefined],
    ],
  );
  return id;
}

export interface KeyedCardOptions {
  securityCode?: string;
  expiry?: string;
  postalCode?: string | null;
}

/** A test card keyed on the phone, by name or number. */
export function keyedCard(nameOrNumber: string, keys: KeyedCardOptions = {}): PaymentCard & { kind: 'keyed' } {
  const number = /^\d+$/.test(nameOrNumber) ? nameOrNumber : testCard(nameOrNumber).number;
  const card: KeyedCard = {
    number: Secret.of(number),
    expiry: Secret.of(keys.expiry ?? '0431'),
    securityCode: Secret.of(keys.securityCode ?? '999'),
    postalCode: typeof keys.postalCode === 'string' ? Secret.of(keys.postalCode) : null,
  };
  return { kind: 'keyed', card };
}

/** A log that keeps its messages. */
export function createRecordingLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (...words: unknown[]) => lines.push(String(words.at(-1)));
  return { lines, info: write, warn: write, error: write };
}

export interface TestPayments extends PaymentDeps {
  log: Log & { lines: string[] };
  pay(testMerchant: TestMerchant, sessionId: CheckoutSessionId, card: PaymentCard): Promise<PaymentResult>;
}

/** Takes payments with the dependencies given, by default the sandbox. */
export function createTestPayments(
  database: Database,
  options: {
    processors?: Processor[];
    timings?: Partial<PaymentTimings>;
    onPending?: () => void;
    credentialsFor?: CredentialsFor;
    vault?: Vault;
    onCard?: PaymentDeps['onCard'];
  } = {},
): TestPayments {
  const deps = {
    database,
    processors: options.processors ?? [createSandbox(database, FAST_SANDBOX)],
    inFlight: new InFlight(),
    log: createRecordingLog(),
    onPending: options.onPending ?? (() => undefined),
    timings: options.timings ?? {},
    ...(options.credentialsFor !== undefined && { credentialsFor: options.credentialsFor }),
    ...(options.vault !== undefined && { vault: options.vault }),
    ...(options.onCard !== undefined && { onCard: options.onCard }),
  };
  return {
    ...deps,
    pay: (testMerchant, sessionId, card) => takePayment(deps, paymentRequest(testMerchant, sessionId, card)),
  };
}

export function paymentRequest(
  testMerchant: TestMerchant,
  sessionId: CheckoutSessionId,
  card: PaymentCard,
): PaymentRequest {
  const source = card.kind === 'keyed' ? 'phone' : 'saved_card';
  return { sessionId, scope: { accountId: testMerchant.accountId, mode: testMerchant.mode }, source, card };
}

/** Reads the session's status, charges, events and sandbox payments. */
export async function readPaymentState(sql: Sql, sessionId: CheckoutSessionId) {
  const session = await sql.query<{ status: string }>('select status from checkout_sessions where id = $1', [
    sessionId,
  ]);
  const charges = await sql.query<ChargeRow>('select * from charges where session_id = $1 order by created_at', [
    sessionId,
  ]);
  const events = await sql.query<{ type: string }>('select type from events where session_id = $1 order by sequence', [
    sessionId,
  ]);
  const ledger = await sql.query<{ status: string }>(
    `select p.status from sandbox_payments p join charges c on c.id = p.reference
      where c.session_id = $1 order by p.created_at`,
    [sessionId],
  );
  return {
    session: session.rows[0]?.status,
    charges: charges.rows.map((row) => row.status),
    events: events.rows.map((row) => row.type),
    ledger: ledger.rows.map((row) => row.status),
    rows: charges.rows.map(chargeOf),
  };
}

/** A session's events, in order. */
export async function listSessionEvents(sql: Sql, sessionId: CheckoutSessionId) {
  const { rows } = await sql.query<{
    id: EventId;
    accountId: AccountId;
    mode: Mode;
    /** A 64-bit integer, as text. */
    sequence: string;
    type: EventType;
    sessionId: CheckoutSessionId;
    chargeId: ChargeId | null;
    facts: EventFacts;
  }>(
    `select id, account_id as "accountId", mode, sequence, type, session_id as "sessionId", charge_id as "chargeId", facts
       from events where session_id = $1 order by sequence`,
    [sessionId],
  );
  return rows;
}

/** Makes a session's pending charges older and due for the resolver. */
export async function agePendingCharges(sql: Sql, sessionId: CheckoutSessionId, seconds: number): Promise<void> {
  await sql.query(
    `update charges set created_at = created_at - $2::integer * interval '1 second',
                        resolve_at = least(resolve_at, now())
      where session_id = $1 and status = 'pending'`,
    [sessionId, seconds],
  );
  await sql.query(
    `update sandbox_payments set settles_at = settles_at - $2::integer * interval '1 second'
      where reference in (select id from charges where session_id = $1)`,
    [sessionId, seconds],
  );
}

type Query = (...args: unknown[]) => Promise<unknown>;

/** A database whose every statement, in a transaction or not, goes through `onQuery`. */
export function interceptQueries(database: Database, onQuery: (query: Query, args: unknown[]) => Promise<unknown>) {
  const intercept = (sql: Sql): Sql => ({
    query: ((...args: unknown[]) => onQuery(sql.query.bind(sql) as Query, args)) as Sql['query'],
  });
  return {
    ...intercept(database),
    transaction: (work) => database.transaction((sql) => work(intercept(sql))),
    close: () => database.close(),
  } satisfies Database;
}
