/** The error codes of an operation, by HTTP status. */
import { ERROR_CODES, type ErrorCode } from '../../../contract/error-catalogue.ts';
import { errorEntry, errorObject } from '../../../contract/errors.ts';
import type { OperationRoute } from './operation.ts';

const ALWAYS: readonly ErrorCode[] = ['invalid_key', 'rate_limit', 'internal_error'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'invalid_value'];
/** For an Idempotency-Key that was used with different details. */
const ON_POST: readonly ErrorCode[] = ['charge_details_mismatch'];

/** In the catalogue's order. */
export function errorsOf(route: OperationRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>([...ALWAYS, ...route.errors]);
  if (route.request !== undefined) for (const code of WITH_BODY) codes.add(code);
  if (route.query !== undefined) codes.add('invalid_value');
  if (route.method === 'post') for (const code of [...ON_POST, ...WITH_BODY]) codes.add(code);
  return ERROR_CODES.filter((code) => codes.has(code));
}

/** Groups codes by HTTP status, ascending. The order within a status stays. */
export function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorEntry(code);
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return [...statuses].sort(([a], [b]) => a - b);
}

/** An example answer with the code. */
export function errorExample(code: ErrorCode, docsUrl: string): object {
  const facts = code === 'card_declined' ? { declineCode: 'generic_decline' as const, charge: 'ch_…' } : {};
  return { error: errorObject(code, facts, { requestId: 'req_…', docsUrl }) };
}
