/** The schema of a merchant's pay connector: its URLs and its login. */
import { z } from 'zod';
import type { PlainCredentials } from '../port/credentials.ts';
import { isCardUrl } from '../vendor-api/merchant-url.ts';

export interface ConnectorCredentials extends PlainCredentials {
  /** Takes the charges. */
  url: string;
  username: string;
  password: string;
}

/** What tests change. */
export interface ConnectorOptions {
  /** Allows connectors at private addresses, and without TLS. */
  privateTargets?: boolean;
}

const MAX_URL_LENGTH = 500;

/**
 * `url`, `username`, `password`: as configured at Twilio ("Endpoint URL", HTTP Basic authentication).
 * `lookup_url`: answers what became of a charge, see look-up.ts.
 */
export function connectorCredentials({ privateTargets = false }: ConnectorOptions): z.ZodType<ConnectorCredentials> {
  const url = z
    .string()
    .max(MAX_URL_LENGTH)
    .refine((text) => isCardUrl(text, privateTargets));
  // RFC 7617, 2: the user name has no colon.
  const username = z.string().regex(/^[\x20-\x39\x3b-\x7e]{1,255}$/);
  const password = z.string().regex(/^[\x20-\x7e]{1,255}$/);
  const schema = z.strictObject({ url, username, password, lookup_url: url.optional() });
  return schema as unknown as z.ZodType<ConnectorCredentials>;
}
