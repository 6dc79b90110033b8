/** Saved cards that can be charged. The rules are in the schema's function `chargeable_cards`. */
import type { Scope } from '../../domain/account.ts';
import type { CheckoutSessionId, InstrumentId } from '../../domain/ids.ts';
import type { HandleAtRest, SavedCard } from '../../domain/instrument.ts';
import { isSteppedUp, type ScreenFacts } from '../../domain/screening.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { screenFacts } from '../screening/screen-facts.ts';
import { CARD } from './consumers.ts';

/** More than any caller has. */
const MAX_CARDS = 50;

/** A saved card, and whether a session's caller and merchant can use it. */
export interface CardAtSession extends HandleAtRest {
  processor: string;
  brand: string;
  lastFour: string;
  /** Saved by the session's caller. */
  isCallers: boolean;
  /** The session's merchant can charge it, if it belongs to the caller. */
  isChargeable: boolean;
}

/** @param at the time at which it must not be expired. @returns null if the scope has no such card, or it is deleted */
export function findCardAtSession(
  sql: Sql,
  scope: Scope,
  session: Pick<CheckoutSession, 'merchantId' | 'callerPhone'>,
  cardId: InstrumentId,
  at: Date,
): Promise<CardAtSession | null> {
  return readFirst(sql, {
    name: 'find_card_at_session',
    text: `select i.id, i.processor, i.processor_handle as "processorHandle", i.handle_sealed as "handleSealed", i.brand,
            i.last_four as "lastFour", coalesce(c.account_id = $2 and c.mode = $3 and c.phone = $4, false) as "isCallers",
            exists (select from chargeable_cards(c.id, $5, $6) chargeable where chargeable.id = i.id) as "isChargeable"
       from instruments i join consumers c on c.id = i.consumer_id
      where i.id = $1 and i.account_id = $2 and i.mode = $3 and i.deleted_at is null`,
    values: [cardId, scope.accountId, scope.mode, session.callerPhone, session.merchantId, at],
  });
}

/** Whether the session's caller has any card that can be charged at its merchant. */
export async function hasChargeableCard(sql: Sql, sessionId: CheckoutSessionId, at: Date): Promise<boolean> {
  const { has } = await readOne<{ has: boolean }>(
    sql,
    `select exists (
       select from checkout_sessions s
         join consumers c on c.account_id = s.account_id and c.mode = s.mode and c.phone = s.caller_phone
        cross join lateral chargeable_cards(c.id, s.merchant_id, $2)
        where s.id = $1) as has`,
    [sessionId, at],
  );
  return has;
}

/**
 * The cards of the session's caller that can be charged at its merchant, newest first. None if screening steps the
 * caller up.
 * @param at the time at which none is expired
 */
export async function listChargeableCards(sql: Sql, sessionId: CheckoutSessionId, at: Date): Promise<SavedCard[]> {
  const found = await readFirst<ScreenedCards>(
    sql,
    `select ${chargeableCards('$2::timestamptz')} as cards, ${screenFacts()} as screening
       from checkout_sessions
       join merchants on merchants.id = checkout_sessions.merchant_id
       join consumers c on c.account_id = checkout_sessions.account_id and c.mode = checkout_sessions.mode
                       and c.phone = checkout_sessions.caller_phone
      where checkout_sessions.id = $1`,
    [sessionId, at],
  );
  return allowedCards(found);
}

/** A caller's cards and screening facts. */
export interface ScreenedCards {
  cards: SavedCard[];
  screening: ScreenFacts;
}

/** @param found null if the caller does not exist */
export function allowedCards(found: ScreenedCards | null): SavedCard[] {
  return found === null || isSteppedUp(found.screening) ? [] : found.cards;
}

/**
 * SQL: the cards of consumer `c` that can be charged at `merchants`, as a JSON array of `SavedCard`, newest first.
 * @param at SQL: the time at which none is expired
 */
export function chargeableCards(at: string): string {
  return `
  array_to_json(array(select card
     from (select ${CARD} from chargeable_cards(c.id, merchants.id, ${at}) instruments
            order by created_at desc, id desc limit ${MAX_CARDS}) card))`;
}

/**
 * SQL: a `ScreenedCards` as JSON for a row of `checkout_sessions` and its `merchants`; null if the caller has never
 * saved a card.
 */
export const SCREENED_CARDS = `(
  select json_build_object('cards', ${chargeableCards('now()')}, 'screening', ${screenFacts()})
    from consumers c
   where c.account_id = checkout_sessions.account_id and c.mode = checkout_sessions.mode
     and c.phone = checkout_sessions.caller_phone)`;
