/** Reads the data to create a checkout, and whole checkouts, in one statement each. */

import type { CheckoutFacts } from '../../contract/session-resource.ts';
import type { Scope } from '../../domain/account.ts';
import type { LiveStatus } from '../../domain/charge.ts';
import type { CheckoutSessionId, ConsumerId, MerchantId } from '../../domain/ids.ts';
import type { SavedCard } from '../../domain/instrument.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Currency } from '../../domain/money.ts';
import type { ReturnPermission } from '../../domain/return-permission.ts';
import { decideScreen, type Screen, type ScreenFacts, type StoredLookup } from '../../domain/screening.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import type { TextReach } from '../../domain/texts.ts';
import { chargeableCards } from '../cards/chargeable.ts';
import { CHARGE_FACTS, isLiveCharge, orderCharge } from '../charges/charge-facts.ts';
import { arrayOfAnyLength, jsonOf } from '../columns.ts';
import { attestationUrl, ONLY_ACCOUNT, RETURNS } from '../keys/accounts.ts';
import { MERCHANT } from '../merchants/merchants.ts';
import type { Sql } from '../pool.ts';
import { screenFacts, storedLookup } from '../screening/screen-facts.ts';
import { textReach } from '../texts/text-limits.ts';
import { IS_OVER, SESSION } from './sessions.ts';

/** Merchant and caller as named in a request. Numbers are E.164. */
export interface CheckoutParties {
  scope: Scope;
  merchantId: MerchantId | null;
  merchantNumber: string | null;
  callerPhone: string | null;
  /** The order that must not be paid twice; null if there is none, or it can be. */
  orderId: string | null;
}

/** The charge that pays for the request's order. */
interface OrderCharge {
  status: LiveStatus;
  /** That was due in its session. */
  amountCents: number;
  /** What a part leaves of it. */
  remainingCents: number;
}

export interface CheckoutContext {
  accountCurrency: Currency;
  /** Hosts and numbers to which the account can send callers. */
  returns: ReturnPermission;
  /** The attestation URL for the request's mode; null if there is none. */
  attestationUrl: string | null;
  /** The installation has only this account; see {@link ONLY_ACCOUNT}. */
  isOnlyAccount: boolean;
  /** The account's merchant with that ID, in either mode; without an ID, the one with that number. */
  merchant: Merchant | null;
  dialedMerchantId: MerchantId | null;
  consumerId: ConsumerId | null;
  /** The caller's number has opted out of texts (STOP). */
  hasOptedOut: boolean;
  /** The numbers that the account can text. */
  textReach: TextReach;
  /** Pending or succeeded, in any session of the order; null if the order is unpaid. */
  orderCharge: OrderCharge | null;
  /** The caller's cards that the merchant can charge, newest first, even if {@link lookup} steps the caller up. */
  cards: SavedCard[];
  /** The stored lookup of the caller's number. */
  lookup: StoredLookup | null;
}

const MERCHANT_JSON = jsonOf(`select ${MERCHANT} where merchants.id is not null`);

const ORDER_CHARGE = jsonOf(
  orderCharge(
    `charges.status, charges.amount_cents - charges.tip_cents + charges.remaining_cents as "amountCents",
     charges.remaining_cents as "remainingCents"`,
    'merchants.id',
    'request.order_id',
  ),
);

const CONTEXTS = `
  select accounts.currency as "accountCurrency", ${RETURNS} as returns,
         ${attestationUrl('request.mode')} as "attestationUrl",
         coalesce(accounts.id = ${ONLY_ACCOUNT}, false) as "isOnlyAccount",
         ${MERCHANT_JSON} as merchant, dialed.merchant_id as "dialedMerchantId",
         c.id as "consumerId",
         exists (select from text_opt_outs o where o.phone = request.phone) as "hasOptedOut",
         ${textReach({ accountId: 'accounts.id', mode: 'request.mode', merchantId: 'merchants.id' })} as "textReach",
         ${ORDER_CHARGE} as "orderCharge",
         ${chargeableCards('$6::timestamptz')} as cards,
         ${storedLookup({ accountId: 'accounts.id', mode: 'request.mode', phone: 'request.phone' })} as lookup
    from unnest(${arrayOfAnyLength('$1::text[]')}, $2::mode[], $3::text[], $4::text[], $5::text[], $7::text[])
           with ordinality as request (account_id, mode, merchant_id, number, phone, order_id, place)
    join accounts on accounts.id = request.account_id
    left join merchant_numbers dialed
      on dialed.account_id = accounts.id and dialed.mode = request.mode and dialed.number = request.number
    left join merchants on merchants.id = coalesce(request.merchant_id, dialed.merchant_id) and merchants.account_id = accounts.id
    left join consumers c on c.account_id = accounts.id and c.mode = request.mode and c.phone = request.phone
   order by request.place`;

