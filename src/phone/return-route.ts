/** The SIP of a return to the agent: the REFER and the INVITE with the outcome. Pure. */
import { type OutcomeFacts, outcomeHeaders, referToUri } from '../domain/outcome.ts';
import { parseReturnTo } from '../domain/return-target.ts';
import type { SipCredentials } from '../domain/sip-credentials.ts';

export interface ReturnRoute {
  /** For the REFER: the URI in Refer-To, with the outcome as URI headers, and the headers of the REFER itself. */
  refer: { uri: string; headers: Record<string, string> };
  /** For the INVITE of a bridge. Null if we cannot place the call. */
  dial: ReturnDial | null;
}

export interface ReturnDial {
  uri: string;
  headers: Record<string, string>;
  /** The checked addresses, in the order to try them. Empty: the operator's trunk. */
  nextHops: readonly string[];
  /** For a 401 or 407. */
  credentials: SipCredentials | null;
}

interface RouteOptions {
  /** The account's signing secret. Null: it cannot be decrypted, and nothing is signed. */
  signingSecret: string | null;
  /** Host, port and parameters of the trunk for phone numbers. */
  trunkTarget: string | null;
  trunkCredentials: SipCredentials | null;
  /** The credentials for the host of a SIP URI, for calls of this account. */
  hostCredentials: (host: string) => SipCredentials | null;
  /** For a SIP URI, the addresses of its host. Empty: its name does not resolve here. */
  nextHops: readonly string[];
  at: Date;
}

/** The routes to `returnTo`. Null if no call can go there: it is a web address, or malformed. */
export function returnRoute(returnTo: string, facts: OutcomeFacts, options: RouteOptions): ReturnRoute | null {
  const target = parseReturnTo(returnTo);
  if (target === null || target.kind === 'web') return null;
  const { signingSecret: secret } = options;
  const headers = outcomeHeaders(facts, secret, options.at);
  if (target.kind === 'number') {
    const { trunkTarget, trunkCredentials: credentials } = options;
    const uri = `sip:${target.number}@${trunkTarget}`;
    // The caller's side has its own route to a number, and a tel URI has no headers (RFC 3966).
    return {
      refer: { uri: `tel:${target.number}`, headers },
      dial: trunkTarget === null ? null : { uri, headers, nextHops: [], credentials },
    };
  }
  const address = splitSipUri(target.uri);
  const { nextHops } = options;
  const credentials = options.hostCredentials(target.host);
  const dialHeaders = { ...address.headers, ...headers };
  return {
    refer: { uri: referToUri(address.uri, facts, { ownHeaders: address.headers, secret, at: options.at }), headers },
    dial: nextHops.length === 0 ? null : { uri: address.uri, headers: dialHeaders, nextHops, credentials },
  };
}

interface SipAddress {
  /** Without URI headers. */
  uri: string;
  /** The integrator's own `X-` headers, from the headers part of the URI: unescaped, and safe in a header. */
  headers: Record<string, string>;
}

const HEADER_NAME = /^X-[A-Za-z0-9-]{1,64}$/i;
/** Headers with a meaning for a server: FreeSWITCH (mod_sofia), drachtio-fsmrf, and the outcome. */
const RESERVED_NAME = /^X-(?:Ringkey-|esl-|FS-|Auth-(?:IP|Port)$|Secure-RTP$)/i;
const VISIBLE = /^[\x20-\x7e]{0,900}$/;

/**
 * Removes the URI headers and the `method` parameter from a SIP URI. Neither belongs in a Request-URI (RFC 3261,
 * 19.1.1). In a Refer-To, they would choose the request that the caller's side sends.
 */
function splitSipUri(uri: string): SipAddress {
  // A `?` in the user part is not the start of the headers.
  const afterUser = uri.indexOf('@') + 1;
  const question = uri.indexOf('?', afterUser);
  const address = question === -1 ? uri : uri.slice(0, question);
  const host = address.slice(afterUser).replace(/;method=[^;]*/gi, '');
  const query = question === -1 ? '' : uri.slice(question + 1);
  return { uri: address.slice(0, afterUser) + host, headers: customHeaders(query) };
}

/** The integrator's own `X-` headers, without those that have a meaning for a server. */
function customHeaders(query: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0));
    const value = percentDecoded(part.slice(equals + 1));
    if (!HEADER_NAME.test(name) || RESERVED_NAME.test(name) || value === null || !VISIBLE.test(value)) continue;
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
