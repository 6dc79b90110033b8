/** Reads what an INVITE's headers claim of its attestation (STIR/SHAKEN). Pure; the input is untrusted. */
import type { AttestationClaims } from '../../domain/invite-attestation.ts';
import type { ServerRequest } from './library.ts';

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
