/** The errors of the client: one class for each `type` of the API's errors, and two of its own. */
import type { ErrorObject } from './generated/types.ts';

/** Any error of this library. */
export class RingkeyError extends Error {
  /** What went wrong: a code of the API, or `connection_failed`, `timeout`, `invalid_answer`, `invalid_signature`. */
  readonly code: string;
  /** Of the answer; null if there was none. */
  readonly status: number | null;
  /** Quote it when you ask for help. Null if there was no answer. */
  readonly requestId: string | null;
  /** The API's error object; null if the API did not answer. */
  readonly details: ErrorObject | null;

  constructor(message: string, { code, status = null, requestId = null, details = null, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }

  /** What the agent says, word for word. If null, say nothing. */
  get agentMessage(): string | null {
    return this.details?.agent_message ?? null;
  }

  /** What the agent does next. */
  get agentAction(): ErrorObject['agent_action'] {
    return this.details?.agent_action ?? null;
  }
}

interface ErrorFacts {
  code: string;
  status?: number | null;
  requestId?: string | null;
  details?: ErrorObject | null;
  cause?: unknown;
}

/** The request is wrong. */
export class InvalidRequestError extends RingkeyError {}
/** The key is missing, malformed or revoked. */
export class AuthenticationError extends RingkeyError {}
/** The key, or the caller of the session, may not do this. */
export class PermissionDeniedError extends RingkeyError {}
/** The card was declined. */
export class CardError extends RingkeyError {}
/** The merchant's processor did not answer, or is not connected. */
export class ProcessorError extends RingkeyError {}
/** The idempotency key was used with different details. */
export class IdempotencyError extends RingkeyError {}
/** Too many requests. */
export class RateLimitError extends RingkeyError {}
/** The service failed, or something else answered in its place. */
export class ApiError extends RingkeyError {}
/** No answer arrived. After a POST, repeat it with the same idempotency key. */
export class ApiConnectionError extends RingkeyError {
  constructor(cause: unknown) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
    super(isTimeout ? 'Ringkey did not answer in time.' : 'Ringkey could not be reached.', {
      code: isTimeout ? 'timeout' : 'connection_failed',
      cause,
    });
  }
}
/** The signature of a webhook or of SIP headers is wrong or too old. */
export class SignatureVerificationError extends RingkeyError {
  constructor(message: string) {
    super(message, { code: 'invalid_signature' });
  }
}

const CLASS_OF_TYPE: Record<ErrorObject['type'], typeof InvalidRequestError> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  permission_error: PermissionDeniedError,
  card_error: CardError,
  processor_error: ProcessorError,
  idempotency_error: IdempotencyError,
  rate_limit_error: RateLimitError,
  api_error: ApiError,
};

/** The error for an unsuccessful answer. @param body the parsed JSON, or undefined */
export function errorOf({ status, headers }: Response, body: unknown): RingkeyError {
  const details = (body as { error?: ErrorObject } | null | undefined)?.error;
  const requestId = headers.get('x-request-id');
  if (typeof details?.code !== 'string') {
    const message = `The answer, with status ${status}, is not from Ringkey.`;
    return new ApiError(message, { code: 'invalid_answer', status, requestId });
  }
  const ErrorClass = CLASS_OF_TYPE[details.type] ?? ApiError;
  return new ErrorClass(details.message, { code: details.code, status, requestId, details });
}
