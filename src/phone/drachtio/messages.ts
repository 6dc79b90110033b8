/** Reads SIP headers and bodies. The input is untrusted: malformed parts give null. Pure. */
import type { AttestationClaims } from '../../domain/screening.ts';
import type { ServerRequest } from './library.ts';

/** The methods that we accept in a dialog. */
export const ALLOW = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, NOTIFY, UPDATE';

/** For the answer to an OPTIONS (RFC 3261, 11.2). */
export const CAPABILITIES = { Allow: ALLOW, Accept: 'application/sdp', Supported: 'timer' };

/** For a 415 (RFC 3261, 21.4.13). */
export const NO_SDP = { Accept: 'application/sdp' };

/** For a 488. 305: incompatible media format (RFC 3261, 20.43). */
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
 * Display names are skipped, because callers may choose them.
 */
export function urisOf(headerValue: string): string[] {
  const value = headerValue.slice(0, 1_000).replace(/"(?:[^"\\]|\\.)*"/g, '');
  const uris = value.matchAll(/<([^<>\s]+)>|(?:^|,)\s*((?:sips?|tel):[^;,\s<>]+)/gi);
  return [...uris].map(([, inBrackets, bare]) => inBrackets ?? bare ?? '');
}

/** The first URI of a Contact value. Null unless it is a SIP URI, which a dialog needs (RFC 3261, 8.1.1.8). */
export function contactUri(headerValue: string | undefined): string | null {
  const [uri = ''] = urisOf(headerValue ?? '');
  return /^sips?:[^\s]/i.test(uri) ? uri : null;
}

/**
 * User part of the first header that has one. If that header has several URIs (RFC 3325, 9.1: a SIP and a tel URI), the
 * first telephone number among them. Numbers come without separators (RFC 3966, 3). Null also if that header is
 * anonymous: the network withholds the number, and From, which comes last, is only the caller's claim.
 */
export function firstUser(headers: readonly (string | undefined)[]): string | null {
  for (const header of headers) {
    const users = urisOf(header ?? '').flatMap((uri) => userOf(uri) || []);
    const named = users.filter((user) => user.toLowerCase() !== 'anonymous').map(withoutSeparators);
    if (users.length > 0) return named.find((name) => /^\+?\d{3,}$/.test(name)) ?? named[0] ?? null;
  }
  return null;
}

/** Others are skipped, because each one is looked up. */
const MAX_DIVERSIONS = 10;

/** Telephone numbers of Diversion (RFC 5806) and History-Info (RFC 7044) values, in order. */
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

/** The tag of a From or To value. Empty if it has none. */
export function tagOf(headerValue: string | undefined): string {
  return /;\s*tag=([^;\s,]+)/i.exec(headerValue?.slice(-300) ?? '')?.[1] ?? '';
}

/** drachtio-server's id of the dialog of an INVITE. */
export function dialogIdOf(invite: Pick<ServerRequest, 'get'>): string {
  return `${invite.get('Call-ID')};from-tag=${tagOf(invite.get('From'))}`;
}

/** Whether an Allow value lists the method (RFC 3261, 20.5). */
export function allows(allow: string | undefined, method: string): boolean {
  return allow?.split(',').some((item) => item.trim().toUpperCase() === method) ?? false;
}

/** 100rel requires reliable provisional responses (RFC 3262, 3), and we send none. */
const SUPPORTED: ReadonlySet<string> = new Set(['100rel', 'timer']);

/** The extensions in a Require value that we do not support (RFC 3261, 8.2.2.3). Null if there are none. */
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

/** More parts than a call has. Others are skipped. */
const MAX_PARTS = 16;

/**
 * The session description: the body itself, or the first SDP part of a `multipart` body (RFC 5621), as beside the ISUP
 * of a SIP-I call or a PIDF location. `''` without a body; null if the body has another type.
 * @param contentType undefined if unknown, as for a message that the library has stored; then the body decides
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

/** Whether the SDP has SRTP keys for its audio (SDES, RFC 4568). */
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

/** The claims of an INVITE's headers about its attestation (STIR/SHAKEN). */
export function attestationClaimsOf(req: Pick<ServerRequest, 'get'>): AttestationClaims {
  // drachtio-srf joins several headers of one name with commas.
  const itemsOf = (name: string) => req.get(name)?.slice(0, MAX_HEADER_LENGTH).split(',') ?? [];
  return {
    verstats: [...NAMED.flatMap((name) => verstatsOf(req.get(name) ?? '')), ...itemsOf('X-Twilio-VerStat')],
    levels: itemsOf('Attestation-Info'),
    identities: identitiesOf(req.get('Identity') ?? ''),
  };
}

/**
 * The `verstat` parameters of a tel URI, of a SIP URI (in its user part or after the host, as some carriers write it),
 * or of the header. Quoted display names are skipped, because callers choose them.
 */
function verstatsOf(headerValue: string): string[] {
  const value = headerValue.slice(0, MAX_HEADER_LENGTH).replace(/"(?:[^"\\]|\\.)*"/g, '');
  return [...value.matchAll(/;\s*verstat\s*=\s*"?([\w-]+)/gi)].map(([, verstat = '']) => verstat);
}

/**
 * Splits at the commas before a PASSporT: three parts of base64url with dots between them, of which two may be empty.
 * Other commas belong to a header.
 */
function identitiesOf(headerValue: string): string[] {
  const value = headerValue.slice(0, MAX_IDENTITIES * MAX_IDENTITY_LENGTH);
  const each = value.split(/,(?=\s*[\w-]*\.[\w-]*\.[\w-]+\s*(?:[;,]|$))/).map((text) => text.trim());
  return each.filter((text) => text !== '' && text.length <= MAX_IDENTITY_LENGTH).slice(0, MAX_IDENTITIES);
}
