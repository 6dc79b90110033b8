/** The schema of a merchant's Adyen credentials. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { PlainCredentials } from '../ports.ts';

const TEST = {
  api_key: z.string().regex(/^[\x21-\x7e]{20,500}$/),
  merchant_account: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
};
const SCHEMAS = {
  test: z.strictObject(TEST),
  live: z.strictObject({ ...TEST, url_prefix: z.string().regex(/^[A-Za-z0-9]{8,40}-[A-Za-z0-9]{1,40}$/) }),
} as const satisfies Record<Mode, z.ZodType>;

export interface AdyenCredentials {
  api_key: string;
  merchant_account: string;
  url_prefix?: string;
}

/**
 * `merchant_account`: one that takes MOTO payments. `url_prefix`: of the company account's own live addresses
 * (docs.adyen.com/development-resources/live-endpoints). API keys do not show their mode, but each mode has a host of its own.
 */
export const adyenCredentials = (mode: Mode): z.ZodType<AdyenCredentials & PlainCredentials> =>
  SCHEMAS[mode] as unknown as z.ZodType<AdyenCredentials & PlainCredentials>;
