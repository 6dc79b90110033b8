/** Building blocks of request schemas. */
import { z } from 'zod';
import { field } from '../../contract/fields.ts';
import { type E164, parseE164 } from '../../domain/phone-number.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Not white space, nor what is never seen. */
const VISIBLE = /[^\s\p{Cf}]/u;
const LINE_BREAK = /[\t\n\r\u0085\u2028\u2029]/;

/** A {@link text} on one line: a name in a list, a sentence, a receipt. */
export function line(max: number) {
  return text(max).refine((value) => !LINE_BREAK.test(value), { error: 'is not on one line' });
}

/** Text of 1 … `max` characters (code points, as JSON Schema counts them) that can be stored and spoken. */
export function text(max: number) {
  return z
    .string()
    .min(1)
    .refine((value) => characters(value) <= max, { error: `is longer than ${max} characters` })
    .refine((value) => !LONE_SURROGATE.test(value) && !CONTROL.test(value), {
      error: 'has characters that are no text',
    })
    .refine((value) => value === '' || VISIBLE.test(value), { error: 'has nothing to read' })
    .meta({ maxLength: max });
}

/** A name or token of visible ASCII: nothing that a log, a header or a vendor could take amiss. */
export function identifier(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/);
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
    context.addIssue({ code: 'custom', message: 'is not a phone number in E.164' });
    return z.NEVER;
  });

const MAX_METADATA_KEYS = 50;
/** Characters of a text; of a number, its digits as they are written. */
export const MAX_METADATA_VALUE = 500;

/** A number that no JSON reader can hold (1e999) is refused: what is echoed must be readable. */
const MetadataValue = z.union([metadataText(MAX_METADATA_VALUE), z.number(), z.boolean(), z.null()], {
  error: 'is not a text, a number, true, false or null',
});

/** Opaque to us: texts, numbers, booleans and nulls by name. */
export const metadata = z
  .record(metadataText(40), MetadataValue)
  .refine((value) => Object.keys(value).length <= MAX_METADATA_KEYS, {
    error: `has more than ${MAX_METADATA_KEYS} keys`,
  });

/** In an answer: as it came, byte for byte. */
export const EchoedMetadata = field(
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  'What `create_checkout` was given, byte for byte; `{}` where nothing was.',
  { table: '12' },
);

/** Never interpreted, so any characters will do; only the length is ours to bound. */
function metadataText(max: number) {
  return z
    .string()
    .refine((value) => characters(value) <= max, { error: `is longer than ${max} characters` })
    .meta({ maxLength: max });
}
