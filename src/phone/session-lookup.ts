/**
 * Session lookup: finds the checkout session of an INVITE by the transfer token in its Request-URI. From a trusted
 * trunk, finds it by the calling number among the sessions of the dialed number's account and mode, perhaps several of
 * different merchants. Otherwise: 404 no session, or not our number; 403 not a trusted trunk; 410 no longer payable.
 */

import type { Sql } from '../db/pool.ts';
import { findSessionForTransfer, type SessionForCall } from '../db/sessions/sessions.ts';
import { findSessionsForCaller } from '../db/sessions/sessions-for-caller.ts';
import { type CheckoutSessionId, parseId } from '../domain/ids.ts';
import { type Country, type E164, parseNetworkNumber } from '../domain/phone-number.ts';
import { type NumberOwner, ownerOf, type TransferNumbers } from '../domain/transfer-number.ts';
import { MAX_MERCHANTS } from '../flow/limits.ts';
import type { IncomingCall } from './ports.ts';

type CallFacts = Pick<
  IncomingCall,
  'requestUser' | 'sourceAddress' | 'callingNumber' | 'calledNumber' | 'divertedFrom'
>;

/** Sessions of one account and mode, each of a different merchant, newest first. */
export type WaitingSessions = readonly [SessionForCall, ...SessionForCall[]];

export type SessionLookup =
  /** @param by the transfer token, with which a platform transfers the caller, or the number that the caller dialed */
  | { found: SessionForCall; by: 'token' | 'number' }
  /** The caller has to choose. */
  | { choice: WaitingSessions }
  /**
   * @param reason for the log, if the status alone does not tell an operator why
   * @param dialed our number; the caller comes from a trusted trunk and has no waiting session
   */
  | { status: 403 | 404 | 410; reason?: string; dialed?: NumberOwner };

/** The rules that find the owner of a call to a number. */
export interface NumberRules {
  /** Whether an address is a trunk's (RINGKEY_TRUNKS). */
  isTrunk: (address: string) => boolean;
  transferNumbers: TransferNumbers;
  /** The country whose national format the trunks use (RINGKEY_TRUNK_COUNTRY). Null: they include the country code. */
  trunkCountry: Country | null;
}

const TOKEN = /^[\w~.-]{16,128}$/;
const NUMBER = /^\+?\d{3,15}$/;

/** @throws if the database cannot be reached */
export async function lookUpSession(sql: Sql, rules: NumberRules, call: CallFacts): Promise<SessionLookup> {
  const transfer = parseTransferUser(call.requestUser);
  if (transfer !== null) return payableSession(await findSessionForTransfer(sql, transfer.id, transfer.token), 'token');
  if (!rules.isTrunk(call.sourceAddress)) {
    return NUMBER.test(call.requestUser) ? { status: 403, reason: 'not_a_trunk' } : { status: 404 };
  }
  if (![call.requestUser, call.calledNumber ?? ''].some((user) => NUMBER.test(user))) return { status: 404 };
  const owner = ownerOfDialled(rules, call);
  if (owner === null) return { status: 404, reason: 'number_not_ours' };
  const callingNumber = e164(call.callingNumber, rules);
  if (callingNumber === null) return { status: 404, reason: 'no_calling_number', dialed: owner };
  const dialledNumbers = [call.calledNumber, call.requestUser, ...call.divertedFrom].flatMap(
    (n) => e164(n, rules) ?? [],
  );
  const [newest, ...others] = await findSessionsForCaller(sql, owner, { callingNumber, dialledNumbers }, MAX_MERCHANTS);
  if (newest === undefined) return { status: 404, dialed: owner };
  return others.length > 0 ? { choice: [newest, ...others] } : { found: newest, by: 'number' };
}

/** The Request-URI has the dialed number. If a trunk puts an extension or a name there, To has it. */
function ownerOfDialled(rules: NumberRules, { requestUser, calledNumber }: CallFacts): NumberOwner | null {
  for (const text of [requestUser, calledNumber]) {
    const number = e164(text, rules);
    const owner = number === null ? null : ownerOf(rules.transferNumbers, number);
    if (owner !== null) return owner;
  }
  return null;
}

/** `<checkout_session_id>-<token>`. Ids contain no `-`. */
function parseTransferUser(user: string): { id: CheckoutSessionId; token: string } | null {
  const dash = user.indexOf('-');
  const id = parseId('CheckoutSession', user.slice(0, Math.max(dash, 0)));
  const token = user.slice(dash + 1);
  return id !== null && TOKEN.test(token) ? { id, token } : null;
}

/** Whether a call names its session by a transfer token. */
export const isByToken = ({ requestUser }: Pick<IncomingCall, 'requestUser'>) =>
  parseTransferUser(requestUser) !== null;

/** Parses a number as a trunk writes it. */
export function e164(number: string | null, { trunkCountry }: Pick<NumberRules, 'trunkCountry'>): E164 | null {
  return number === null ? null : parseNetworkNumber(number, trunkCountry);
}

function payableSession(found: SessionForCall | null, by: 'token'): SessionLookup {
  if (found === null) return { status: 404 };
  return found.session.status === 'open' && !found.isOver ? { found, by } : { status: 410 };
}
