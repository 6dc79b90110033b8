/** Why a page cannot be shown. fault-page.tsx has the text of each. */
import { ApiError } from '../../../contract/errors.ts';
import { isTransient } from '../../../db/error-kinds.ts';
import { DashboardRefusal, ForgedRequest } from '../sign-in/errors.ts';
import { pageWords } from './words/index.ts';

export const FAULTS = {
  not_found: { status: 404 },
  /** The user's role does not cover it. */
  forbidden: { status: 403 },
  /** The form has no valid session token, or another site sent it. */
  stale_form: { status: 403 },
  /** The API rejected the request, for example a filter with an invalid value. */
  refused: { status: 400 },
  too_many: { status: 429 },
  /** PostgreSQL does not respond, or the service is restarting. */
  away: { status: 503 },
  failed: { status: 500 },
} as const;
export type FaultKind = keyof typeof FAULTS;

/** Thrown by pages and by their requests to the REST surface. */
export class DashboardFault extends Error {
  readonly kind: FaultKind;
  /** A message that names the field, never its value. */
  readonly detail: string | null;
  /** Whether the message is the dashboard's, in the language of the request. Otherwise it is the API's, in English. */
  readonly isOwn: boolean;
  constructor(kind: FaultKind, detail: string | null = null, { isOwn = false } = {}) {
    super(`the dashboard answers ${kind}`);
    this.name = 'DashboardFault';
    this.kind = kind;
    this.detail = detail;
    this.isOwn = isOwn;
  }
}

/** Of a search or filter with card data: URLs are kept by browsers and proxies. */
export const cardDataFault = (): DashboardFault => new DashboardFault('refused', pageWords().cardData, { isOwn: true });

/** Maps any error to the fault that the reader sees. */
export function faultOf(error: Error & { statusCode?: number }): DashboardFault {
  if (error instanceof DashboardFault) return error;
  if (error instanceof ForgedRequest) return new DashboardFault('stale_form');
  if (error instanceof DashboardRefusal) return new DashboardFault('forbidden');
  if (isTransient(error)) return new DashboardFault('away');
  const status = error instanceof ApiError ? error.status : (error.statusCode ?? 500);
  return new DashboardFault(faultOfStatus(status));
}

/** @param status of the API's response, 400 or above */
export function faultOfStatus(status: number): FaultKind {
  // The API answers 401 to an ID of the other mode; the dashboard treats it as not found.
  if (status === 404 || status === 401) return 'not_found';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'too_many';
  if (status === 503 || status === 504) return 'away';
  return status >= 500 ? 'failed' : 'refused';
}
