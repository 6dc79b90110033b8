/** Pagination: `?limit=20&starting_after=<id>`. */
import { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { field } from '../../contract/fields.ts';
import type { Page, PageRequest } from '../../db/pages.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_ID_LENGTH = 100;

/** In a query string everything is text; the reference shows a number all the same. */
const LIMIT_IN_A_URL = {
  type: 'integer',
  pattern: undefined,
  minimum: 1,
  maximum: MAX_LIMIT,
  default: DEFAULT_LIMIT,
  examples: [DEFAULT_LIMIT],
};

/** `limit` is taken as plain digits only. */
export const PageQuery = z.object({
  limit: field(
    z
      .string()
      .refine((value) => /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_LIMIT, {
        error: `must be an integer from 1 to ${MAX_LIMIT}`,
      })
      .transform(Number)
      .default(DEFAULT_LIMIT),
    'The maximum number of items, 1 to 100. The default is 20.',
  ).meta(LIMIT_IN_A_URL),
  starting_after: field(
    z
      .string()
      .max(MAX_ID_LENGTH)
      .regex(/^[a-z0-9_]+$/)
      .optional(),
    'The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.',
    'evt_yjibagi5npbspurws4idy74ijb',
  ),
});

/** A checked query of a list, as the database functions take it. */
export function pageRequest(query: { limit: number; starting_after?: string | undefined }): PageRequest {
  return { limit: query.limit, startingAfter: query.starting_after ?? null };
}

/** @throws ApiError `invalid_value` where `starting_after` is not in the list */
export function requirePage<T>(page: Page<T> | null): Page<T> {
  if (page !== null) return page;
  throw new ApiError('invalid_value', {
    param: 'starting_after',
    message: '`starting_after` must be the ID of an item in this list.',
  });
}
