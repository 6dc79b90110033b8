/** Reads SIP headers and bodies. The input is untrusted: anything that can't be read gives null. Pure. */
import type { AttestationClaims } from '../../domain/invite-attestation.ts';
import type { ServerRequest } from './library.ts';

/** The methods that we take in a dialog. */
export const ALLOW = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, NOTIFY, UPDATE';

/** What an OPTIONS asks for (RFC 3261, 11.2). */
export const CAPABILITIES = { Allow: ALLOW, Accept: 'application/sdp', Supported: 'timer' };

/** With a 415 (RFC 3261, 21.4.13). */
export const NO_SDP = { Accept: 'application/sdp' };

/** With a 488. 305: incompatible media format (RFC 3261, 20.43). */
export const OPEN_KEYS = {
  Warning: '305 ringkey "Keys for the audio must come by SIP over TLS (RINGKEY_SRTP=required)"',
};

/** User part of a SIP URI, or the number of a tel: URI; unescaped, without parameters or password. */
export function userOf(uri: string): string | null {
  const user = /^sips?:([^@\s<>]{1,300})@/i.exec(uri)?.[1] ?? /^tel:([^;\s<>]{1,60})/i.exec(uri)?.[1];
  if (user === undefined) return null;
  return decoded(user.split(/[;:]/, 1)[0] ?? '');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // An unescaped `%`, which RFC 3261, 19.1.2 does not allow.
    return null;
  }
}

/**
 * The URIs of a From, To, P-Asserted-Identity or Remote-Party-ID value: in angle brackets, or bare up to a parameter.
 * Names, which callers may choose, are not read.
 */
export function urisOf(headerValue: string): string[] {
  const value = headerValue.slice(0, 1_000).replace(/"(?:[^"\\]|\\.)*"/g, '');
  const uris = value.matchAll(/<([^<>\s]+)>|(?:^|,)\s*((?:sips?|tel):[^;,\s<>]+)/gi);
  return [...uris].map(([, inBrackets, bare]) => inBrackets ?? bare ?? '');
}

/**
 * User part of the first header that has one; of its several URIs (RFC 3325, 9.1: a SIP and a tel one), that of the
 * first that is a telephone number. Numbers come without separators (RFC 3966, 3). Null also where that header is
 * anonymous: the network withholds the number, and From, which comes last, is what the caller says.
 */
export function firstUser(headers: readonly (string | undefined)[]): string | null {
  for (const header of headers) {
    const users = urisOf(header ?? '').flatMap((uri) => userOf(uri) || []);
    const named = users.filter((user) => user.toLowerCase() !== 'anonymous').map(withoutSeparators);
    if (users.length > 0) return named.find((name) => /^\+?\d{3,}$/.test(name)) ?? named[0] ?? null;
  }
  return null;
}

/** More than these are not read: each is looked up. */
const MAX_DIVERSIONS = 10;

/** Telephone numbers of Diversion (RFC 5806) and History-Info (RFC 7044) values, in their order. */
export function divertedFrom(headers: readonly (string | undefined)[]): string[] {
  const users = headers.flatMap((header) => urisOf(header ?? '')).flatMap((uri) => userOf(uri) ?? []);
  return users
    .map(withoutSeparators)
    .filter((user) => /^\+?\d{3,15}$/.test(user))
    .slice(0, MAX_DIVERSIONS);
}

function withoutSeparators(user: string): string {
  return /^\+?[\d().-]+$/.test(user) ? user.replace(/[().-]/g, '') : user;
}

/** The tag of a From or To value; empty when it has none. */
export function tagOf(headerValue: string | undefined): string {
  return /;\s*tag=([^;\s,]+)/i.exec(headerValue?.slice(-300) ?? '')?.[1] ?? '';
}

/** Whether an Allow value lists the method (RFC 3261, 20.5). */
export function allows(allow: string | undefined, method: string): boolean {
  return allow?.split(',').some((item) => item.trim().toUpperCase() === method) ?? false;
}

/** 100rel asks for reliable provisional responses (RFC 3262, 3), and we send none that would need it. */
const SUPPORTED: ReadonlySet<string> = new Set(['100rel', 'timer']);

/** The extensions in a Require value that we don't support (RFC 3261, 8.2.2.3); null when there are none. */
export function unsupported(require: string | undefined): string | null {
  const wanted = require?.split(',').map((item) => item.trim()) ?? [];
  const missing = wanted.filter((item) => /^[\w.-]+$/.test(item) && !SUPPORTED.has(item.toLowerCase()));
  return missing.length === 0 ? null : missing.join(', ');
}

/** The status in a message/sipfrag body (RFC 3420), the body of a REFER's NOTIFY (RFC 3515, 2.4.5). */
export function sipfragStatus(body: string): number | null {
  const status = /^\s*SIP\/2\.0[ \t]+([1-6]\d\d)\b/i.exec(body)?.[1];
  return status === undefined ? null : Number(status);
}

