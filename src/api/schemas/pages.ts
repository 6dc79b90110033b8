/** A list a page at a time: `?limit=20&starting_after=<id>`. */
import { z } from 'zod';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_ID_LENGTH = 100;

/** Of a query string: numbers come as text, and only as plain digits. */
export const PageQuery = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_LIMIT))
    .default(DEFAULT_LIMIT),
  starting_after: z
    .string()
    .max(MAX_ID_LENGTH)
    .regex(/^[a-z0-9_]+$/)
    .optional(),
});
