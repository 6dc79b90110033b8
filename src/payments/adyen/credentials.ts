/** The schema of a merchant's Adyen credentials, and the public part for the pay page. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials } from '../port/credentials.ts';
import type { Tokenization } from '../port/page.ts';
import { plainOf } from '../vendor-api/faults.ts';

const TEST = {
  api_key: z.string().regex(/^[\x21-\x7e]{20,500}$/),
  merchant_account: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
  report_api_key: z
    .string()
    .regex(/^[\x21-\x7e]{20,500}$/)
    .optional(),
};
/** `environment` of Adyen Web (github.com/Adyen/adyen-web, core/Environment/constants.ts). */
const LIVE_ENVIRONMENTS = ['live', 'live-us', 'live-au', 'live-apse', 'live-in', 'live-nea'] as const;
const SCHEMAS = {
  test: z.strictObject({ ...TEST, client_key: clientKey('test') }),
  live: z.strictObject({
    ...TEST,
    client_key: clientKey('live'),
    url_prefix: z.string().regex(/^[A-Za-z0-9]{8,40}-[A-Za-z0-9]{1,40}$/),
    environment: z.enum(LIVE_ENVIRONMENTS).optional(),
  }),
} as const satisfies Record<Mode, z.ZodType>;

/** It shows its mode (docs.adyen.com/development-resources/client-side-authentication). */
function clientKey(mode: Mode) {
  return z
    .string()
    .regex(new RegExp(`^${mode}_[A-Za-z0-9]{8,100}$`))
    .optional();
}

export interface AdyenCredentials {
  api_key: string;
  merchant_account: string;
  report_api_key?: string;
  url_prefix?: string;
  client_key?: string;
  environment?: (typeof LIVE_ENVIRONMENTS)[number];
}

/**
 * `merchant_account`: one that takes MOTO payments, and for the pay page `Ecommerce` ones. `url_prefix`: of the company
 * account's own live addresses (docs.adyen.com/development-resources/live-endpoints). `client_key`, and in live mode its
 * `environment`: for the pay page. `report_api_key`: of a "Report service user", for payouts. API keys do not show their mode, but each mode has a host of its own.
 */
export const adyenCredentials = (mode: Mode): z.ZodType<AdyenCredentials & PlainCredentials> =>
  SCHEMAS[mode] as unknown as z.ZodType<AdyenCredentials & PlainCredentials>;

/** `locationId`: the environment of Adyen Web. */
export function adyenTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const { data } = adyenCredentials(mode).safeParse(plainOf(credentials));
  if (data?.client_key === undefined) return null;
  const environment = mode === 'test' ? 'test' : (data.environment ?? 'live');
  return { processor: 'adyen', publicKey: data.client_key, locationId: environment, environment };
}
