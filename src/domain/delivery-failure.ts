/** Why an attempt to deliver an event failed. */

export const DELIVERY_FAILURES = [
  'status',
  'redirect',
  'gone',
  'timeout',
  'forbidden_address',
  'connection',
  'too_old',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** Why there was no connection, or no response on it: the detail of `connection`. */
export const CONNECTION_FAILURES = [
  'host_not_found',
  'host_lookup_failed',
  'connection_refused',
  'connection_reset',
  'connection_timeout',
  'unreachable',
  'certificate_expired',
  'certificate_wrong_host',
  'certificate_unknown_issuer',
  'certificate_invalid',
  'tls_error',
  'invalid_response',
] as const;
export type ConnectionFailure = (typeof CONNECTION_FAILURES)[number];
