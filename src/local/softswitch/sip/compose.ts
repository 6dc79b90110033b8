/** Builds requests and responses: adds the stack's headers, in the order of real stacks (RFC 3261 8.1.1, 8.2.6). */
import { randomBytes } from 'node:crypto';
import { canonicalName, headerList, headerValue, toHeaders } from './message.ts';
import { REASONS } from './reasons.ts';
import type { HeaderBag, ResponseOptions, SipHeader, SipRequest, SipResponse } from './types.ts';
import { tagOf } from './uri.ts';

/** Headers that the stack always writes itself, instead of the application's. */
const STACK_HEADERS = new Set([
  'via',
  'from',
  'to',
  'call-id',
  'cseq',
  'max-forwards',
  'content-length',
  'contact',
  'route',
]);
const RESPONSE_STACK_HEADERS = new Set(['via', 'from', 'to', 'call-id', 'cseq', 'record-route', 'content-length']);
/** The prefix of every branch (RFC 3261 8.1.1.7). */
export const BRANCH_COOKIE = 'z9hG4bK';

/** Hexadecimal token for tags, branches and Call-IDs. @param bytes of randomness */
export function randomToken(bytes = 10): string {
  return randomBytes(bytes).toString('hex');
}

/** A new branch, unique to one transaction (RFC 3261 8.1.1.7). */
export function newBranch(): string {
  return `${BRANCH_COOKIE}${randomToken()}`;
}

/** The values of the headers that the stack writes. `routes` is in order. */
interface RequestParts {
  method: string;
  uri: string;
  via: string;
  from: string;
  to: string;
  callId: string;
  cseq: number;
  maxForwards: string;
  contact: string | undefined;
  routes: readonly string[];
  headers: HeaderBag | undefined;
  body: string | undefined;
}

/** Composes a request. Headers that the stack writes itself are dropped from `headers`; Content-Length is computed. */
export function composeRequest(parts: RequestParts): SipRequest {
  const given = toHeaders(parts.headers).filter(({ name }) => !STACK_HEADERS.has(name.toLowerCase()));
  const headers: SipHeader[] = [
    { name: 'Via', value: parts.via },
    ...parts.routes.map((value) => ({ name: 'Route', value })),
    { name: 'Max-Forwards', value: parts.maxForwards },
    { name: 'From', value: parts.from },
    { name: 'To', value: parts.to },
    { name: 'Call-ID', value: parts.callId },
    { name: 'CSeq', value: `${parts.cseq} ${parts.method}` },
    ...(parts.contact === undefined ? [] : [{ name: 'Contact', value: parts.contact }]),
    ...given,
  ];
  const body = parts.body ?? '';
  const request = { method: parts.method, uri: parts.uri, headers, body };
  addContentHeaders(request);
  return request;
}

/** An application may omit the type of a session description (drachtio-srf does). */
function addContentHeaders(message: SipRequest | SipResponse): void {
  if (message.body.startsWith('v=0') && headerValue(message, 'Content-Type') === undefined) {
    message.headers.push({ name: 'Content-Type', value: 'application/sdp' });
  }
  message.headers.push({ name: 'Content-Length', value: String(Buffer.byteLength(message.body)) });
}

/** The first value of a header given by the application, in any spelling. */
export function fromBag(bag: HeaderBag | undefined, name: string): string | undefined {
  return bagList(bag, name)[0];
}

/** All values of a header given by the application, in any spelling. */
export function bagList(bag: HeaderBag | undefined, name: string): string[] {
  const wanted = canonicalName(name).toLowerCase();
  return toHeaders(bag)
    .filter((header) => header.name.toLowerCase() === wanted)
    .map((header) => header.value);
}

/** ACK for a 300–699, part of the INVITE transaction (RFC 3261 17.1.1.3). */
export function composeFailureAck(invite: SipRequest, response: SipResponse): SipRequest {
  return sameBranch(invite, 'ACK', headerValue(response, 'To'));
}

/** CANCEL (RFC 3261 9.1): same branch, Request-URI, Call-ID, From, To and CSeq number as the request. */
export function composeCancel(invite: SipRequest, bag: HeaderBag | undefined): SipRequest {
  const cancel = sameBranch(invite, 'CANCEL', headerValue(invite, 'To'));
  const given = toHeaders(bag).filter(({ name }) => !STACK_HEADERS.has(name.toLowerCase()));
  cancel.headers.splice(-1, 0, ...given);
  return cancel;
}

function sameBranch(invite: SipRequest, method: string, to: string | undefined): SipRequest {
  const copy = (name: string) => ({ name, value: headerValue(invite, name) ?? '' });
  const cseq = (headerValue(invite, 'CSeq') ?? '1').split(' ')[0];
  const headers = [
    { name: 'Via', value: headerList(invite, 'Via')[0] ?? '' },
    ...headerList(invite, 'Route').map((value) => ({ name: 'Route', value })),
    { name: 'Max-Forwards', value: '70' },
    copy('From'),
    { name: 'To', value: to ?? '' },
    copy('Call-ID'),
    { name: 'CSeq', value: `${cseq} ${method}` },
    { name: 'Content-Length', value: '0' },
  ];
  return { method, uri: invite.uri, headers, body: '' };
}

/** A response to a received request; `toTag` is added unless the To already has a tag. */
export function composeResponse(
  request: SipRequest,
  status: number,
  toTag: string | undefined,
  options: ResponseOptions = {},
  contact?: string,
): SipResponse {
  const to = headerValue(request, 'To') ?? '<sip:unknown@invalid>';
  const given = toHeaders(options.headers).filter(({ name }) => !RESPONSE_STACK_HEADERS.has(name.toLowerCase()));
  const hasContact = given.some(({ name }) => name === 'Contact');
  const recordRoutes = status > 100 && status < 300 ? headerList(request, 'Record-Route') : [];
  const headers: SipHeader[] = [
    ...headerList(request, 'Via').map((value) => ({ name: 'Via', value })),
    ...recordRoutes.map((value) => ({ name: 'Record-Route', value })),
    { name: 'From', value: headerValue(request, 'From') ?? '<sip:unknown@invalid>' },
    { name: 'To', value: toTag === undefined || tagOf(to) !== undefined ? to : `${to};tag=${toTag}` },
    { name: 'Call-ID', value: headerValue(request, 'Call-ID') ?? '' },
    { name: 'CSeq', value: headerValue(request, 'CSeq') ?? '' },
    ...(contact === undefined || hasContact ? [] : [{ name: 'Contact', value: contact }]),
    ...given,
  ];
  const reason = (options.reason ?? REASONS[status] ?? 'Unknown').replace(/[\r\n]+/g, ' ');
  const response: SipResponse = { status, reason, headers, body: options.body ?? '' };
  addContentHeaders(response);
  return response;
}

/** The stack's answer for a peer that sends none: 408 after the timers, 503 if the peer cannot be reached. */
export function localResponse(request: SipRequest, status: number, reason?: string): SipResponse {
  return composeResponse(request, status, randomToken(6), reason === undefined ? {} : { reason });
}
