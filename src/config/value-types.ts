/** How the value of a setting is parsed. Each message completes the sentence "RINGKEY_… must be …". */
import { z } from 'zod';
import { isAddressRange } from '../domain/address-range.ts';
import { parseReturnCredentials, type ReturnCredentials } from '../domain/sip-credentials.ts';
import { parseOwnedNumber } from '../domain/transfer-number.ts';
import { parseEmail } from '../domain/user.ts';
import { KEY_BYTES } from '../lib/vault/vault.ts';

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, new Intl.ListFormat('en', { type: 'disjunction' }).format(values));
export function wholeNumber(least: number, most: number) {
  const words = `a whole number from ${least} to ${most}`;
  return z.coerce.number(words).int(words).min(least, words).max(most, words);
}
export const port = (fallback: number) => wholeNumber(0, 65_535).default(fallback);
export const onOff = (fallback: 'on' | 'off') =>
  oneOf(['on', 'off'])
    .default(fallback)
    .transform((value) => value === 'on');
export const webUrl = (words = 'an http or https URL') => z.url({ protocol: /^https?$/, error: words });
export const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'an smtp or smtps URL' });
export const email = z.string().transform((text, context): string => {
  const address = parseEmail(text);
  if (address !== null) return address;
  context.addIssue({ code: 'custom', message: 'an email address' });
  return z.NEVER;
});
/** How often something is allowed in a period. */
export const limit = (fallback: number) => wholeNumber(1, 1_000_000).default(fallback);
export const HOST_PORT = /^[\w.-]+(?::\d{1,5})?$/;
/** With at least one dot. A last one, for the root, is optional. */
export const DNS_NAME = /^[\w-]+(?:\.[\w-]+)+\.?$/;
export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

export function isPortRange(text: string): boolean {
  const [, first, last] = (/^(\d+)-(\d+)$/.exec(text) ?? []).map(Number);
  return first !== undefined && last !== undefined && first >= 1 && first < last && last <= 65_535;
}

/** Scheme, host and port alone. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`;
}

/** Base64 (or its URL-safe form) of {@link KEY_BYTES} bytes each, comma-separated. Error messages never contain a key. */
export const encryptionKeys = list
  .transform((items) => items.map((item) => Buffer.from(item, 'base64')))
  .refine(
    (keys) => keys.every((key) => key.length === KEY_BYTES),
    'keys of 32 bytes each in base64, separated by commas',
  );

export const isPublicKey = (text: string) => Buffer.from(text, 'base64').length === 32;

export const addressRanges = list.refine(
  (items) => items.every(isAddressRange),
  'IP addresses or CIDR blocks, separated by commas',
);

/** Error messages never contain one. */
export const returnCredentials = list
  .transform((items) => items.map(parseReturnCredentials))
  .refine(
    (items) => items.every((item) => item !== null),
    'entries such as host=user:password or acct_…@host=user:password, separated by commas',
  )
  .transform((items) => items.filter((item): item is ReturnCredentials => item !== null));
export const transferNumbers = list
  .transform((items) => items.map(parseOwnedNumber))
  .refine(
    (numbers) => !numbers.includes(null),
    'numbers, each with its account and mode, such as +15550109999=acct_x:live',
  )
  .transform((numbers) => numbers.filter((number) => number !== null))
  .refine(
    (numbers) => new Set(numbers.map(({ number }) => number)).size === numbers.length,
    'a list that names each number once, with one account and mode',
  );
