/** What makes an incoming request unanswerable or wrong before anyone looks at it (RFC 3261 8.2, 18.3). */
import { cseqOf, headerList, headerValue } from './message.ts';
import type { SipRequest } from './types.ts';
import { parseSipUri, parseVia } from './uri.ts';

const MANDATORY = ['From', 'To', 'Call-ID', 'CSeq'];

/** RFC 3261 and the extensions that make sense here; anything else is answered 501. */
export const KNOWN_METHODS = [
  ...['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'REGISTER', 'INFO', 'REFER', 'NOTIFY', 'SUBSCRIBE', 'UPDATE'],
  ...['MESSAGE', 'PRACK', 'PUBLISH'],
];

/** Without a usable Via nothing can be sent back. */
export function isAnswerable(request: SipRequest): boolean {
  return hasVia(request) && request.method !== 'ACK';
}

function hasVia(request: SipRequest): boolean {
  return parseVia(headerList(request, 'Via')[0] ?? '') !== undefined;
}

/** The reason phrase of the 400 that refuses it, or undefined. */
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

/** Status that refuses a well-formed request of ours to answer, whoever the application is. */
export function refusal(request: SipRequest, allow: readonly string[]): number | undefined {
  if (!KNOWN_METHODS.includes(request.method)) return 501;
  if (!allow.includes(request.method)) return 405;
  // RFC 3261 16.3: OPTIONS with 0 is for us to answer.
  if (Number(headerValue(request, 'Max-Forwards')) === 0 && request.method !== 'OPTIONS') return 483;
  return undefined;
}
