/** Checks of an incoming request before it is dispatched (RFC 3261 8.2, 18.3). */
import { cseqOf, headerList, headerValue } from './message.ts';
import type { SipRequest } from './types.ts';
import { parseSipUri, parseVia } from './uri.ts';

const MANDATORY = ['From', 'To', 'Call-ID', 'CSeq'];

/** The methods of RFC 3261 and of the extensions that are useful here; other methods are answered 501. */
export const KNOWN_METHODS = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'OPTIONS',
  'REGISTER',
  'INFO',
  'REFER',
  'NOTIFY',
  'SUBSCRIBE',
  'UPDATE',
  'MESSAGE',
  'PRACK',
  'PUBLISH',
];

/** Whether the request has a usable Via, without which it cannot be answered. */
export function isAnswerable(request: SipRequest): boolean {
  return hasVia(request) && request.method !== 'ACK';
}

function hasVia(request: SipRequest): boolean {
  return parseVia(headerList(request, 'Via')[0] ?? '') !== undefined;
}

/** The reason phrase of a 400 if the request is malformed, otherwise undefined. */
export function requestProblem(request: SipRequest): string | undefined {
  if (!hasVia(request)) return 'Missing Via';
  for (const name of MANDATORY) {
    if (headerValue(request, name) === undefined) return `Missing ${name}`;
  }
  const cseq = cseqOf(request);
  if (!cseq) return 'Malformed CSeq';
  if (cseq.method !== request.method) return 'CSeq Method Does Not Match';
  if (!/^\S{1,512}$/.test(headerValue(request, 'Call-ID') ?? '')) return 'Malformed Call-ID';
  if (/^sips?:/i.test(request.uri) && !parseSipUri(request.uri)) return 'Malformed Request-URI';
  return undefined;
}

/** The status that refuses a well-formed request for reasons other than the application's, or undefined. */
export function refusal(request: SipRequest, allow: readonly string[]): number | undefined {
  if (!KNOWN_METHODS.includes(request.method)) return 501;
  if (!allow.includes(request.method)) return 405;
  // OPTIONS with Max-Forwards 0 is answered here (RFC 3261 16.3).
  if (Number(headerValue(request, 'Max-Forwards')) === 0 && request.method !== 'OPTIONS') return 483;
  return undefined;
}
