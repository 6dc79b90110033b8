/** What a page is answered with in place of its own content; said in words by views/note.tsx. */
import { ApiError } from '../contract/errors.ts';
import { isTransient } from '../db/transient.ts';
import { DashboardRefusal, ForgedRequest } from './sign-in/errors.ts';

export const FAULTS = {
  not_found: { status: 404 },
  /** The user's role does not cover it. */
  forbidden: { status: 403 },
  /** A form without the token of the session, or of another site. */
  stale_form: { status: 403 },
  /** What was asked for is not allowed by the API: a filter with a value that it does not take, say. */
  refused: { status: 400 },
  too_many: { status: 429 },
  /** PostgreSQL does not answer, or the service is restarting. */
  away: { status: 503 },
  failed: { status: 500 },
} as const;
export type FaultKind = keyof typeof FAULTS;

/** Thrown by pages and by what they ask for. */
export class DashboardFault extends Error {
  readonly kind: FaultKind;
  /** What the API said, for those who look: its message names the field, never its value. */
  readonly detail: string | null;
  constructor(kind: FaultKind, detail: string | null = null) {
    super(`the dashboard answers ${kind}`);
    this.name = 'DashboardFault';
    this.kind = kind;
    this.detail = detail;
  }
}

/** What an error of any kind is to the reader. */
export function faultOf(error: Error & { statusCode?: number }): DashboardFault {
  if (error instanceof DashboardFault) return error;
  if (error instanceof ForgedRequest) return new DashboardFault('stale_form');
  if (error instanceof DashboardRefusal) return new DashboardFault('forbidden', error.message);
  if (isTransient(error)) return new DashboardFault('away');
  const status = error instanceof ApiError ? error.status : (error.statusCode ?? 500);
  return new DashboardFault(faultOfStatus(status));
}

/** @param status of the API's answer, 400 or above */
export function faultOfStatus(status: number): FaultKind {
  // In the API 401 is an id of the other mode; here there is no such thing either.
  if (status === 404 || status === 401) return 'not_found';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'too_many';
  if (status === 503 || status === 504) return 'away';
  return status >= 500 ? 'failed' : 'refused';
}
