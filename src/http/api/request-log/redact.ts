/**
 * Redacts what the request log stores: values of unknown fields, secrets by field name (as in the log) and by their form,
 * and digits that look like a card number. Redacting too much does no harm, so in doubt a value is cut.
 */

import { hasCheckDigit } from '../../../domain/card.ts';
import { hasCardData } from '../../../domain/card-data.ts';
import { SECRET_FIELDS } from '../../../lib/observability/log.ts';
import type { Known } from './known-fields.ts';

const CUT = '[cut]';
/** How many characters of a body are stored. */
export const MAX_BODY = 8_192;
const MAX_PATH = 1_000;
/** A longer body is not parsed. Its start is stored, redacted by form only. */
const MAX_PARSED = 65_536;
const MAX_DEPTH = 20;
/** Bounds the cost of patterns that are slower than linear. */
const MAX_TEXT = MAX_BODY;
const ENDS_EARLY = `… ${CUT}`;

/** As in the log, except `body`, which is a field of the request log, and `transfer_to`, which is redacted by its form. */
const NAMES = new Set(SECRET_FIELDS.filter((name) => name !== 'body' && name !== 'transfer_to').map(plain));
/** Parts of secret names, in snake case. `tokenization` contains nothing secret. */
const NAME_PARTS =
  /secret|password|passphrase|passwd|passcode|pwd|credential|cookie|signature|recovery_?code|auth\w{0,20}_?code|verification_?code|authorization|api_?key|access_?key|slack_?url|private_?key|transaction_?key|cvc|cvv|security_?code|card_?code|card_?number|account_?number|postal_?code|(?:^|_)(?:pan|pin|cid|csc|otp|totp|mfa|jwt|tokens?)(?:_|$)/;
/** Personal data, so that an erased caller is not found here. Phone numbers in E.164 are masked by their form. */
const PERSON = /(?:^|_)(?:first_name|last_name|payer_name|email|note)$/;
/** The field of a number that may be written as people say it: `(555) 010-1234`. */
const PHONE = 'caller_phone';

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function isSecretName(name: string): boolean {
  const snake = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return NAMES.has(plain(name)) || NAME_PARTS.test(snake) || PERSON.test(snake);
}

/** As in E.164, only the last two digits are kept. */
const masked = (number: string) => `…${number.replace(/\D/g, '').slice(-2)}`;

/** Longer runs are always cut. */
const MAX_RUN = 64;
/** Card numbers as people write them: digits of any script with up to three characters between them, but no letters. */
const DIGIT_RUN = /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){11,}/gu;
/** How far before the end of a shortened text half a card number can start. */
const HALF_A_RUN = 100;

