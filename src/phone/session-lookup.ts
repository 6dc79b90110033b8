/**
 * Session lookup: the checkout session of an INVITE, by the transfer token in its Request-URI or, from a trusted trunk, by the
 * calling number. Without one: 404 no session, 403 not a trusted trunk, 410 no longer payable.
 */
import { type CheckoutSessionId, parseId } from '../domain/ids.ts';
import { parseE164 } from '../domain/phone-number.ts';
import type { Sql } from '../db/pool.ts';
import { findSessionForCaller, findSessionForTransfer, type SessionForCall } from '../db/sessions/sessions.ts';
import type { IncomingCall } from './ports.ts';

type CallFacts = Pick<IncomingCall, 'requestUser' | 'sourceAddress' | 'callingNumber' | 'calledNumber'>;

export type SessionLookup = { found: SessionForCall } | { status: 403 | 404 | 410 };

const TOKEN = /^[\w~.-]{16,128}$/;
const NUMBER = /^\+?\d{3,15}$/;

/** @throws when the database can't be reached */
export async function lookUpSession(
  sql: Sql,
  trusted: (address: string) => boolean,
  call: CallFacts,
): Promise<SessionLookup> {
  const transfer = parseTransferUser(call.requestUser);
  if (transfer !== null) return payableSession(await findSessionForTransfer(sql, transfer.id, transfer.token));
  if (!NUMBER.test(call.requestUser)) return { status: 404 };
  if (!trusted(call.sourceAddress)) return { status: 403 };
  const callingNumber = e164(call.callingNumber);
  if (callingNumber === null) return { status: 404 };
  return payableSession(await findSessionForCaller(sql, { callingNumber, calledNumber: e164(call.calledNumber) }));
}

/** `<checkout_session_id>-<token>`. Ids contain no `-`. */
function parseTransferUser(user: string): { id: CheckoutSessionId; token: string } | null {
  const dash = user.indexOf('-');
  const id = parseId('CheckoutSession', user.slice(0, Math.max(dash, 0)));
  const token = user.slice(dash + 1);
  return id !== null && TOKEN.test(token) ? { id, token } : null;
}

/** Trunks write numbers with their country code, with or without `+`. */
function e164(number: string | null): string | null {
  if (number === null) return null;
  return parseE164(number) ?? parseE164(`+${number}`);
}

function payableSession(found: SessionForCall | null): SessionLookup {
  if (found === null) return { status: 404 };
  const { status, expiresAt } = found.session;
  return status === 'open' && expiresAt.getTime() > Date.now() ? { found } : { status: 410 };
}
