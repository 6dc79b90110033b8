/** Building blocks of request schemas: texts, IDs, phone numbers, metadata, overlaps. */
import { z } from 'zod';
import { MAX_OVERLAP_SECONDS } from '../../accounts/keys/manage.ts';
import { field } from '../../contract/fields.ts';
import { canonicalLanguage } from '../../domain/language.ts';
import { type E164, isWithheldNumber, parseE164 } from '../../domain/phone-number.ts';
import { hasBidiControl } from '../../domain/readable-text.ts';
import { parseEmail } from '../../domain/user.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are rejected
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Not white space, and not an invisible format character. */
const VISIBLE = /[^\s\p{Cf}]/u;
const LINE_BREAK = /[\t\n\r\u0085\u2028\u2029]/;

/** A {@link text} without line breaks. */
export function line(max: number) {
  return text(max).refine((value) => !LINE_BREAK.test(value), { error: 'must be on one line' });
}

/** Text of 1 to `max` characters that can be stored and spoken, and that payers may read. */
export function text(max: number) {
  return storedText(max).refine((value) => !hasBidiControl(value), {
    error: 'must not contain characters that change the direction of text, such as U+202E',
  });
}

/**
 * Text of 1 to `max` characters (code points, as in JSON Schema) that only users read. Pasted phone numbers often contain
 * characters that change the direction of text.
 */
export function storedText(max: number) {
  return z
    .string()
    .min(1)
    .refine((value) => characters(value) <= max, { error: `must not be longer than ${max} characters` })
    .refine((value) => !LONE_SURROGATE.test(value) && !CONTROL.test(value), {
      error: 'must not contain control characters or invalid Unicode',
    })
    .refine((value) => value === '' || VISIBLE.test(value), { error: 'must contain visible characters' })
    .meta({ maxLength: max });
}

/** A name or token of visible ASCII, safe in logs, headers and requests to vendors. */
export function identifier(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/);
}

/** The ID of an object that the request names. */
export const anyId = z.string().min(1).max(255);

const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;

/** How long an old key or secret stays valid after it is rolled. @param what completes `How long …` */
export function overlapSeconds(what: string) {
  return field(
    z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS),
    `How long ${what}, in seconds: 0 (not at all) to 604800 (seven days). The default is one day.`,
    3600,
  );
}

function characters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** A phone number in E.164. */
export const phoneNumber = z
  .string()
  .max(20)
  .transform((value, context): E164 => {
    const number = parseE164(value);
    if (number !== null) return number;
    context.addIssue({ code: 'custom', message: 'must be a phone number in E.164 format, such as +15550101234' });
    return z.NEVER;
  });

/** A caller's number in E.164. Null if the platform says that it is withheld. */
export const callerNumber = z
  .string()
  .max(20)
  .transform((value, context): E164 | null => {
    const number = parseE164(value);
    if (number !== null || isWithheldNumber(value)) return number;
    context.addIssue({ code: 'custom', message: 'must be a phone number in E.164 format, such as +15550101234' });
    return z.NEVER;
  });

/** In lower case. */
export const emailAddress = z
  .string()
  .max(254)
  .transform((text, context): string => {
    const email = parseEmail(text);
    if (email !== null) return email;
    context.addIssue({ code: 'custom', message: 'must be an email address' });
    return z.NEVER;
  });

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_NAME = 40;
const MAX_METADATA_VALUE = 500;

/** Rejects integers beyond ±(2^53 − 1), which JSON parsers would round silently. */
const metadataNumber = z.number().refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), {
  error: 'must not be an integer beyond 9007199254740991',
});

/** The integrator's own data: strings, numbers, booleans and nulls by name. @param value the schema of its strings */
function metadataOf<Name extends z.ZodType<string, string>>(name: Name, value: z.ZodType<string, string>) {
  const values = [value, metadataNumber, z.boolean(), z.null()] as const;
  return z
    .record(name, z.union(values, { error: 'must be a string, a number, true, false or null' }))
    .refine((members) => Object.keys(members).length <= MAX_METADATA_KEYS, {
      error: `must not have more than ${MAX_METADATA_KEYS} keys`,
    });
}

/** Metadata is never interpreted, so all characters are allowed; only the length is limited. */
function opaqueText(max: number) {
  return z
    .string()
    .refine((value) => characters(value) <= max, { error: `must not be longer than ${max} characters` })
    .meta({ maxLength: max });
}

export const metadata = metadataOf(opaqueText(MAX_METADATA_NAME), opaqueText(MAX_METADATA_VALUE));

/** For a jsonb column, which can store neither NUL nor half a surrogate pair. */
export const storableMetadata = metadataOf(
  text(MAX_METADATA_NAME),
  opaqueText(MAX_METADATA_VALUE).refine((value) => !value.includes('\0') && !LONE_SURROGATE.test(value), {
    error: 'must not contain NUL characters or invalid Unicode',
  }),
);

/** BCP 47, in canonical form: `en-us` becomes `en-US`. */
export const language = z
  .string()
  .min(2)
  .max(35)
  .transform((value, context): string => {
    const canonical = canonicalLanguage(value);
    if (canonical !== null) return canonical;
    context.addIssue({ code: 'custom', message: 'must be a language tag (BCP 47), such as en-US' });
    return z.NEVER;
  });

/** IANA time zone, in its canonical case. Offsets such as `+02:00` are rejected. */
export const timeZone = z
  .string()
  .max(50)
  .transform((value, context): string => {
    const known = /^[a-z]/i.test(value) ? knownTimeZone(value) : null;
    if (known !== null) return known;
    context.addIssue({ code: 'custom', message: 'must be an IANA time zone, such as Europe/Berlin' });
    return z.NEVER;
  });

/** `Intl` accepts names in any case, and resolves some new names to old ones (`Asia/Calcutta`); those stay as sent. */
function knownTimeZone(value: string): string | null {
  try {
    const { timeZone: name } = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions();
    return name.toLowerCase() === value.toLowerCase() ? name : value;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
