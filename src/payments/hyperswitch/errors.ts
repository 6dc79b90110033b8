/** Maps Hyperswitch's errors to answers (api-reference.hyperswitch.io/essentials/error_codes). */

import { type Fault, faultOfNoAnswer, UnusableCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { HttpError } from './client.ts';

/** "Requested operation for these identifier already exists". */
export const DUPLICATE = 'HE_01';
/** "Requested object does not exist in our records". */
export const MISSING: readonly string[] = ['HE_02', 'HE_04'];
/** Too many requests. The same request is safe to repeat, because it has our ID. */
export const LOCKS: readonly string[] = ['http_429'];

/**
 * `IR_…` with a 4xx: the request is invalid, and nothing was started. `CE_…`, an error of the connector, and 5xx say
 * nothing about the payment.
 */
export function faultOf(error: unknown): Fault {
  if (error instanceof UnusableCredentials) return { kind: 'credentials' };
  if (error instanceof NoAnswer) return faultOfNoAnswer(error);
  if (!(error instanceof HttpError)) return { kind: 'unknown', cause: 'answer' };
  const { status, code } = error;
  if (status === 401) return { kind: 'credentials' };
  const isRejected = code !== null && (code.startsWith('IR_') || code === DUPLICATE || MISSING.includes(code));
  if (status >= 400 && status < 500 && status !== 429 && isRejected) return { kind: 'refused', code };
  return { kind: 'unknown', cause: status === 429 ? 'http_429' : (code ?? `http_${status}`) };
}

export const isError = (error: unknown, codes: readonly string[]) =>
  error instanceof HttpError && error.code !== null && codes.includes(error.code);
