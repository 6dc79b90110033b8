import { expect, it } from 'vitest';
import { connectionFailure } from './connection-failure.ts';

const withCode = (code: string) => Object.assign(new Error('getaddrinfo for 10.0.0.7'), { code });

it.each([
  ['ENOTFOUND', 'host_not_found'],
  ['EAI_AGAIN', 'host_lookup_failed'],
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['ETIMEDOUT', 'connection_timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_wrong_host'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_unknown_issuer'],
  ['CERT_REVOKED', 'certificate_invalid'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_error'],
  ['HPE_INVALID_CONSTANT', 'invalid_response'],
])('names the cause of %s: %s', (code, cause) => {
  expect(connectionFailure(withCode(code))).toBe(cause);
});

it('names the cause at the last address of a host with several', () => {
  const error = new AggregateError([withCode('ENETUNREACH'), withCode('ECONNREFUSED')]);
  expect(connectionFailure(error)).toBe('connection_refused');
});

it.each([withCode('EMFILE'), new Error('10.0.0.7 is down'), 'down'])('names no cause of an unknown error', (error) => {
  expect(connectionFailure(error)).toBeNull();
});
