/**
 * Checks Identity headers (RFC 8224): a PASSporT (RFC 8225) of the kind `shaken` (RFC 8588), signed with ES256 by a
 * certificate that chains to our roots, at most a minute old, for this caller and the dialed number. `Failed`: signed,
 * but with another key or for another caller's number. If a check is impossible, the result is a note.
 */
import type { X509Certificate } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import { z } from 'zod';
import type { E164 } from '../../domain/phone-number.ts';
import { ATTESTATIONS, type AttestationAnswer, type AttestationNote } from '../../domain/screening.ts';
import type { CertificateSource } from './certificate-cache.ts';
import { trustedLeaf } from './certificates.ts';

interface IdentityDeps {
  roots: readonly X509Certificate[];
  certificates: CertificateSource;
  now?: () => Date;
}

interface IdentifiedCall {
  callingNumber: E164;
  /** The dialed number, as in Request-URI and To. */
  dialed: readonly E164[];
  /** The time of the INVITE: the caller may have chosen a merchant since. */
  receivedAt: Date;
}

/** RFC 8224, 6.2.2; ATIS-1000074 has a minute. */
const FRESH_SECONDS = 60;

const Header = z.object({
  alg: z.literal('ES256'),
  ppt: z.literal('shaken'),
  typ: z.literal('passport'),
  x5u: z.string(),
  /** JWS extensions are not supported. */
  crit: z.never().optional(),
});
const Shaken = z.object({
  attest: z.enum(['A', 'B', 'C']),
  orig: z.object({ tn: z.string() }),
  dest: z.object({ tn: z.array(z.string()).max(100).optional() }),
  iat: z.int(),
});
type Shaken = z.infer<typeof Shaken>;

const noted = (note: AttestationNote): AttestationAnswer => ({ attestation: null, note });

/** @returns the worst result of several PASSporTs. Never throws */
export async function checkIdentities(
  deps: IdentityDeps,
  identities: readonly string[],
  call: IdentifiedCall,
): Promise<AttestationAnswer> {
  const tokens = identities.map((text) => text.split(';', 1)[0]?.trim() ?? '');
  const isForwarded = tokens.some((token) => kindOf(token) === 'div');
  const signed = tokens.filter((token) => kindOf(token) !== 'div');
  const answers = await Promise.all(
    signed.map((token) => checkShaken(deps, token, call, isForwarded).catch(() => noted('identity_unreadable'))),
  );
  const worstFirst = answers.toSorted((one, other) => rankOf(other) - rankOf(one));
  return worstFirst[0] ?? noted('identity_unreadable');
}

const rankOf = ({ attestation }: AttestationAnswer) => (attestation === null ? -1 : ATTESTATIONS.indexOf(attestation));

/** Its `ppt`; null if unreadable, as in the compact form, which lacks what `shaken` needs (RFC 8588, 4). */
function kindOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).ppt ?? null;
  } catch {
    return null;
  }
}

/** @throws if it cannot be read */
async function checkShaken(
  { roots, certificates, now = () => new Date() }: IdentityDeps,
  token: string,
  call: IdentifiedCall,
  isForwarded: boolean,
): Promise<AttestationAnswer> {
  const { x5u } = Header.parse(decodeProtectedHeader(token));
  const claims = Shaken.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
  const seconds = call.receivedAt.getTime() / 1_000;
  // Before the certificate is fetched: an old one is sent again for nothing.
  if (Math.abs(seconds - claims.iat) > FRESH_SECONDS) return noted('identity_expired');
  const chain = await certificates(x5u);
  if (chain === null) return noted('identity_certificate_unavailable');
  const leaf = trustedLeaf(chain, roots, now());
  if (leaf === null) return noted('identity_certificate_untrusted');
  if (!(await isSignedBy(token, leaf))) return { attestation: 'Failed' };
  return attestationOf(claims, call, isForwarded);
}

/** @throws errors that do not concern the signature */
async function isSignedBy(token: string, leaf: X509Certificate): Promise<boolean> {
  try {
    await compactVerify(token, leaf.publicKey, { algorithms: ['ES256'] });
    return true;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return false;
    throw error;
  }
}

function attestationOf({ attest, orig, dest }: Shaken, call: IdentifiedCall, isForwarded: boolean): AttestationAnswer {
  if (digitsOf(orig.tn) !== digitsOf(call.callingNumber)) return { attestation: 'Failed' };
  const dialed = call.dialed.map(digitsOf);
  if (dest.tn?.some((number) => dialed.includes(digitsOf(number)))) return { attestation: attest };
  return noted(isForwarded ? 'identity_forwarded' : 'identity_other_destination');
}

/** RFC 8225, 5.2.1: numbers are written without `+` and separators. */
const digitsOf = (number: string) => number.replace(/\D/g, '');
