/**
 * Finds card data in free text: a card number of 13 to 19 digits, in one piece, with gaps or spelled in words, or
 * a security code that is named as one. Agents write down what callers say ("four two four two …"), and it would reach
 * the record, the log and the webhooks. Other numbers that look like a card number are found, too.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { brandOf, passesLuhn } from './card.ts';
import { Secret } from './secret.ts';
import { DIGIT_WORDS, readSpokenDigits } from './spoken-digits.ts';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** ITU-T E.164, 6.1. Without a plus, a number of 15 digits is more probably an American Express card. */
const MAX_PHONE_DIGITS = { withPlus: 15, withoutPlus: 14 };

/** Adjacent digits in a text. */
interface Group {
  digits: string;
  /** Letters directly before or after: `visa4242…`, `…4242x`. */
  hasLettersBefore: boolean;
  hasLettersBehind: boolean;
  /** A plus directly before, as in an international phone number. */
  hasPlus: boolean;
  /** After the gap of a list: {@link LIST_GAP}. */
  isListed: boolean;
}

/** Whether a text contains card data. */
export function hasCardData(text: string): boolean {
  return readings(text).some((reading) => {
    const plain = plainText(reading);
    return runsOf(plain).some(hasCardNumber) || namesSecurityCode(plain);
  });
}

/** URL-encoded more often, text is read as it is. The limit bounds the cost of a text such as `%25252525…`. */
const MOST_ENCODINGS = 3;

/** The text, and what it may have been before its percent signs were encoded: `4242%2520…` is `4242%20…`. */
function readings(text: string): string[] {
  const all = [text];
  while (all.length < MOST_ENCODINGS) {
    const last = all.at(-1) ?? '';
    if (!last.includes('%25')) break;
    all.push(last.replaceAll('%25', '%'));
  }
  return all;
}

/**
 * Whether a text that should contain no number at all may contain a card number. Also finds one within a longer run of
 * digits or a word, and one that could be a phone number. For processors' IDs and codes.
 */
export function holdsCardNumber(text: string): boolean {
  return [...plainText(text).matchAll(DIGIT_RUN)].some(([run]) => {
    const digits = run.replace(/\D/g, '');
    const isWhole = digits.length <= MAX_DIGITS && isCardNumber(digits, { isWhole: true });
    return isWhole || parts(digits).some((part) => isCardNumber(part, { isWhole: false }));
  });
}

/** Digits with at most one separator between two of them, as in IDs and written card numbers. */
const DIGIT_RUN = /\d(?:[ .:_/-]?\d){12,}/g;

/** All parts of `digits` that are as long as a card number. */
function parts(digits: string): string[] {
  const starts = Array.from({ length: Math.max(0, digits.length - MIN_DIGITS + 1) }, (_, start) => start);
  return starts.flatMap((start) => {
    const longest = Math.min(MAX_DIGITS, digits.length - start);
    return Array.from({ length: longest - MIN_DIGITS + 1 }, (_, more) =>
      digits.slice(start, start + MIN_DIGITS + more),
    );
  });
}

