/** The schema of a merchant's credentials at Access Worldpay. */
import { z } from 'zod';
import type { PlainCredentials } from '../ports.ts';

const SCHEMA = z.strictObject({
  username: z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,128}$/),
  password: z.string().regex(/^[\x21-\x7e]{1,256}$/),
  entity: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ]{0,31}$/),
  narrative: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 .-]{0,23}$/),
});

export type WorldpayCredentials = z.infer<typeof SCHEMA>;

/**
 * `username`, `password`: for HTTP Basic authentication. `entity`: "Used to route the request in Access Worldpay, created as
 * part of on-boarding". `narrative`: what the payer reads on the statement, "line1 is mandatory", 24 characters
 * (docs.worldpay.com/access/products/reference/formatting). The credentials do not show their mode, but each mode has a host
 * of its own.
 */
export const worldpayCredentials = (): z.ZodType<WorldpayCredentials & PlainCredentials> =>
  SCHEMA as unknown as z.ZodType<WorldpayCredentials & PlainCredentials>;
