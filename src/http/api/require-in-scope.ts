/** Finds the objects that a request names. Objects of other accounts are not found. */
import type { FastifyRequest } from 'fastify';
import { type ApiError, merchantNotFound, merchantOfOtherMode, ofOtherMode } from '../../contract/errors.ts';
import { findMerchantRecord, type MerchantRecord } from '../../db/merchants/merchant-records.ts';
import type { Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { parseId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';

/**
 * @param id null if the client sent no valid ID of this kind
 * @param find searches the account of the scope
 * @throws ApiError from `notFound`; `invalid_key` for an object of the other mode
 */
export async function requireInScope<I extends string, T extends { mode: Mode }>(
  { mode }: Scope,
  id: I | null,
  find: (id: I) => Promise<T | null>,
  notFound: () => ApiError,
): Promise<T> {
  const found = id === null ? null : await find(id);
  if (found === null) throw notFound();
  if (found.mode !== mode) throw ofOtherMode(mode);
  return found;
}

/** @throws ApiError `merchant_not_found`; `invalid_key` for a merchant of the other mode */
export async function requireMerchant(
  sql: Sql,
  { scope }: Pick<FastifyRequest, 'scope'>,
  text: string,
): Promise<MerchantRecord> {
  const id = parseId('Merchant', text);
  const record = id === null ? null : await findMerchantRecord(sql, scope.accountId, id);
  if (record === null) throw merchantNotFound(text);
  if (record.merchant.mode !== scope.mode) throw merchantOfOtherMode(scope.mode, record.merchant.id);
  return record;
}