/** Whether a value is a security code according to its name, as in `{"cvv": "123"}`. */
export function isNamedSecurityCode(name: string, value: string | number): boolean {
  const words = plainText(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2')).replace(/[^a-z0-9]+/g, ' ');
  return CODE_NAME.test(words) && ONLY_A_CODE.test(withDigits(plainText(String(value))));
}

/**
 * Lower case, without accents, invisible characters, UUIDs and URL-encoded gaps, with ASCII digits for those of other
 * scripts, and with the parts of a card apart.
 */
function plainText(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
  return plain
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(UUID, 'uuid')
    .replace(/%3a/g, ':')
    .replace(ENCODED_GAP, ' ')
    .replace(JOINING_WORD, ' $1 ');
}

/** The decimal digits of a script are consecutive, from zero to nine (Unicode, 4.6). */
function asciiDigit(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return String(value);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** The gap between two groups of one number. A colon is none, or times of day would look like card numbers. */
const GAP = /^[\s\p{Pd}._,/\\|()[\]{}·•∙⋅*'’;"“”„«»]{1,5}$/u;
/** The gap between numbers that are more often separate ones: `(4711) (2024)`, `4711; 2024`, `"4711" "2024"`. */
const LIST_GAP = /[()[\]{};"“”„«»]/;
/** What stands for a space or a dash in text that is still URL-encoded: `4242+4242`, `4242%204242`. */
const ENCODED_GAP = /(?<=\d)(?:\+|%[0-9a-f]{2})+(?=\d)/g;
/** What joins the parts of a card: `4242424242424242exp1230cvv123`. No hexadecimal number has one of these words. */
const JOINING_WORD = /(?<=\d)(exp|cv[cvn])(?=\d)/g;

/** Groups of digits that may be one number. A word with digits in the middle, such as a hash, ends a group. */
function runsOf(text: string): Group[][] {
  const runs: Group[][] = [];
  let run: Group[] = [];
  let end = 0;
  const words = [...text.matchAll(WORD)];
  for (let place = 0; place < words.length; place += 1) {
    const { 0: word = '', index = 0 } = words[place] ?? {};
    const { group, consumed } = groupAt(words, place, text);
    const last = run.at(-1);
    const goesOn = last !== undefined && !last.hasLettersBehind && GAP.test(text.slice(end, index));
    if (group === null || !goesOn || group.hasLettersBefore) {
      if (run.length > 0) runs.push(run);
      run = [];
    }
    if (group !== null) run.push({ ...group, isListed: run.length > 0 && LIST_GAP.test(text.slice(end, index)) });
    place += consumed - 1;
    const lastWord = words[place];
    end = (lastWord?.index ?? index) + (lastWord?.[0] ?? word).length;
  }
  return run.length > 0 ? [...runs, run] : runs;
}

/** The digits of a word, alone or with the next word: `double four`, `forty two`. */
function groupAt(
  words: readonly RegExpMatchArray[],
  place: number,
  text: string,
): { group: Omit<Group, 'isListed'> | null; consumed: number } {
  const wordAt = (at: number) => words[at]?.[0] ?? '';
  const word = wordAt(place);
  const spoken = readSpokenDigits(word, wordAt(place + 1));
  if (spoken !== null) return { group: groupOf(spoken.digits), consumed: spoken.consumed };
  const [, before, digits, behind] = /^(\p{L}*)(\d+)(\p{L}*)$/u.exec(word) ?? [];
  if (digits === undefined) return { group: null, consumed: 1 };
  const hasPlus = text[(words[place]?.index ?? 0) - 1] === '+';
  const group = { digits, hasLettersBefore: before !== '', hasLettersBehind: behind !== '', hasPlus };
  return { group, consumed: 1 };
}

const groupOf = (digits: string): Omit<Group, 'isListed'> => ({
  digits,
  hasLettersBefore: false,
  hasLettersBehind: false,
  hasPlus: false,
});

function hasCardNumber(run: readonly Group[]): boolean {
  return run.some((first, from) => {
    const groups: Group[] = [];
    let digits = '';
    for (const [place, group] of run.slice(from).entries()) {
      groups.push(group);
      digits += group.digits;
      if (digits.length > MAX_DIGITS) return false;
      if (digits.length < MIN_DIGITS || !isOneNumber(groups)) continue;
      const isWhole = from === 0 && place === run.length - 1;
      if (isCardNumber(digits, { isWhole }) && !isPhoneNumber(digits, first)) return true;
    }
    return false;
  });
}

/**
 * Several numbers in brackets, such as `(4711) (2024) (88123)`, often pass the Luhn check by chance when they are read as
 * one. If all gaps are those of a list, the groups must be as card numbers are written. If only some are, as in
 * `(4242) 4242 4242 4242`, any groups can be one number.
 */
function isOneNumber(groups: readonly Group[]): boolean {
  if (groups.length === 1 || groups.slice(1).some(({ isListed }) => !isListed)) return true;
  const sizes = groups.map(({ digits }) => digits.length).join('-');
  return CARD_GROUPS.some((usual) => usual.test(sizes));
}

/** The sizes of the groups that card numbers are written in. */
const CARD_GROUPS: readonly RegExp[] = [
  // Fours, also several in one group. The rest may be shorter.
  /^(?:(?:4|8|12|16)-)*(?:[1-4]|8|12|16)$/,
  // American Express and Diners.
  /^(?:4-6-[45]|4-1[01]|10-[45])$/,
  // Visa’s short numbers.
  /^4-3-3-3$/,
  // The issuer’s digits or the last four alone.
  /^(?:6-\d+|6-\d+-4|6-2-4-4|\d+-4)$/,
  // As spoken: digits and pairs, or threes.
  /^(?:[12]-)+[12]$/,
  /^(?:[12]-)?(?:3-)+[1-3]$/,
];

/**
 * @param of.isWhole whether it is the whole run of digits. A part of a run matches more easily by chance, so it must
 * have a length of its brand.
 */
function isCardNumber(digits: string, { isWhole }: { isWhole: boolean }): boolean {
  const number = Secret.of(digits);
  try {
    const brand = passesLuhn(number) ? brandOf(number) : null;
    return brand !== null && (isWhole || brand.lengths.includes(digits.length));
  } finally {
    number.wipe();
  }
}

/**
 * A plus alone proves nothing: a card number can have one, too. The number must be in a range that its country has
 * assigned.
 */
function isPhoneNumber(digits: string, { hasPlus }: Pick<Group, 'hasPlus'>): boolean {
  const longest = hasPlus ? MAX_PHONE_DIGITS.withPlus : MAX_PHONE_DIGITS.withoutPlus;
  return digits.length <= longest && parsePhoneNumberFromString(`+${digits}`)?.isValid() === true;
}

const CODE_WORDS = [
  '(?:card ?)?cv[cvn] ?2?',
  'csc',
  'cvd',
  'card ?verification',
  '(?:card ?)?security ?(?:code|number)',
  'card ?code',
  'codigo de seguridad',
  'code de securite',
  'cryptogramme(?: visuel)?',
  '(?:karten ?)?pruf(?:nummer|ziffer)',
  'sicherheitscode',
].join('|');
const CODE_NAME = new RegExp(`(?:^| )(?:${CODE_WORDS})(?: ?(?:code|number|value|no))?(?: |$)`);
const CODE = String.raw`(?:\d{3,4}|\d(?:[\s,.-]{1,2}\d){2,3})(?!\d)`;
const ONLY_A_CODE = new RegExp(`^[^a-z0-9]*${CODE}[^a-z0-9]*$`);
/** `cvv: 123`, `the security code is 1 2 3`. */
const NAMED_CODE = new RegExp(
  `(?<![a-z0-9])(?:${CODE_WORDS})[^a-z0-9]{0,4}(?:(?:is|es|est|ist|code|number|value|no|nr)[^a-z0-9]{1,4}){0,2}${CODE}(?![a-z])`,
);

const namesSecurityCode = (plain: string) => NAMED_CODE.test(withDigits(plain.replaceAll(/[_-]/g, ' ')));

/** Replaces the words for digits with digits. */
function withDigits(plain: string): string {
  return plain.replace(WORD, (word) => DIGIT_WORDS.get(word) ?? word);
}