/** Whether a Subscription-State value says that this was the last NOTIFY (RFC 6665, 4.1.3). */
export function isTerminated(subscriptionState: string | undefined): boolean {
  return /^\s*terminated\b/i.test(subscriptionState ?? '');
}

/** The key of a SIP INFO: `application/dtmf-relay` (Signal=5, Duration=160) or `application/dtmf` (5). */
export function infoKey(contentType: string | undefined, body: string): string | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  const relay = type === 'application/dtmf-relay' ? /^\s*Signal\s*=\s*(\d{1,2}|[*#])\s*$/im.exec(body)?.[1] : undefined;
  const signal = type === 'application/dtmf' ? /^\s*(?:Signal\s*=\s*)?(\d{1,2}|[*#])\s*$/im.exec(body)?.[1] : relay;
  // Some senders number the keys as RFC 4733 does: 10 is `*`, 11 is `#`.
  if (signal === '10') return '*';
  if (signal === '11') return '#';
  return signal?.length === 1 ? signal : null;
}

/** More parts than a call has are not looked at. */
const MAX_PARTS = 16;

/**
 * The session description: the body itself, or of a `multipart` body (RFC 5621) the first part that is one, as beside
 * the ISUP of a SIP-I call or a PIDF location. `''` without a body; null when the body has another type.
 * @param contentType undefined: not known, as of a message that the library has put away; then the body itself tells
 */
export function sdpOf(body: string | undefined, contentType: string | undefined): string | null {
  if (body === undefined || body === '') return '';
  const type = contentType === undefined ? guessedType(body) : contentType;
  if (/^\s*application\/sdp\s*(?:;|$)/i.test(type)) return body;
  const boundary = /^\s*multipart\/[\w.+-]+\s*;.*?boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/is.exec(type);
  if (boundary === null) return null;
  const parts = body.split(`--${boundary[1] ?? boundary[2]}`).slice(1, 1 + MAX_PARTS);
  return parts.map(sdpOfPart).find((sdp) => sdp !== null) ?? null;
}

/** Headers, an empty line, the content, and the line break that belongs to the next boundary (RFC 2046, 5.1.1). */
function sdpOfPart(part: string): string | null {
  const { head, content } = /^[ \t]*\r?\n(?<head>.*?)\r?\n\r?\n(?<content>.*)$/s.exec(part)?.groups ?? {};
  return /^Content-Type\s*:\s*application\/sdp\s*(?:;|$)/im.test(head ?? '') ? (content ?? '') : null;
}

/** Whether it brings keys for the audio (SDES, RFC 4568). */
export function hasAudioKeys(sdp: string): boolean {
  return /^a=crypto:/m.test(sdp);
}

function guessedType(body: string): string {
  const boundary = /^--(\S{1,70})[ \t]*\r?\n/.exec(body)?.[1];
  return boundary === undefined ? 'application/sdp' : `multipart/mixed;boundary="${boundary}"`;
}

const NAMED = ['P-Asserted-Identity', 'From'];
const MAX_HEADER_LENGTH = 2_000;
const MAX_IDENTITY_LENGTH = 8_000;
const MAX_IDENTITIES = 4;

export function attestationClaimsOf(req: Pick<ServerRequest, 'get'>): AttestationClaims {
  // Of several headers of a name drachtio-srf makes one, with commas.
  const itemsOf = (name: string) => req.get(name)?.slice(0, MAX_HEADER_LENGTH).split(',') ?? [];
  return {
    verstats: [...NAMED.flatMap((name) => verstatsOf(req.get(name) ?? '')), ...itemsOf('X-Twilio-VerStat')],
    levels: itemsOf('Attestation-Info'),
    identities: identitiesOf(req.get('Identity') ?? ''),
  };
}

/**
 * Of a tel URI, a SIP URI (in its user part, or behind the host, as some carriers write it), or the header. Names in
 * quotes are callers' to choose, and not read.
 */
function verstatsOf(headerValue: string): string[] {
  const value = headerValue.slice(0, MAX_HEADER_LENGTH).replace(/"(?:[^"\\]|\\.)*"/g, '');
  return [...value.matchAll(/;\s*verstat\s*=\s*"?([\w-]+)/gi)].map(([, verstat = '']) => verstat);
}

/**
 * The headers' own commas stand before the next PASSporT: three parts of base64url with dots between, of which two may
 * be empty.
 */
function identitiesOf(headerValue: string): string[] {
  const value = headerValue.slice(0, MAX_IDENTITIES * MAX_IDENTITY_LENGTH);
  const each = value.split(/,(?=\s*[\w-]*\.[\w-]*\.[\w-]+\s*(?:[;,]|$))/).map((text) => text.trim());
  return each.filter((text) => text !== '' && text.length <= MAX_IDENTITY_LENGTH).slice(0, MAX_IDENTITIES);
}
