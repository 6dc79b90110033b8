/** Creates callers with saved sandbox cards of many outcomes, and sessions of the demo diner for them. */

import type { Sql } from '../../src/db/pool.ts';
import { type CheckoutSessionId, type InstrumentId, newId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';
import type { Random } from '../support/random.ts';

const MERCHANT = 'mer_demo_diner';
const CALLERS = 50;

/** The weights by which test cards are picked, by name. */
type CardMix = Readonly<Record<string, number>>;

/** Test cards whose charges are answered immediately. */
export const FAST_CARDS: CardMix = {
  visa: 40,
  mastercard: 15,
  do_not_honor: 15,
  insufficient_funds: 5,
  breaks_then_succeeds: 5,
  breaks_then_declines: 5,
};
export const ALL_CARDS: CardMix = {
  ...FAST_CARDS,
  slow: 10,
  hangs_taken: 3,
  hangs_not_taken: 2,
  hold_hangs: 5,
  hold_refused: 3,
};

/** A session to pay, and the cards of its caller. */
export interface PayableSession {
  sessionId: CheckoutSessionId;
  /** Picks a card of the caller by the weights. */
  pickCard(random: Random): InstrumentId;
}

export interface SavedCardSessions {
  /** New sessions of random callers. */
  createSessions(count: number, random: Random): Promise<PayableSession[]>;
}

interface Caller {
  consumerId: string;
  phone: string;
  cards: Map<string, InstrumentId>;
}

/** @param sql a database with the demo data @param holds every second session has manual capture */
export async function createSavedCardSessions(sql: Sql, cardMix: CardMix, holds = false): Promise<SavedCardSessions> {
  const cardNames = Object.entries(cardMix).flatMap(([name, times]) => Array.from({ length: times }, () => name));
  const callers = Array.from({ length: CALLERS }, (_, at): Caller => {
    const cards = new Map(Object.keys(cardMix).map((name) => [name, newId('Instrument')] as const));
    return { consumerId: newId('Consumer'), phone: `+1555020${String(at).padStart(4, '0')}`, cards };
  });
  await sql.query(
    `insert into consumers (id, account_id, mode, phone)
     select id, $1, 'test', phone from unnest($2::text[], $3::text[]) caller (id, phone)`,
    [DEMO_ACCOUNT, callers.map(({ consumerId }) => consumerId), callers.map(({ phone }) => phone)],
  );
  const cards = callers.flatMap(({ consumerId, cards }) => [...cards].map(([name, id]) => ({ consumerId, name, id })));
  await sql.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year)
     select id, $1, 'test', consumer_id, $2, 'sandbox', handle, 'VISA', '4242', 12, 2049
       from unnest($3::text[], $4::text[], $5::text[]) card (id, consumer_id, handle)`,
    [
      DEMO_ACCOUNT,
      MERCHANT,
      cards.map(({ id }) => id),
      cards.map(({ consumerId }) => consumerId),
      cards.map(({ name }) => handleOf(testCard(name))),
    ],
  );
  return { createSessions: (count, random) => createSessions(sql, { callers, cardNames, holds }, count, random) };
}

interface CallerPool {
  callers: readonly Caller[];
  cardNames: readonly string[];
  holds: boolean;
}

async function createSessions(
  sql: Sql,
  { callers, cardNames, holds }: CallerPool,
  count: number,
  random: Random,
): Promise<PayableSession[]> {
  const drawn = Array.from({ length: count }, () => {
    const caller = callers[random.below(callers.length)];
    if (caller === undefined) throw new Error('a merchant without callers');
    return { sessionId: newId('CheckoutSession'), caller };
  });
  await sql.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, consumer_id, verdict, amount_cents, currency,
                                    amount_source, caller_phone, capture, expires_at)
     select id, $1, 'test', $2, consumer_id, 'required', 1000 + place, 'USD', 'request', phone,
            case when $6 and place % 2 = 0 then 'manual' else 'automatic' end, now() + interval '1 day'
       from unnest($3::text[], $4::text[], $5::text[]) with ordinality as wanted (id, consumer_id, phone, place)`,
    [
      DEMO_ACCOUNT,
      MERCHANT,
      drawn.map(({ sessionId }) => sessionId),
      drawn.map(({ caller }) => caller.consumerId),
      drawn.map(({ caller }) => caller.phone),
      holds,
    ],
  );
  return drawn.map(({ sessionId, caller }) => ({
    sessionId,
    pickCard: (chance) => cardOf(caller, cardNames[chance.below(cardNames.length)]),
  }));
}

function cardOf({ cards }: Caller, name = ''): InstrumentId {
  const card = cards.get(name);
  if (card === undefined) throw new Error('a caller lacks a card of the cardNames');
  return card;
}