const PATTERNS: readonly [RegExp, string][] = [
  // API keys, ours and vendors', and webhook secrets. Square's have no prefix with a word.
  [/\b(EAAA|sq0[a-z]{3}-)[A-Za-z0-9_-]{16,}/g, `$1${CUT}`],
  [/\b((?:rk|sk|pk)_(?:test|live)_)[A-Za-z0-9_-]{8,}/g, `$1${CUT}`],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, `whsec_${CUT}`],
  [/\b(bearer|basic) +[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${CUT}`],
  // The token in `transfer_to`, and the code in a pay link.
  [/\b(cs_[a-z0-9_]+)-[a-z0-9]{26}/gi, `$1-${CUT}`],
  [/(\/(?:p|pay)\/)[A-Za-z0-9]{12,}/g, `$1${CUT}`],
  // A token on its own: of a pay link or `transfer_to` (26), of a dashboard session or invitation (43).
  [/(?<![A-Za-z0-9_-])(?:[a-z0-9]{26}|[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g, CUT],
  // User info and query of a URL.
  [/\b([a-z][a-z0-9+.-]{0,20}:(?:\/\/)?)[^\s"@/:;?]{1,64}:[^\s"@/]{1,128}@/gi, `$1${CUT}@`],
  [/\b(https?:\/\/[^\s"?#]+)\?[^\s"#]*/gi, `$1?${CUT}`],
  // Phone numbers, E.164.
  [/\+\d{5,13}(\d\d)(?!\d)/g, '…$1'],
  // Email addresses, but not SIP URIs.
  [
    /(?<!sips?:)(?<!\/\/)(?<![\p{L}\p{N}_.+'\]-])[\p{L}\p{N}_.+'-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/giu,
    '[email]',
  ],
  // A secret that the text names.
  [
    /\b(pass(?:word|phrase|code|wd)|pwd|pin|t?otp|one[ -]time (?:code|password)|(?:verification|recovery|auth\w{0,20}) code|(?:api|secret|signing) (?:key|secret)|token)(["']?\s{0,4}(?:[:=]|is\b)\s{0,4}["']?)[^\s"',;]{3,256}/gi,
    `$1$2${CUT}`,
  ],
  // A security code that the text names.
  [/\b(cv[cv]2?|csc|cid|security[ _-]?code|card[ _-]?code)(\W{0,12}(?:is\W{1,3})?)\d{3,4}\b/gi, `$1$2${CUT}`],
];

/** Nothing to redact. Most texts of an answer match. */
const PLAIN_WORD = /^[A-Za-z]{0,15}$/;

/** Redacts any text. A long one is shortened, and digits at its end are cut: they may be half a card number. */
export function redactText(text: string): string {
  if (PLAIN_WORD.test(text)) return text;
  if (text.length > MAX_TEXT) {
    const [whole, end] = [text.slice(0, MAX_TEXT - HALF_A_RUN), text.slice(MAX_TEXT - HALF_A_RUN, MAX_TEXT)];
    return `${redactText(whole + end.replace(/\p{Nd}[^\p{L}]*$/u, ''))}${ENDS_EARLY}`;
  }
  const withoutSecrets = PATTERNS.reduce((left, [pattern, cut]) => left.replace(pattern, cut), text);
  const withoutRuns = withoutSecrets.replace(DIGIT_RUN, (run) => (isCardLikeRun(run) ? CUT : run));
  // Card data in words.
  return hasCardData(withoutRuns) ? CUT : withoutRuns;
}

/** Full-width digits count as ASCII digits. */
const isCardLikeRun = (run: string) => isCardLike(run.normalize('NFKC').replace(/\D/g, ''));

/** 12 to 19 digits with a valid check digit (ISO/IEC 7812-1), also within a longer run. */
function isCardLike(digits: string): boolean {
  if (digits.length <= 19) return hasCheckDigit(digits);
  if (digits.length > MAX_RUN) return true;
  const starts = Array.from({ length: digits.length - 12 }, (_, start) => start);
  return starts.some((start) =>
    [13, 14, 15, 16, 17, 18, 19].some(
      (length) => start + length <= digits.length && hasCheckDigit(digits.slice(start, start + length)),
    ),
  );
}

/** Redacts a parsed JSON value. */
function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return isCardLikeNumber(value) ? CUT : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return CUT;
  if (Array.isArray(value)) return isCardInParts(value) ? CUT : value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const { redactedName, isSecret } = judgeName(name);
      return [
        redactedName,
        isSecret && item !== null && typeof item !== 'boolean' ? CUT : redactValue(item, depth + 1),
      ];
    }),
  );
}

interface JudgedName {
  redactedName: string;
  isSecret: boolean;
}

/** Cache of up to {@link MAX_NAMES} field names: judging names takes most of the time here. */
const judgedNames = new Map<string, JudgedName>();
const MAX_NAMES = 500;
const MAX_NAME = 64;

function judgeName(name: string): JudgedName {
  const known = judgedNames.get(name);
  if (known !== undefined) return known;
  const judged = { redactedName: redactText(name), isSecret: isSecretName(name) };
  if (judgedNames.size < MAX_NAMES && name.length <= MAX_NAME) judgedNames.set(name, judged);
  return judged;
}

/** `["4242", "4242", "4242", "4242"]`. */
function isCardInParts(values: readonly unknown[]): boolean {
  const isShort = (value: unknown) => /^\p{Nd}{1,8}$/u.test(String(value));
  return values.length > 1 && values.every(isShort) && (values.join(' ').match(DIGIT_RUN) ?? []).some(isCardLikeRun);
}

function isCardLikeNumber(value: number): boolean {
  const digits = String(Math.abs(value)).replace(/\D/g, '');
  return digits.length >= 12 && isCardLike(digits);
}

/** For unknown fields, and values of a kind that the field does not accept, only the name is stored. */
function redactKnown(value: unknown, known: Known): unknown {
  if (value === null || typeof value === 'boolean') return value;
  const isScalar = typeof value !== 'object';
  switch (known.kind) {
    case 'value':
      return isScalar ? redactValue(value) : CUT;
    case 'list':
      if (!Array.isArray(value) || isCardInParts(value)) return CUT;
      return value.map((entry) => redactKnown(entry, known.entry));
    case 'object':
      return isScalar || Array.isArray(value) ? CUT : redactFields(value, (name) => known.fields.get(name));
    case 'map':
      return isScalar || Array.isArray(value) ? CUT : redactFields(value, () => known.entry);
  }
}

function redactFields(value: object, knownOf: (name: string) => Known | undefined): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const { redactedName, isSecret } = judgeName(name);
      const known = knownOf(name);
      if (item === null || typeof item === 'boolean') return [redactedName, item];
      if (name === PHONE && known !== undefined && typeof item === 'string') return [redactedName, masked(item)];
      return [redactedName, known === undefined || isSecret ? CUT : redactKnown(item, known)];
    }),
  );
}

/**
 * Redacts the JSON text of a request or answer, up to {@link MAX_BODY} characters. Null if there was none.
 * @param known the fields of the operation, for a request
 */
export function redactBody(text: string, known?: Known): string | null {
  if (text === '') return null;
  if (text.length > MAX_PARSED) return known === undefined ? redactText(text) : CUT;
  const value = parsed(text);
  // Anything could be in it.
  if (value === undefined) return '[no JSON]';
  return shorten(JSON.stringify(known === undefined ? redactValue(value) : redactKnown(value, known)), MAX_BODY);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Redacts path and query. Values of secret and of unknown parameters are cut. */
export function redactPath(url: string, known?: Known): string {
  const isUnknown = (name: string) => known?.kind === 'object' && !known.fields.has(name);
  const [path = '', query] = url.split('?', 2);
  if (query === undefined) return shorten(redactText(decoded(path)), MAX_PATH);
  const parameters = query.split('&').map((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2).map(decoded);
    if (isUnknown(name)) return `${redactText(name)}=${CUT}`;
    if (name === PHONE) return `${name}=${masked(value)}`;
    return isSecretName(name) ? `${name}=${CUT}` : redactText(`${name}=${value}`);
  });
  return shorten(`${redactText(decoded(path))}?${parameters.join('&')}`, MAX_PATH);
}

/** A card number may be percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).replaceAll('\0', '');
  } catch {
    return text;
  }
}

function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}${ENDS_EARLY}` : text;
}
