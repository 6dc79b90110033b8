/** The SIP of a return to the agent: the REFER and the INVITE that carry the outcome. Pure. */
import { MAX_HEADER_LINE_BYTES, type OutcomeFacts, outcomeHeaders } from '../domain/outcome.ts';
import { parseReturnTo } from '../domain/return-target.ts';

export interface ReturnRoute {
  /** For the REFER: the URI inside Refer-To, with the outcome as URI headers, and the headers of the REFER itself. */
  refer: { uri: string; headers: Record<string, string> };
  /** For the INVITE of a bridge; null when there is no trunk for a number. */
  dial: { uri: string; headers: Record<string, string> } | null;
}

export interface RouteOptions {
  /** Of the account. */
  signingSecret: string;
  /** Host, port and parameters of the trunk that takes numbers. */
  trunkTarget: string | null;
  at: Date;
}

/** The ways to `returnTo`; null when a call can't go there (a web address, or not readable). */
export function returnRoute(returnTo: string, facts: OutcomeFacts, options: RouteOptions): ReturnRoute | null {
  const address = returnAddress(returnTo, options.trunkTarget);
  if (address === null) return null;
  const headers = outcomeHeaders(facts, options.signingSecret, options.at);
  return {
    refer: { uri: referUri(address, facts, options), headers },
    dial: address.dialable ? { uri: address.uri, headers: { ...address.headers, ...headers } } : null,
  };
}

interface Address {
  /** Without URI headers. */
  uri: string;
  /** The integrator's own `X-` headers, from the headers part of the URI; unescaped, safe in a header. */
  headers: Record<string, string>;
  /** Whether an INVITE can be sent there and the URI may carry headers; neither with a tel URI (RFC 3966). */
  dialable: boolean;
}

function returnAddress(returnTo: string, trunkTarget: string | null): Address | null {
  const target = parseReturnTo(returnTo);
  if (target === null || target.kind === 'web') return null;
  if (target.kind === 'sip') return { ...splitSipUri(target.uri), dialable: true };
  if (trunkTarget === null) return { uri: `tel:${target.number}`, headers: {}, dialable: false };
  return { uri: `sip:${target.number}@${trunkTarget}`, headers: {}, dialable: true };
}

const HEADER_NAME = /^X-[A-Za-z0-9-]{1,64}$/i;
const VISIBLE = /^[\x20-\x7e]{0,900}$/;

/**
 * Removes the URI headers and the `method` parameter from a SIP URI. Neither belongs in a Request-URI (RFC 3261, 19.1.1), and
 * in a Refer-To they would choose the request that the caller's side sends.
 */
function splitSipUri(uri: string): { uri: string; headers: Record<string, string> } {
  // A `?` in the user part is not the start of the headers.
  const afterUser = uri.indexOf('@') + 1;
  const question = uri.indexOf('?', afterUser);
  const address = question === -1 ? uri : uri.slice(0, question);
  const host = address.slice(afterUser).replace(/;method=[^;]*/gi, '');
  const query = question === -1 ? '' : uri.slice(question + 1);
  return { uri: address.slice(0, afterUser) + host, headers: customHeaders(query) };
}

/** The integrator's `X-` headers, without any that could be mistaken for ours. */
function customHeaders(query: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0));
    const value = percentDecoded(part.slice(equals + 1));
    if (!HEADER_NAME.test(name) || /^x-ringkey-/i.test(name) || value === null || !VISIBLE.test(value)) continue;
    headers[name] = value;
  }
  return headers;
}

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded UTF-8: dropped.
    return null;
  }
}

/**
 * The URI for Refer-To. When the header line would be too long it carries less, and its signature covers what it carries: first
 * User-to-User is left out (it repeats the rest), then the integrator's headers and ids. The REFER itself still has them all.
 */
function referUri(address: Address, facts: OutcomeFacts, { signingSecret, at }: RouteOptions): string {
  if (!address.dialable) return address.uri;
  const full = outcomeHeaders(facts, signingSecret, at);
  const { 'User-to-User': _repeated, ...plain } = full;
  const less = outcomeHeaders({ ...facts, platformCallId: null }, signingSecret, at);
  const { 'User-to-User': _again, ...least } = outcomeHeaders(
    { ...facts, platformCallId: null, orderId: null },
    signingSecret,
    at,
  );
  const candidates = [{ ...address.headers, ...full }, { ...address.headers, ...plain }, plain, less, least];
  const uris = candidates.map((headers) => withHeaders(address.uri, headers));
  return uris.find((uri) => 'Refer-To: <>'.length + uri.length <= MAX_HEADER_LINE_BYTES) ?? address.uri;
}

/** RFC 3261, 19.1.1: every character outside the unreserved ones is escaped. */
function withHeaders(uri: string, headers: Record<string, string>): string {
  const pairs = Object.entries(headers).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${uri}?${pairs.join('&')}`;
}
