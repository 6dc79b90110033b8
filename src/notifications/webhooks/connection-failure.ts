/** Names the cause of a failed connection by the error's code. The error's text is never used: it can name addresses. */
import type { ConnectionFailure } from '../../domain/delivery-failure.ts';

/** Codes of Node.js, and of OpenSSL for certificates: nodejs.org/api/errors.html, docs.openssl.org X509_verify_cert_error_string. */
const CAUSES: Readonly<Record<string, ConnectionFailure>> = {
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_lookup_failed',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'connection_timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  CERT_HAS_EXPIRED: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_wrong_host',
  HOSTNAME_MISMATCH: 'certificate_wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_unknown_issuer',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_unknown_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_unknown_issuer',
  CERT_UNTRUSTED: 'certificate_unknown_issuer',
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: 'certificate_invalid',
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 'certificate_invalid',
  INVALID_CA: 'certificate_invalid',
  INVALID_PURPOSE: 'certificate_invalid',
  PATH_LENGTH_EXCEEDED: 'certificate_invalid',
  EPROTO: 'tls_error',
};

const FAMILIES: readonly (readonly [prefix: string, ConnectionFailure])[] = [
  ['CERT_', 'certificate_invalid'],
  ['ERR_TLS_CERT_', 'certificate_invalid'],
  ['ERR_TLS_', 'tls_error'],
  ['ERR_SSL_', 'tls_error'],
  // Of the HTTP parser.
  ['HPE_', 'invalid_response'],
];

/** @returns null if the cause is not known */
export function connectionFailure(error: unknown): ConnectionFailure | null {
  // One error for each address of the host. The first can be that of an address family which this network lacks.
  const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  if (!(last instanceof Error && 'code' in last)) return null;
  const code = String(last.code);
  return CAUSES[code] ?? FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
}
