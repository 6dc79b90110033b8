/** What a request names, if it is the account's and of its mode: other accounts' things do not exist. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { parseId } from '../domain/ids.ts';
import type { Sql } from '../db/pool.ts';
import { findMerchantRecord, type MerchantRecord } from '../db/merchants/merchant-records.ts';
import type { Page, PageRequest } from '../db/pages.ts';

/** A route whose path ends in, or goes through, `:id`. */
export interface IdRoute {
  Params: { id: string };
}

/** @throws ApiError `merchant_not_found`; `invalid_key` for one of the other mode */
export async function ownMerchant(
  sql: Sql,
  { scope }: Pick<FastifyRequest, 'scope'>,
  text: string,
): Promise<MerchantRecord> {
  const id = parseId('Merchant', text);
  const record = id === null ? null : await findMerchantRecord(sql, scope.accountId, id);
  if (record === null) throw new ApiError('merchant_not_found', { param: 'merchant_id' });
  if (record.merchant.mode !== scope.mode) throw new ApiError('invalid_key');
  return record;
}

/** A checked query of a list, in the record's words. */
export function pageRequest(query: { limit: number; starting_after?: string | undefined }): PageRequest {
  return { limit: query.limit, startingAfter: query.starting_after ?? null };
}

/** @throws ApiError where `starting_after` named nothing of the list */
export function pageFound<T>(page: Page<T> | null): Page<T> {
  if (page !== null) return page;
  throw new ApiError('invalid_value', {
    param: 'starting_after',
    message: 'starting_after is not the id of something in this list.',
  });
}
