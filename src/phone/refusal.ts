/** Why an INVITE is refused, and the SIP response. */
import type { OverloadCause } from './load/overload.ts';

/** Seconds after which a caller may try again after a 503. */
const RETRY_AFTER_SECONDS = '5';

/** The call is refused with this SIP status. */
export class Refusal extends Error {
  readonly status: number;
  /** For the log. */
  readonly reason: string | null;
  readonly headers: Record<string, string>;
  readonly overload: OverloadCause | null;
  constructor(
    status: number,
    {
      reason = null,
      headers = {},
      overload = null,
      cause,
    }: {
      reason?: string | null;
      headers?: Record<string, string>;
      overload?: OverloadCause | null;
      cause?: unknown;
    } = {},
  ) {
    super('the call is refused', { cause });
    this.name = 'Refusal';
    this.status = status;
    this.reason = overload === null ? reason : 'overload';
    this.overload = overload;
    this.headers = status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS, ...headers } : headers;
  }
}
