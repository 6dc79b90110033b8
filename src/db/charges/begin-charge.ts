/** The first step of a payment: its pending charge, in one statement, hence one transaction and one round trip. */
import type { Scope } from '../../domain/account.ts';
import type { Charge, ChargeSource } from '../../domain/charge.ts';
import type { CardConsent } from '../../domain/consent.ts';
import type { ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import type { VelocityRules } from '../../payments/velocity.ts';
import { attemptValues, type Traces, tooManyAttempts, whole } from './attempts.ts';
import { isKeptAt, isUnexpired } from '../cards/chargeable.ts';
import { findLiveCharge } from './charges.ts';
import { consented, consentValues } from '../cards/consents.ts';
import type { Sql } from '../pool.ts';
import { isDuplicate } from '../duplicate.ts';
import { oneLine } from '../one-line.ts';

/** A charge to begin. What it takes is the session's business, not the asker's. */
export interface NewCharge {
  id: ChargeId;
  sessionId: CheckoutSessionId;
  scope: Scope;
  source: ChargeSource;
  /** Names of the processors that can take this card in this mode. */
  processors: readonly string[];
  card: NewChargeCard;
  /** What attempts are counted by, and how many are too many. */
  traces: Traces;
  rules: VelocityRules;
  /** To keep the card; null: none. */
  consent: CardConsent | null;
  /** When the resolver takes over from a process that never came back. */
  resolveAfterMs: number;
}

/** What is known of the card. The record itself judges a saved one. `keyIds`: of the vault that its handle is to be opened with. */
export type NewChargeCard =
  | { instrumentId: InstrumentId; at: Date; keyIds: readonly string[] }
  | { instrumentId: null; brand: string | null; lastFour: string | null };

export type BeginRefusal =
  | 'expired'
  | 'already_paid'
  | 'in_progress'
  | 'merchant_not_connected'
  | 'too_many_attempts'
  /** Of a saved one: charge-context.ts tells what is wrong. */
  | 'card_not_chargeable';

/** What is told of a session that is being charged. */
export type BegunOrder = Pick<CheckoutSession, 'orderId' | 'platformCallId'>;

/** The saved card that a charge was begun with; vault/handles.ts opens its handle. */
export interface SavedCard {
  id: InstrumentId;
  processorHandle: string;
  handleSealed: boolean;
}

export type Begun =
  /** `saved`: null where the card is not a saved one. */
  | { type: 'begun'; charge: Charge; order: BegunOrder; saved: SavedCard | null }
  /** `charge`: the live one that stands in the way. */
  | { type: 'refused'; reason: BeginRefusal; charge: Charge | null }
  | { type: 'no_session' };

interface BeginRow {
  /** Null when none was begun. */
  begun_at: Date | null;
  merchant_id: MerchantId;
  amount_cents: number;
  currency: Currency;
  processor: string;
  order_id: string | null;
  platform_call_id: string | null;
  /** Null also where another charge was in the way. */
  refusal: Exclude<BeginRefusal, 'in_progress'> | null;
  /** These, where a saved card was asked for; null where there is none such. */
  brand?: string | null;
  last_four?: string | null;
  processor_handle?: string | null;
  handle_sealed?: boolean | null;
}

const opens = (sealed: string) => `split_part(${sealed}, '.', 1) = any($8::text[])`;

/**
 * Of the card that is asked for ($7): whether it can be charged for session `s`, by the rules that checkout/charge.ts
 * explains a refusal by. @param at SQL: when it must not have expired
 */
const savedCard = (at: string) => ({
  chargeable: `s.verdict <> 'none' and i.account_id = $3 and i.mode = $4 and i.deleted_at is null
                and exists (select from consumers c where c.id = i.consumer_id and c.account_id = $3 and c.mode = $4
                               and c.phone = s.caller_phone)
                and ${isKeptAt('i', 'm', 'p')} and ${isUnexpired('i', 'm', at)}
                and (not i.handle_sealed or ${opens('i.processor_handle')})
                and (p.credentials is null or ${opens('p.credentials')})`,
  joins: `left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
           left join instruments i on i.id = $7`,
  columns: ', i.brand, i.last_four, i.processor_handle, i.handle_sealed',
  result: ', brand, last_four, processor_handle, handle_sealed',
});
const OTHER: ReturnType<typeof savedCard> = { chargeable: 'true', joins: '', columns: '', result: '' };

const FIRST_TRACE = 9;

/** A saved card is not saved again: none has a consent. */
interface Shape {
  saved: boolean;
  origin: boolean;
  consent: boolean;
  /** Another charge is known to be in the way: that one is not an error, it costs a look at each unique index before. */
  contested: boolean;
}

/** The same for all charges of a mode, as long as a process runs. */
type Limits = Pick<NewCharge, 'rules' | 'resolveAfterMs'>;

/**
 * The session is locked before anything is judged, and read as it is then. What decides stands in the select list: a
 * condition that a partial index shares may make the planner read that index from end to end. Columns cost more than one
 * would think: no more of them than somebody reads. The charge's `created_at` is its transaction's now().
 */
function begin({ saved, origin, consent, contested }: Shape, { rules, resolveAfterMs }: Limits): string {
  const afterTraces = FIRST_TRACE + (origin ? 2 : 1);
  const card = saved ? savedCard(`$${afterTraces}::timestamptz`) : OTHER;
  return `
  with session as (
    select s.merchant_id, s.amount_cents, s.currency, s.order_id, s.platform_call_id, s.caller_phone, m.processor,
           case when s.status = 'complete' then 'already_paid'
                when s.status <> 'open' or s.expires_at <= now() then 'expired'
                when ${tooManyAttempts('s', FIRST_TRACE, origin, rules)} then 'too_many_attempts'
                when (m.processor = any($5)) is not true then 'merchant_not_connected'
                when (${card.chargeable}) is not true then 'card_not_chargeable' end as refusal${card.columns}
      from (select merchant_id, amount_cents, currency, order_id, platform_call_id, status, verdict, caller_phone,
                   declines, expires_at
              from checkout_sessions where id = $2 and account_id = $3 and mode = $4 for no key update) s
           left join merchants m on m.id = s.merchant_id
           ${card.joins}
  ), begun as (
    insert into charges (id, session_id, account_id, mode, merchant_id, amount_cents, currency, processor,
                         source, instrument_id, brand, last_four, resolve_at, caller_phone, card_fingerprint, origin_hash)
    select $1, $2, $3, $4, merchant_id, amount_cents, currency, processor,
           $6, ${saved ? '$7, brand, last_four' : 'null, $7, $8'}, now() + interval '${whole(resolveAfterMs)} milliseconds',
           caller_phone, $${FIRST_TRACE}, ${origin ? `$${FIRST_TRACE + 1}` : 'null'}
      from session where refusal is null
    ${contested ? 'on conflict do nothing' : ''} ${consent || contested ? 'returning *' : ''}
  )${consent ? `, ${consented(afterTraces)}` : ''}
  select ${contested ? '(select created_at from begun)' : 'case when refusal is null then now() end'} as begun_at,
         merchant_id, amount_cents, currency, processor, order_id, platform_call_id, refusal${card.result}
    from session`;
}

interface Statement {
  name: string;
  text: string;
}

/** By what their text is made of: its traits, then the numbers in it. */
const statements = new Map<string, Map<string, Statement>>();

/** Each is prepared once a connection; the first of its traits is called by them alone. */
function statement(shape: Shape, limits: Limits): Statement {
  const { saved, origin, consent, contested } = shape;
  const traits = `${origin ? '_from_origin' : ''}${consent ? '_with_consent' : ''}${contested ? '_contested' : ''}`;
  const title = `begin${saved ? '_saved' : ''}_charge${traits}`;
  const { caller, card, origin: address } = limits.rules;
  const counts = `${caller.attempts} ${card.attempts} ${address.attempts} ${limits.resolveAfterMs}`;
  const numbers = `${counts} ${caller.seconds} ${card.seconds} ${address.seconds}`;
  const known = statements.get(title) ?? new Map<string, Statement>();
  const found = known.get(numbers);
  if (found !== undefined) return found;
  const name = known.size === 0 ? title : `${title}_${known.size + 1}`;
  const made = { name, text: oneLine(begin(shape, limits)) };
  statements.set(title, known.set(numbers, made));
  return made;
}

/**
 * Writes the pending charge of an open, unexpired session, of a saved card only where it can be charged there. The unique
 * index picks the winner of a race. The same charge id again (an answer of the record was lost on the way) finds the
 * charge begun, as long as it is pending.
 */
export async function beginCharge(sql: Sql, charge: NewCharge): Promise<Begun> {
  let row: BeginRow | undefined;
  try {
    [row] = (await sql.query<BeginRow>(beginning(charge, false))).rows;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    [row] = (await sql.query<BeginRow>(beginning(charge, true))).rows;
  }
  if (row === undefined) return { type: 'no_session' };
  if (row.begun_at !== null) return begunWith(charge, row, begunCharge(charge, row, row.begun_at));
  const live = await findLiveCharge(sql, charge.sessionId);
  if (live?.id === charge.id && live.status === 'pending') return begunWith(charge, row, live);
  return { type: 'refused', reason: refusalOf(row.refusal, live), charge: live };
}

function beginning(charge: NewCharge, contested: boolean) {
  const { id, sessionId, scope, card, consent, traces } = charge;
  const saved = card.instrumentId !== null;
  const shape = { saved, origin: traces.originHash !== null, consent: consent !== null, contested };
  const { name, text } = statement(shape, charge);
  const values: unknown[] = [id, sessionId, scope.accountId, scope.mode, charge.processors, charge.source];
  if (card.instrumentId === null) values.push(card.brand, card.lastFour);
  else values.push(card.instrumentId, card.keyIds);
  values.push(...attemptValues(traces));
  if (card.instrumentId !== null) values.push(card.at.toISOString());
  if (consent !== null) values.push(...consentValues(consent));
  return { name, text, values };
}

function begunWith({ card }: NewCharge, row: BeginRow, charge: Charge): Begun {
  const { instrumentId: id } = card;
  const { processor_handle: processorHandle, handle_sealed: handleSealed } = row;
  const saved =
    id === null || processorHandle == null ? null : { id, processorHandle, handleSealed: handleSealed === true };
  return { type: 'begun', charge, order: { orderId: row.order_id, platformCallId: row.platform_call_id }, saved };
}

function begunCharge({ id, sessionId, scope, source, card }: NewCharge, row: BeginRow, createdAt: Date): Charge {
  const isSaved = card.instrumentId !== null;
  return {
    id,
    sessionId,
    accountId: scope.accountId,
    merchantId: row.merchant_id,
    mode: scope.mode,
    status: 'pending',
    amount: { amountCents: row.amount_cents, currency: row.currency },
    source,
    processor: row.processor,
    processorPaymentId: null,
    instrumentId: card.instrumentId,
    brand: isSaved ? (row.brand ?? null) : card.brand,
    lastFour: isSaved ? (row.last_four ?? null) : card.lastFour,
    declineCode: null,
    processorCode: null,
    createdAt,
    settledAt: null,
  };
}

function refusalOf(refusal: BeginRow['refusal'], live: Charge | null): BeginRefusal {
  if (live?.status === 'succeeded') return 'already_paid';
  if (live !== null && refusal !== 'already_paid') return 'in_progress';
  // Without either, the charge that stood in the way has failed in the meantime. Asking again will do.
  return refusal ?? 'in_progress';
}
