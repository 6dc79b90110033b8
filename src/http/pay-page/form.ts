/**
 * Parses the page's forms (application/x-www-form-urlencoded) from their bytes. Card data goes into Secrets character by
 * character and is never a string. The bytes are zeroed afterwards.
 */
import { Secret } from '../../domain/secret.ts';
import type { FieldName } from '../../languages/page.ts';

/** The value of a card field. */
export interface Typed {
  /** Digits only; letters too in a postal code. Separators are removed. */
  characters: Secret;
  /** Whether the field had characters that do not belong there. */
  isOdd: boolean;
}

/** The card fields of the form. */
export type TypedCard = Partial<Record<FieldName, Typed>>;

/** A parsed form. Its receiver must wipe the card. */
export class PageForm {
  /** Fields without secrets. If a name repeats, the first value counts. */
  readonly fields: ReadonlyMap<string, string>;
  readonly card: TypedCard;

  constructor(fields: ReadonlyMap<string, string>, card: TypedCard) {
    this.fields = fields;
    this.card = card;
  }

  wipe(): void {
    for (const { characters } of Object.values(this.card)) characters.wipe();
  }
}

/** No card field is longer. Further characters are dropped, and the field is marked as odd. */
const MAX_CHARACTERS = 24;
const MAX_FIELDS = 40;

const [AMPERSAND, EQUALS, PLUS, PERCENT, SPACE] = [0x26, 0x3d, 0x2b, 0x25, 0x20];

/** @param bytes the body, which is zeroed */
export function parsePageForm(bytes: Buffer): PageForm {
  const fields = new Map<string, string>();
  const card: TypedCard = {};
  for (const pair of split(bytes, AMPERSAND).slice(0, MAX_FIELDS)) {
    const [name, value] = nameAndValue(pair);
    const allowed = CARD_CHARACTERS[name as FieldName];
    if (allowed !== undefined) card[name as FieldName] ??= typedFrom(value, allowed);
    else if (!fields.has(name)) fields.set(name, decoded(value).toString('utf8'));
  }
  bytes.fill(0);
  return new PageForm(fields, card);
}

const CARD_CHARACTERS: Readonly<Record<FieldName, RegExp>> = {
  number: /^\d$/,
  expiry: /^\d$/,
  security_code: /^\d$/,
  postal_code: /^[\dA-Za-z]$/,
};
/** People write numbers in groups and dates with a slash. A no-break space is two bytes in UTF-8. */
const SEPARATOR = /^[ \t\-./\u00a0\u00c2]$/;

function typedFrom(value: Buffer, allowed: RegExp): Typed {
  let characters = Secret.empty();
  let isOdd = false;
  const bytes = decoded(value);
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (allowed.test(character) && characters.length < MAX_CHARACTERS) {
      const one = Secret.of(character);
      characters = characters.append(one);
      one.wipe();
    } else if (!SEPARATOR.test(character)) {
      isOdd = true;
    }
  }
  bytes.fill(0);
  return { characters, isOdd };
}

function split(bytes: Buffer, separator: number): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, from)) {
    parts.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return [...parts, bytes.subarray(from)];
}

function nameAndValue(pair: Buffer): [name: string, value: Buffer] {
  const at = pair.indexOf(EQUALS);
  if (at < 0) return [decoded(pair).toString('utf8'), Buffer.alloc(0)];
  return [decoded(pair.subarray(0, at)).toString('utf8'), pair.subarray(at + 1)];
}

/** `+` is a space, `%2F` a slash (URL Standard, 5.1). @returns a copy */
function decoded(value: Buffer): Buffer {
  const bytes = Buffer.alloc(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at += 1) {
    const byte = value[at];
    const hex = byte === PERCENT ? value.toString('latin1', at + 1, at + 3) : '';
    if (/^[\da-f]{2}$/i.test(hex)) at += 2;
    bytes[length] = /^[\da-f]{2}$/i.test(hex) ? Number.parseInt(hex, 16) : byte === PLUS ? SPACE : (byte ?? 0);
    length += 1;
  }
  return bytes.subarray(0, length);
}
