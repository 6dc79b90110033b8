/**
 * Certificates that sign calls (RFC 8226): read from PEM, and trusted if they chain to a configured root. Revocation is
 * not checked. The profile is ATIS-1000080.
 */
import { X509Certificate } from 'node:crypto';

const PEM = /-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----/g;
/** Maximum length of a chain: the leaf and the intermediates. */
const MAX_CHAIN = 6;
/** DER of the OID 1.3.6.1.5.5.7.1.26 (RFC 8226, 9): the numbers that the holder can sign for. */
const TN_AUTH_LIST = Buffer.from('06082b0601050507011a', 'hex');

/** @throws if one of them is no certificate */
export function certificatesIn(pem: string, limit = MAX_CHAIN): X509Certificate[] {
  return (pem.match(PEM) ?? []).slice(0, limit).map((text) => new X509Certificate(text));
}

/**
 * The leaf, if it can sign calls and chains to one of `roots`, all currently valid.
 * @param chain the leaf first (RFC 8226, 7); the others in any order
 */
export function trustedLeaf(
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: Date,
): X509Certificate | null {
  const [leaf, ...others] = chain;
  if (leaf === undefined || !maySignCalls(leaf) || !isValid(leaf, now)) return null;
  const issuersIn = (list: readonly X509Certificate[], signed: X509Certificate) =>
    list.find((issuer) => issuer.ca && isValid(issuer, now) && isSignedBy(signed, issuer));
  let current = leaf;
  for (let depth = 0; depth < MAX_CHAIN; depth += 1) {
    if (issuersIn(roots, current) !== undefined) return leaf;
    const issuer = issuersIn(others, current);
    if (issuer === undefined) return null;
    current = issuer;
  }
  return null;
}

/** Needs an ES256 key and the extension, which the issuer's signature covers. Authorities cannot sign calls. */
function maySignCalls(leaf: X509Certificate): boolean {
  const { asymmetricKeyType, asymmetricKeyDetails } = leaf.publicKey;
  const isP256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 && !leaf.ca && leaf.raw.includes(TN_AUTH_LIST);
}

function isValid({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo);
}

function isSignedBy(signed: X509Certificate, issuer: X509Certificate): boolean {
  return signed.checkIssued(issuer) && signed.verify(issuer.publicKey);
}
