/** Whose call is it: the session behind an INVITE, or the SIP status that says why there is none (decisions.md). */
import { type CheckoutSessionId, parseId } from '../domain/ids.ts';
import { parseE164 } from '../domain/phone-number.ts';
import type { Sql } from '../db/pool.ts';
import { findSessionForCaller, findSessionForTransfer, type SessionForCall } from '../db/sessions/sessions.ts';
import type { IncomingCall } from './ports.ts';

type Facts = Pick<IncomingCall, 'requestUser' | 'sourceAddress' | 'callingNumber' | 'calledNumber'>;

export type Who = { found: SessionForCall } | { status: 403 | 404 | 410 };

const TOKEN = /^[\w~.-]{16,128}$/;
const NUMBER = /^\+?\d{3,15}$/;

/** @throws what the record throws when it is away */
export async function whoCalls(sql: Sql, trusted: (address: string) => boolean, call: Facts): Promise<Who> {
  const transfer = parseTransferUser(call.requestUser);
  if (transfer !== null) return payable(await findSessionForTransfer(sql, transfer.id, transfer.token));
  if (!NUMBER.test(call.requestUser)) return { status: 404 };
  if (!trusted(call.sourceAddress)) return { status: 403 };
  const callingNumber = e164(call.callingNumber);
  if (callingNumber === null) return { status: 404 };
  return payable(await findSessionForCaller(sql, { callingNumber, calledNumber: e164(call.calledNumber) }));
}

/** `<checkout_session_id>-<token>`; ids hold no `-`. */
function parseTransferUser(user: string): { id: CheckoutSessionId; token: string } | null {
  const dash = user.indexOf('-');
  const id = parseId('CheckoutSession', user.slice(0, Math.max(dash, 0)));
  const token = user.slice(dash + 1);
  return id !== null && TOKEN.test(token) ? { id, token } : null;
}

/** Trunks write national numbers with their country code, with or without `+`. */
function e164(number: string | null): string | null {
  if (number === null) return null;
  return parseE164(number) ?? parseE164(`+${number}`);
}

function payable(found: SessionForCall | null): Who {
  if (found === null) return { status: 404 };
  const { status, expiresAt } = found.session;
  return status === 'open' && expiresAt.getTime() > Date.now() ? { found } : { status: 410 };
}
