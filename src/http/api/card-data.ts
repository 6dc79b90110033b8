/**
 * Rejects requests with card data in any string, for all operations: only the payment line and the pay page accept cards.
 * The error names the field and never repeats its value.
 */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { hasCardData, isNamedSecurityCode } from '../../domain/card-data.ts';
import { paramOf } from './validation.ts';

/** No operation has a deeper body. */
const MAX_DEPTH = 20;
/** Credentials may contain a processor's own numbers, and are stored encrypted. */
const CREDENTIALS = 'credentials';

type Request = Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>;

/**
 * @throws ApiError `invalid_value` that names the first field with card data: of the path, the query or the body, or the
 *   Idempotency-Key
 */
export function requireNoCardData({ params, query, body, headers }: Request): void {
  if (hasCardData(String(headers['idempotency-key'] ?? ''))) throw cardData(['Idempotency-Key']);
  for (const values of [params, query, body]) {
    const path = findCardData(values, []);
    if (path !== null) throw cardData(path);
  }
}

/** Whether card data is anywhere in `values`, which are named fields. */
export const containsCardData = (values: unknown): boolean => findCardData(values, []) !== null;

function cardData(path: readonly string[]): ApiError {
  const param = paramOf(path);
  const message = `\`${param}\` contains what looks like a card number or a security code. Remove it: card data may only be entered on the payment line and the pay page.`;
  return new ApiError('invalid_value', { param, message });
}

/** @returns the path of the card data, or null */
function findCardData(value: unknown, path: readonly string[]): readonly string[] | null {
  if (typeof value === 'string' || typeof value === 'number') return isCardData(value, path) ? path : null;
  // A file is checked by its operation, which stores none of its texts.
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH || Buffer.isBuffer(value)) return null;
  if (Array.isArray(value) && isCardInParts(value)) return path;
  for (const [name, item] of Object.entries(value)) {
    if (path.length === 0 && name === CREDENTIALS) continue;
    const found = hasCardData(name) ? path : findCardData(item, [...path, name]);
    if (found !== null) return found;
  }
  return null;
}

/** `["4242", "4242", "4242", "4242"]`. */
function isCardInParts(values: readonly unknown[]): boolean {
  const isPart = (value: unknown) =>
    (typeof value === 'string' || typeof value === 'number') && /^\s*\p{Nd}{1,8}\s*$/u.test(String(value));
  return values.every(isPart) && hasCardData(values.join(' '));
}

function isCardData(value: string | number, path: readonly string[]): boolean {
  const name = path.findLast((each) => !/^\d+$/.test(each));
  return hasCardData(String(value)) || (name !== undefined && isNamedSecurityCode(name, value));
}
