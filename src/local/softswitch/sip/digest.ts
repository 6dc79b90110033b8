/** Digest authentication of our requests (RFC 8760, RFC 7616, RFC 3261 22): MD5 and SHA-256, qop `auth` or none. */
import { createHash, randomBytes } from 'node:crypto';

import type { Credentials, SipHeader, SipRequest, SipResponse } from './types.ts';

const MAX_CHALLENGE_LENGTH = 4_096;
const HASHES: Record<string, string> = { md5: 'md5', 'sha-256': 'sha256' };

interface Challenge {
  realm: string;
  nonce: string;
  algorithm: string;
  opaque?: string;
  qop: boolean;
  stale: boolean;
}

/** The header that answers a 401 or 407; undefined if the challenge is not supported. */
export function answerChallenge(
  response: SipResponse,
  request: SipRequest,
  credentials: Credentials,
): SipHeader | undefined {
  const proxy = response.status === 407;
  const challenge = readChallenge(response, proxy ? 'Proxy-Authenticate' : 'WWW-Authenticate');
  if (!challenge) return undefined;
  const name = proxy ? 'Proxy-Authorization' : 'Authorization';
  return { name, value: authorization(challenge, request, credentials) };
}

/** Whether the server only requires a fresh nonce, so that a second try is allowed (RFC 7616 3.3). */
export function isStale(response: SipResponse): boolean {
  return readChallenge(response, response.status === 407 ? 'Proxy-Authenticate' : 'WWW-Authenticate')?.stale === true;
}

function readChallenge(response: SipResponse, header: string): Challenge | undefined {
  for (const { name, value } of response.headers) {
    if (name.toLowerCase() !== header.toLowerCase()) continue;
    const fields = readFields(value);
    const algorithm = fields.algorithm ?? 'MD5';
    const { realm, nonce, opaque, qop } = fields;
    if (realm === undefined || nonce === undefined || HASHES[algorithm.toLowerCase()] === undefined) continue;
    if (qop !== undefined && !qop.split(',').some((one) => one.trim().toLowerCase() === 'auth')) continue;
    const stale = fields.stale?.toLowerCase() === 'true';
    return { realm, nonce, algorithm, qop: qop !== undefined, stale, ...(opaque === undefined ? {} : { opaque }) };
  }
  return undefined;
}

function readFields(value: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  const scheme = /^Digest\s+/i.exec(value);
  if (!scheme || value.length > MAX_CHALLENGE_LENGTH) return fields;
  for (const match of value.slice(scheme[0].length).matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
    const name = match[1]?.toLowerCase();
    if (name !== undefined) fields[name] = match[2] ?? match[3] ?? '';
  }
  return fields;
}

function authorization(challenge: Challenge, request: SipRequest, { username, password }: Credentials): string {
  const hash = (text: string) =>
    createHash(HASHES[challenge.algorithm.toLowerCase()] ?? 'md5')
      .update(text)
      .digest('hex');
  const { realm, nonce } = challenge;
  const ha1 = hash(`${username}:${realm}:${password}`);
  const ha2 = hash(`${request.method}:${request.uri}`);
  const cnonce = randomBytes(8).toString('hex');
  const response = hash(challenge.qop ? `${ha1}:${nonce}:00000001:${cnonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`);
  const parts = [
    `username="${username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${request.uri}"`,
    `response="${response}"`,
    `algorithm=${challenge.algorithm}`,
    ...(challenge.qop ? ['qop=auth', 'nc=00000001', `cnonce="${cnonce}"`] : []),
    ...(challenge.opaque === undefined ? [] : [`opaque="${challenge.opaque}"`]),
  ];
  return `Digest ${parts.join(', ')}`;
}

/** Replaces an earlier answer to a challenge. */
export function withAuthorization(headers: SipHeader[], answer: SipHeader): SipHeader[] {
  return [...headers.filter(({ name }) => name.toLowerCase() !== answer.name.toLowerCase()), answer];
}
