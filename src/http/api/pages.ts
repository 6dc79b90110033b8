/** Lists and their pages: `?limit=20&starting_after=<id>`. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError, type ErrorContext } from '../../contract/errors.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import type { Page, PageRequest } from '../../db/pages.ts';
import { errorContext } from './plugins/errors.ts';
import { addRoute, type Input, inputOf, type Operation } from './reference/operation.ts';

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

/** The answer of a list: its items in the field `name`, and `has_more`. */
export function listOf<Name extends string, Item extends z.ZodType>(
  name: Name,
  item: Item,
  description = 'Newest first.',
) {
  const items = { [name]: field(z.array(item), description) } as Record<Name, z.ZodArray<Item>>;
  return z.object({ ...items, has_more: FIELDS.has_more });
}

/** An operation whose query extends {@link PageQuery} and whose response is made by {@link listOf}. */
export interface ListOperation extends Omit<Operation, 'answers'> {
  query: z.ZodObject;
  response: z.ZodObject;
}

/** An item in the answer of a list. */
type ItemOf<Answer> = {
  [Name in keyof Answer]: Answer[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof Answer];

/**
 * Adds the route of an operation that answers with a page of a list.
 * @param resource shows an item in the answer
 * @param find returns null if `starting_after` is not in the list
 */
export function addList<Op extends ListOperation, Path extends `/${string}`, Item>(
  app: FastifyInstance,
  route: `GET ${Path}`,
  operation: Op,
  resource: (item: Item, context: ErrorContext) => ItemOf<z.output<Op['response']>>,
  find: (input: Input<Op, Path>, request: FastifyRequest) => Promise<Page<Item> | null>,
): void {
  const [name = ''] = Object.keys(operation.response.shape);
  addRoute(app, route, { ...operation, answers: 'A page of the list.' }, async (request) => {
    const { items, hasMore } = requirePage(await find(inputOf(operation, request), request));
    const context = errorContext(request);
    return { [name]: items.map((item) => resource(item, context)), has_more: hasMore };
  });
}
