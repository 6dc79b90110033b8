/** Takes payments, and reads the result from the database and the sandbox. */
import { CHARGE } from '../../../src/db/charges/charges.ts';
import type { EventFacts, EventType } from '../../../src/db/events/events.ts';
import type { Database, Sql } from '../../../src/db/pool.ts';
import type { Charge } from '../../../src/domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, EventId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { Mode } from '../../../src/domain/session.ts';
import type { KeyedCard } from '../../../src/flow/effects.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import type { Vault } from '../../../src/lib/vault/vault.ts';
import { type PaymentRequest, type PaymentResult, takePayment } from '../../../src/payments/charges/take-payment.ts';
import type { ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { TEST_ACCOUNTS, TEST_ROUTING_NUMBER } from '../../../src/payments/sandbox/bank-accounts.ts';
import { testCard } from '../../../src/payments/sandbox/cards.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { SandboxTimings } from '../../../src/payments/sandbox/timings.ts';
import type { PaymentCard } from '../../../src/payments/shared/card.ts';
import type { CredentialsFor, Log, PaymentDeps, PaymentTimings } from '../../../src/payments/shared/deps.ts';
import type { TestMerchant } from '../../support/test-merchants.ts';

/**
 * Sandbox delays that are short enough for tests. The hanging cards answer "unknown" at once, as if their limit were
 * over.
 */
export const FAST_SANDBOX: SandboxTimings = { slowMs: 150, settleMs: 150, hangMs: 0 };

/** The sandbox with a charge function of the test's own. Counts its calls. */
export function scriptedProcessor(sql: Sql, charge: Processor['charge']): Processor & { requests: number } {
  const processor = {
    ...createSandbox(sql, FAST_SANDBOX),
    requests: 0,
    charge: (...args: Parameters<Processor['charge']>) => {
      processor.requests += 1;
      return charge(...args);
    },
  };
  return processor;
}

export const APPROVED: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'p_1' };

interface KeyedCardOptions {
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

/** A test bank account keyed on the phone, by name or account number. */
export function keyedAccount(nameOrNumber: string): PaymentCard & { kind: 'bank_account' } {
  const known = TEST_ACCOUNTS.find(({ name }) => name === nameOrNumber);
  return {
    kind: 'bank_account',
    account: {
      routingNumber: Secret.of(TEST_ROUTING_NUMBER),
      accountNumber: Secret.of(known?.accountNumber ?? nameOrNumber),
      type: 'checking',
      holderName: 'Ada Lovelace',
    },
  };
}

/** A log that keeps its messages (`lines`), and what they were logged with (`fields`). */
export function createRecordingLog(): Log & { lines: string[]; fields: unknown[] } {
  const lines: string[] = [];
  const fields: unknown[] = [];
  const write = (...words: unknown[]) => {
    lines.push(String(words.at(-1)));
    fields.push(...words.slice(0, -1));
  };
  return { lines, fields, info: write, warn: write, error: write };
}

export interface TestPayments extends PaymentDeps {
  log: Log & { lines: string[] };
  pay(
    testMerchant: TestMerchant,
    sessionId: CheckoutSessionId,
    card: PaymentCard,
    tipCents?: number,
  ): Promise<PaymentResult>;
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
    pay: (testMerchant, sessionId, card, tipCents = 0) =>
      takePayment(deps, { ...paymentRequest(testMerchant, sessionId, card), tipCents }),
  };
}

export function paymentRequest(
  testMerchant: TestMerchant,
  sessionId: CheckoutSessionId,
  card: PaymentCard,
): PaymentRequest {
  const source = card.kind === 'keyed' || card.kind === 'bank_account' ? 'phone' : 'saved_card';
  return { sessionId, scope: { accountId: testMerchant.accountId, mode: testMerchant.mode }, source, card };
}

/** Reads the session's status, charges, events and sandbox payments. */
export async function readPaymentState(sql: Sql, sessionId: CheckoutSessionId) {
  const session = await sql.query<{ status: string }>('select status from checkout_sessions where id = $1', [
    sessionId,
  ]);
  const charges = await sql.query<Charge>(`select ${CHARGE} from charges where session_id = $1 order by created_at`, [
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
    rows: charges.rows,
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
