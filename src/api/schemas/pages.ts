/** A list a page at a time: `?limit=20&starting_after=<id>`. */
import { z } from 'zod';
import { field } from '../../contract/fields.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_ID_LENGTH = 100;

/** In a URL everything is text; what a client has to send is a number all the same. */
const LIMIT_IN_A_URL = {
  ...{ type: 'integer', pattern: undefined, minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  examples: [DEFAULT_LIMIT],
};

/** Of a query string: numbers come as text, and only as plain digits. */
export const PageQuery = z.object({
  limit: field(
    z
      .string()
      .refine((value) => /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_LIMIT, {
        error: `is not an integer from 1 to ${MAX_LIMIT}`,
      })
      .transform(Number)
      .default(DEFAULT_LIMIT),
    'How many items at most, 1 to 100; 20 where not given.',
  ).meta(LIMIT_IN_A_URL),
  starting_after: field(
    z
      .string()
      .max(MAX_ID_LENGTH)
      .regex(/^[a-z0-9_]+$/)
      .optional(),
    'The id of the last item of the page before: the list goes on behind it. An id that is not in the list is refused.',
    'evt_yjibagi5npbspurws4idy74ijb',
  ),
});
