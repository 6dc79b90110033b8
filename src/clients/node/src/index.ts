/** Client library of Ringkey: the REST API, and the signatures of webhooks and SIP headers. */
export { Ringkey, type RingkeyOptions } from './client.ts';
export {
  ApiConnectionError,
  ApiError,
  AuthenticationError,
  CardError,
  IdempotencyError,
  InvalidRequestError,
  PermissionDeniedError,
  ProcessorError,
  RateLimitError,
  RingkeyError,
  SignatureVerificationError,
} from './errors.ts';
export type * from './generated/types.ts';
export type { GivenHeaders } from './headers.ts';
export type { RequestOptions } from './request.ts';
export { type CallOutcome, type SipHeadersToVerify, verifySipHeaders } from './sip-headers.ts';
export { verifyWebhook, type WebhookRequest } from './webhooks.ts';
