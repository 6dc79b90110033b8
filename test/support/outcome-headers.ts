/** Reads and verifies the outcome headers of a returned call, as an integrator does. */
import { SignatureVerificationError, verifySipHeaders } from '../../src/clients/node/src/index.ts';
import { type HeaderLines, SIGNATURE_HEADER, SIGNED_HEADERS, USER_TO_USER_NAMES } from '../../src/domain/outcome.ts';

/** The `X-Ringkey-` headers in a `User-to-User` value; null if there are none. */
export function readUserToUser(value: string): HeaderLines | null {
  const hex = /^\s*((?:[0-9a-f]{2})+)\s*;.*\bencoding=hex\b/i.exec(value)?.[1];
  if (hex === undefined) return null;
  const pairs = new Map<string, string>();
  for (const pair of Buffer.from(hex, 'hex').toString('ascii').split('&')) {
    const at = pair.indexOf('=');
    if (at > 0) pairs.set(pair.slice(0, at), pair.slice(at + 1));
  }
  const headers: HeaderLines = {};
  for (const [name, short] of Object.entries(USER_TO_USER_NAMES)) {
    const fact = pairs.get(short);
    if (fact !== undefined) headers[name] = fact;
  }
  headers[SIGNATURE_HEADER] = `t=${pairs.get('t') ?? ''},v1=${pairs.get('v1') ?? ''}`;
  return headers[SIGNED_HEADERS[0]] === undefined ? null : headers;
}

/**
 * Whether the headers were signed with this account's secret within five minutes of `now`: as the client library says,
 * so that every call of the tests shows that it is right.
 * @param headers names in any case
 */
export function verifyOutcomeHeaders(headers: HeaderLines, secret: string, now: Date): boolean {
  try {
    verifySipHeaders({ headers, secret, now });
    return true;
  } catch (error) {
    if (error instanceof SignatureVerificationError) return false;
    throw error;
  }
}
