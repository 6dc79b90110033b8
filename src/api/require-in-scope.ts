/** Finds what a request names, if it is of its account and mode: other accounts' things do not exist for it. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { findMerchantRecord, type MerchantRecord } from '../db/merchants/merchant-records.ts';
import type { Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import { parseId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';

/** A route with `:id` in its path. */
export interface IdRoute {
  Params: { id: string };
}

/** @param found of the scope's account. @throws what `notFound` makes, where it is null; ApiError `invalid_key` for the other mode */
export function requireInScope<T extends { mode: Mode }>(
  found: T | null,
  { mode }: Pick<Scope, 'mode'>,
  notFound: () => ApiError,
): T {
  if (found === null) throw notFound();
  if (found.mode !== mode) throw new ApiError('invalid_key');
  return found;
}

/** @throws ApiError `merchant_not_found`; `invalid_key` for one of the other mode */
export async function requireMerchant(
  sql: Sql,
  { scope }: Pick<FastifyRequest, 'scope'>,
  text: string,
): Promise<MerchantRecord> {
  const id = parseId('Merchant', text);
  const record = id === null ? null : await findMerchantRecord(sql, scope.accountId, id);
  if (record === null) throw new ApiError('merchant_not_found', { param: 'merchant_id' });
  requireInScope(record.merchant, scope, () => new ApiError('merchant_not_found'));
  return record;
}