/**
 * The data that several requests need to create their checkouts, in order.
 * @param at cards that have expired by then are omitted
 * @throws if an account does not exist
 */
export async function findCheckoutContexts(
  sql: Sql,
  all: readonly CheckoutParties[],
  at: Date,
): Promise<CheckoutContext[]> {
  const { rows } = await sql.query<CheckoutContext>({
    name: 'checkout_contexts',
    text: CONTEXTS,
    values: [
      all.map(({ scope }) => scope.accountId),
      all.map(({ scope }) => scope.mode),
      all.map(({ merchantId }) => merchantId),
      all.map(({ merchantNumber }) => merchantNumber),
      all.map(({ callerPhone }) => callerPhone),
      at,
      all.map(({ orderId }) => orderId),
    ],
  });
  if (rows.length !== all.length) throw new Error('the account of a valid key does not exist');
  return rows;
}

/**
 * A session with everything that its resource shows. The charge is the pending or succeeded one, otherwise the last
 * failed one. If screening steps the caller up, there are no cards.
 */
export interface CheckoutReading extends CheckoutFacts {
  screen: Screen | null;
  /** Encrypted credentials of the merchant's processor; null if none are stored. */
  credentials: string | null;
}

type ReadingRow = CheckoutSession & Omit<CheckoutReading, 'session' | 'screen'> & { screening: ScreenFacts };

/** SQL: a {@link LastCall} of a row of `checkout_sessions`; null if there was none. */
const LAST_CALL = `(
  select json_build_object(
           'wasAnswered', calls.answered_at is not null, 'isLive', calls.ended_at is null,
           'isOnLine', calls.ended_at is null and calls.return_mode is null and calls.stage is distinct from 'returning',
           'outcome', calls.outcome, 'reason', calls.reason,
           'isChargedSince', exists (select from charges c
             where c.session_id = checkout_sessions.id and c.created_at > coalesce(calls.ended_at, now())))
    from calls where calls.session_id = checkout_sessions.id
   order by calls.started_at desc limit 1)`;

/** SQL: whether a text with the pay link of a row of `checkout_sessions` has arrived or may still arrive. */
const HAS_LINK = `exists (select from texts where texts.session_id = checkout_sessions.id
  and texts.kind = 'pay_link' and texts.status in ('waiting', 'sending', 'sent', 'unknown'))`;

/** SQL: the card that was saved with a charge of a row of `checkout_sessions`; null if none was, or it is deleted. */
const SAVED_CARD = `(
  select i.id from charges c join card_consents k on k.charge_id = c.id join instruments i on i.id = k.instrument_id
   where c.session_id = checkout_sessions.id and k.status = 'kept' and i.deleted_at is null limit 1)`;

const READING = `
  select ${SESSION}, ${IS_OVER} as "isOver", ${MERCHANT_JSON} as merchant, p.credentials, c.first_name as "callerFirstName",
         ${LAST_CALL} as "lastCall", ${HAS_LINK} as "hasLink", ${SAVED_CARD} as "savedCardId", ${screenFacts()} as screening, ${chargeableCards('$2::timestamptz')} as cards, ${jsonOf(`
           select ${CHARGE_FACTS} from charges where session_id = checkout_sessions.id
            order by (${isLiveCharge('charges')}) desc, created_at desc limit 1`)} as charge
    from checkout_sessions
    left join merchants on merchants.id = checkout_sessions.merchant_id
    left join merchant_processors p on p.merchant_id = merchants.id and p.processor = merchants.processor
    left join consumers c on c.account_id = checkout_sessions.account_id and c.mode = checkout_sessions.mode
                         and c.phone = checkout_sessions.caller_phone`;

/**
 * Reads sessions of any account, in any order; the calling function checks the account. @param at cards expired by then
 * are omitted
 */
export async function readCheckouts(
  sql: Sql,
  ids: readonly CheckoutSessionId[],
  at = new Date(),
): Promise<CheckoutReading[]> {
  const { rows } = await sql.query<ReadingRow>({
    name: 'read_checkouts',
    text: `${READING} where checkout_sessions.id = any(${arrayOfAnyLength('$1::text[]')})`,
    values: [ids, at],
  });
  return rows.map((row) => {
    const { isOver, merchant, credentials, callerFirstName, charge, cards: all, ...rest } = row;
    const { screening, lastCall, hasLink, savedCardId = null, ...session } = rest;
    const screen = decideScreen(screening);
    const cards = screen?.decision === 'step_up' ? [] : all;
    return {
      session,
      isOver,
      merchant,
      credentials,
      callerFirstName,
      charge,
      cards,
      savedCardId,
      lastCall,
      hasLink,
      screen,
    };
  });
}
