/**
 * The state of a session's payment: live and failed charges, opened page, call. For the phone process that handles its
 * call.
 */
import DataLoader from 'dataloader';
import type { CallStage } from '../../domain/call.ts';
import type { Charge } from '../../domain/charge.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { CHARGE_OF_ORDER, type ChargeOfOrder, isLiveCharge } from '../charges/charge-facts.ts';
import type { Sql } from '../pool.ts';

export interface SessionState {
  status: CheckoutSession['status'];
  /** The pending or succeeded charge. */
  live: LiveCharge | null;
  /** The newest charge that failed. */
  failed: Pick<Charge, 'id' | 'source' | 'declineCode'> | null;
  /** When a person first opened the pay page. */
  pageOpenedAt: Date | null;
  /** Stage of the live call; null if there is none. */
  callStage: CallStage | null;
}

/** `isUnknown`: pending with an unknown outcome. It is looked up, and a text will report the result. */
export type LiveCharge = Pick<Charge, 'id' | 'status' | 'source' | 'tipCents' | 'remainingCents'> & {
  isUnknown: boolean;
  /** The payer has to confirm it on the page. */
  awaitsPayer: boolean;
};

/**
 * SQL: the outcome of a pending charge is unknown, as an event has reported. @param charge alias of a row of `charges`
 */
export const outcomeIsUnknown = (charge: string) => `(${charge}.status = 'pending'
  and exists (select from events e where e.session_id = ${charge}.session_id
    and e.charge_id = ${charge}.id and e.type = 'checkout.pending'))`;

/** SQL: the stage of the live call of a row of `checkout_sessions`; null if there is none. */
export const CALL_STAGE = `(select coalesce(calls.stage, 'greeting')
   from calls where calls.session_id = checkout_sessions.id and calls.ended_at is null)`;

/** SQL: the number of declined charges of a row of `checkout_sessions`. */
export const DECLINES = `(select count(*)::integer from charges
  where session_id = checkout_sessions.id and status = 'failed' and decline_code is not null)`;

const STATE = `
        (select json_build_object('id', c.id, 'status', c.status, 'source', c.source, 'tipCents', c.tip_cents, 'remainingCents', c.remaining_cents, 'isUnknown', ${outcomeIsUnknown('c')},
                                  'awaitsPayer', c.status = 'pending' and coalesce(c.action_deadline > now(), false))
           from charges c where c.session_id = checkout_sessions.id and ${isLiveCharge('c')}) as live,
        (select json_build_object('id', c.id, 'source', c.source, 'declineCode', c.decline_code)
           from charges c where c.session_id = checkout_sessions.id and c.status = 'failed' order by c.created_at desc limit 1) as failed,
        (select opened_at from pay_links l where l.session_id = checkout_sessions.id) as "pageOpenedAt",
        ${CALL_STAGE} as "callStage"`;

/** Reads the state of a session; null if it does not exist. */
export type ReadSessionState = (id: CheckoutSessionId) => Promise<SessionState | null>;

/**
 * Sessions that are asked for at the same moment are read in one statement: every 30 seconds a phone process looks at
 * all its calls, and one statement each would fill the pool for a second.
 */
export function createSessionStateReader(sql: Sql): ReadSessionState {
  const states = new DataLoader((ids: readonly CheckoutSessionId[]) => findSessionStates(sql, ids), { cache: false });
  return (id) => states.load(id);
}

async function findSessionStates(sql: Sql, ids: readonly CheckoutSessionId[]): Promise<(SessionState | null)[]> {
  const { rows } = await sql.query<SessionState & { id: CheckoutSessionId }>({
    name: 'find_session_states',
    text: `select id, checkout_sessions.status, ${STATE} from checkout_sessions where id = any($1)`,
    values: [ids],
  });
  const found = new Map(rows.map(({ id, ...state }) => [id, state]));
  return ids.map((id) => found.get(id) ?? null);
}

/** The state before a call is answered: everything that can spare the caller from entering a card in vain. */
export interface StateBeforeCall extends SessionState {
  /** The charge that pays for the session's order, in whichever session; null also if the order can be paid again. */
  orderCharge: ChargeOfOrder | null;
  /** The number of declined charges. */
  declines: number;
  /** The session had an answered call that has ended. */
  hadCall: boolean;
  /** A carrier has accepted a text with the session's pay link. */
  linkTexted: boolean;
}

/** SQL: a {@link StateBeforeCall} without the status, from a row of `checkout_sessions`. */
export const STATE_BEFORE_CALL = `${STATE},
         ${CHARGE_OF_ORDER} as "orderCharge",
         ${DECLINES} as declines,
         exists (select from calls where session_id = checkout_sessions.id
             and answered_at is not null and ended_at is not null) as "hadCall",
         exists (select from texts where session_id = checkout_sessions.id
             and kind = 'pay_link' and texts.status = 'sent') as "linkTexted"`;
