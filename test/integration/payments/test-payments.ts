/** A shop with a session to pay, the money path around it, and what the record and the sandbox say afterwards. */
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
import { insertMerchant } from '../../../src/db/merchants/merchants.ts';
import { insertSession } from '../../../src/db/sessions/sessions.ts';
import { sealHandle } from '../../../src/vault/handles.ts';
import type { Vault } from '../../../src/vault/vault.ts';

/** The sandbox's waits, short enough for tests. */
export const QUICK: SandboxTimings = { slowMs: 150, settleMs: 150, hangMs: 20_000 };

/** A processor that answers as told, and counts how often it is asked. */
export function puppet(sql: Sql, charge: Processor['charge']): Processor & { asked: number } {
  const processor = {
    ...createSandbox(sql, QUICK),
    asked: 0,
    charge: (...args: Parameters<Processor['charge']>) => {
      processor.asked += 1;
      return charge(...args);
    },
  };
  return processor;
}

export const APPROVED: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'p_1' };

export interface Shop {
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
}

export async function openShop(sql: Sql, options: { processor?: string | null; mode?: Mode } = {}): Promise<Shop> {
  const shop: Shop = { accountId: newId('Account'), merchantId: newId('Merchant'), mode: options.mode ?? 'test' };
  await insertAccount(sql, { id: shop.accountId, name: 'Test' });
  const merchant: Merchant = {
    ...{ id: shop.merchantId, accountId: shop.accountId, mode: shop.mode },
    ...{ slug: 'shop', businessName: 'Shop', currency: 'USD', policy: { kind: 'always' }, language: 'en-US' },
    ...{ timeZone: 'UTC', cardSaving: 'never' },
    ...{ voice: null, asksPostalCode: false, asksConfirmation: false, returnMode: null, acceptedBrands: ['visa'] },
    processor: options.processor === undefined ? 'sandbox' : options.processor,
  };
  await insertMerchant(sql, merchant, []);
  return shop;
}

export interface SessionOptions {
  amountCents?: number;
  /** Negative: over. */
  secondsLeft?: number;
  merchantId?: MerchantId | null;
  callerPhone?: string | null;
}

export async function openSession(sql: Sql, shop: Shop, options: SessionOptions = {}): Promise<CheckoutSessionId> {
  const id = newId('CheckoutSession');
  const session: Omit<CheckoutSession, 'status' | 'metadata' | 'createdAt'> = {
    ...{ id, accountId: shop.accountId, mode: shop.mode, consumerId: null, verdict: 'required' },
    ...{ merchantId: options.merchantId === undefined ? shop.merchantId : options.merchantId },
    ...{ amount: { amountCents: options.amountCents ?? 4_250, currency: 'USD' }, amountSource: 'request' },
    callerPhone: options.callerPhone === undefined ? '+15550101234' : options.callerPhone,
    ...{ orderId: 'order_1', platformCallId: null, returnTo: null },
    ...{ successMessage: null, failureMessage: null, lineItems: [] },
    expiresAt: new Date(Date.now() + (options.secondsLeft ?? 1_800) * 1_000),
  };
  await insertSession(sql, { ...session, metadata: {}, transferToken: null });
  return id;
}

/** A Visa of the caller of the shop's sessions, good until April 2031; its handle sealed where there is a vault. */
export async function saveCard(sql: Sql, shop: Shop, vault?: Vault): Promise<InstrumentId> {
  const { accountId, merchantId, mode } = shop;
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

export interface Keyed {
  securityCode?: string;
  expiry?: string;
  postalCode?: string | null;
}

/** A test card as the keypad gives it: by name, or by its number. */
export function keyed(nameOrNumber: string, keys: Keyed = {}): PaymentCard & { kind: 'keyed' } {
  const number = /^\d+$/.test(nameOrNumber) ? nameOrNumber : testCard(nameOrNumber).number;
  const card: KeyedCard = {
    number: Secret.of(number),
    expiry: Secret.of(keys.expiry ?? '0431'),
    securityCode: Secret.of(keys.securityCode ?? '999'),
    postalCode: typeof keys.postalCode === 'string' ? Secret.of(keys.postalCode) : null,
  };
  return { kind: 'keyed', card };
}

/** Remembers what it was told. */
export function notebook(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (...words: unknown[]) => lines.push(String(words.at(-1)));
  return { lines, info: write, warn: write, error: write };
}

export interface Till extends PaymentDeps {
  log: Log & { lines: string[] };
  pay(shop: Shop, sessionId: CheckoutSessionId, card: PaymentCard): Promise<PaymentResult>;
}

/** The money path over `sql`. */
export function openTill(
  sql: Sql,
  options: {
    processors?: Processor[];
    timings?: Partial<PaymentTimings>;
    onPending?: () => void;
    credentialsFor?: CredentialsFor;
    vault?: Vault;
    onCard?: PaymentDeps['onCard'];
  } = {},
): Till {
  const deps = {
    sql,
    processors: options.processors ?? [createSandbox(sql, QUICK)],
    inFlight: new InFlight(),
    log: notebook(),
    onPending: options.onPending ?? (() => undefined),
    timings: options.timings ?? {},
    ...(options.credentialsFor !== undefined && { credentialsFor: options.credentialsFor }),
    ...(options.vault !== undefined && { vault: options.vault }),
    ...(options.onCard !== undefined && { onCard: options.onCard }),
  };
  return { ...deps, pay: (shop, sessionId, card) => takePayment(deps, requestOf(shop, sessionId, card)) };
}

export function requestOf(shop: Shop, sessionId: CheckoutSessionId, card: PaymentCard): PaymentRequest {
  const source = card.kind === 'keyed' ? 'phone' : 'saved_card';
  return { sessionId, scope: { accountId: shop.accountId, mode: shop.mode }, source, card };
}

/** Everything the record knows of a session's payment, as short words. */
export async function bookOf(sql: Sql, sessionId: CheckoutSessionId) {
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

/** A session's rows of the outbox, in their order. */
export async function eventsOfSession(sql: Sql, sessionId: CheckoutSessionId) {
  const { rows } = await sql.query<{
    id: EventId;
    accountId: AccountId;
    mode: Mode;
    /** A 64-bit integer as text. */
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

/** Lets time pass for a session's charges, and makes the pending ones due. */
export async function age(sql: Sql, sessionId: CheckoutSessionId, seconds: number): Promise<void> {
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

/** Counts the statements that go through it: one each is a round trip. */
export function counting(database: Database): Database & { count: number } {
  const counted = {
    count: 0,
    query: ((...args: Parameters<Sql['query']>) => {
      counted.count += 1;
      return database.query(...args);
    }) as Sql['query'],
    transaction: database.transaction,
    close: database.close,
  };
  return counted;
}
