import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { isValidPhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { hasCardData, holdsCardNumber, isNamedSecurityCode } from './card-data.ts';

describe('card data is found', () => {
  test.each([
    '4242424242424242',
    'card 4242 4242 4242 4242 exp 12/28',
    '4242424242424242exp1230',
    'card4242424242424242EXP12/30CVV123',
    '4242424242424242cvc123',
    '1230cvv123',
    '4242-4242-4242-4242',
    '4242–4242–4242–4242',
    '4242 - 4242 - 4242 - 4242',
    '4242.4242.4242.4242',
    '4242_4242_4242_4242',
    '(4242) 4242 4242 4242',
    '[4242] [4242] [4242] [4242]',
    '(4242) - (4242) - (4242) - (4242)',
    '(4242) (4242), (4242), (4242)',
    '(42424242) (42424242)',
    '(424242) (424242) (4242)',
    '(3782) (822463) (10005)',
    '(3782) (82246310005)',
    '(3056) (930902) (5904)',
    '(4222) (222) (222) (222)',
    '(17) (4242) (4242) (4242) (4242) (2024)',
    '(42) (424) 2424 242 (4242)',
    '(4) (2) (4) (2) (4) (2) (4) (2) (4) (2) (4) (2) (4) (2) (4) (2)',
    '(4) (2) (42) (42) (42) (42) (42) (42) (42)',
    '(424) (242) (424) (242) (424) (2)',
    '(four) (two) (four) (two) (four) (two) (four) (two) (four) (two) (four) (two) (four) (two) (four) (two)',
    '4242;4242;4242;4242',
    '4242; 4242; 4242; 4242',
    '"4242" "4242" "4242" "4242"',
    '"4242","4242","4242","4242"',
    '“4242” „4242“ «4242» "4242"',
    '4242·4242·4242·4242',
    '4242 • 4242 • 4242 • 4242',
    '4242/4242/4242/4242',
    '4242\u00a04242\u202f4242\u20074242',
    '4242+4242+4242+4242',
    '4242%204242%204242%204242',
    '4242%C2%A04242%2D4242%2d4242',
    '4242%25204242%25204242%25204242',
    '4242%252D4242%252d4242%25C2%25A04242',
    '4242%2525204242%2525204242%2525204242',
    '4242%254242%254242%254242',
    "4'242'424'242'424'242",
    '4242|4242*4242\\4242',
    '+4242 (4242) 4242 4242',
    '⑷⑵⑷⑵⑷⑵⑷⑵⑷⑵⑷⑵⑷⑵⑷⑵',
    '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2',
    '4242\n4242\n4242\n4242',
    '4242 4242 4242 4242',
    '42\u200b4242424242\u200b4242\u200b42',
    'visa4242424242424242',
    'pan=4242424242424242&x=1',
    '3782 822463 10005',
    '5555555555554444.',
    '6011111111111117',
    '30569309025904',
    '4222222222222',
    '+378282246310005',
    '+3782 822463 10005',
    'call +378282246310005, please',
    '+30569309025904',
    '+4222222222222',
    '+4242424242424242',
    '+4242 4242 4242 4242',
    '+6011000990139424',
    '６４２ is my table, ４２４２４２４２４２４２４２４２ my card',
    '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢',
    'order 17, 4242 4242 4242 4242, two pizzas',
    '4242 4242 4242 4242 12 28 123',
    'four two four two four two four two four two four two four two four two',
    'The card is Four-Two, four two; no: four two four two, four two four two four two four two four two four two.',
    'double four double two 4242 4242 4242 4242',
    'forty-two forty-two forty-two forty-two forty two forty two forty two forty two',
    'five five five five five five five five five five five five four four four four',
    'cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos',
    'quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux',
    'vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei',
    'fünf fünf fünf fünf fünf fünf fünf fünf fünf fünf fünf fünf vier vier vier vier',
    'cvv: 123',
    'CVV2=1234',
    'the security code is 123',
    'security-code 1 2 3',
    'cvc one two three',
    'My CVC is 737, thank you',
    'card verification value: 999',
    'código de seguridad 123',
    'Prüfnummer: 123',
    'cryptogramme visuel 123',
  ])('in %j', (text) => {
    expect(hasCardData(text)).toBe(true);
  });

  test.each([
    ['cvv', '123'],
    ['cvv', 123],
    ['CVC', '0123'],
    ['cardCvv', '123'],
    ['card_cvv2', '123'],
    ['securityCode', '1 2 3'],
    ['card-security-code', 1_234],
    ['csc', 'one two three'],
    ['cvv_code', '123'],
  ])('as %j: %j', (name, value) => {
    expect(isNamedSecurityCode(name, value)).toBe(true);
  });
});

describe('no card data is found', () => {
  test.each([
    '',
    'order_1001',
    '+4915112345678',
    '4915112345678',
    '+14155550123',
    'call me at +55 11 91234 5678 or (415) 555-0123',
    '+390612345678901',
    '+49 (151) 12345009',
    '+49 (0)151 12345009',
    '+55 (11) 91234-5601',
    '(+43) 660/123456709',
    '00 49 (151) 12345009',
    '+1 (415) 555-0123, +49 151 12345678',
    '2026-11-30 01:25:22.123456 (4)',
    '$1,234.50 (2), $99.00 (1), $4,242.42 (3)',
    'table (42), 42% + 42%',
    'Order (4711) (2024) (88100) (12)',
    'Order (4711) (2024) (88103) (7)',
    '[4711], [2024], [88106], [12]',
    'items "4711" "2024" "88100" "12"',
    'items 4711; 2024; 88100; 12',
    '2026-11-23T18:25:22.123Z',
    '1763922322000',
    '1763922322000123',
    '1763922322.12345',
    '550e8400-e29b-41d4-a716-446655440000',
    'CA4f2d8a9c1e4242424242424242b7c6d5',
    '4711exp1230',
    '4242424242424241',
    '9999999999999995',
    'two pizzas, one cola, four forks',
    '12.50, 3.75, 4.25, 8.00 and 11.20',
    'https://example.com/a/4242/b/4242/c/4242/d/4242',
    'security code sent',
    'cvv checked: yes',
    'cvv 12',
    'cvv 12345',
    'your pickup code is 1234',
    'table 12, 4 guests, 19:30',
  ])('in %j', (text) => {
    expect(hasCardData(text)).toBe(false);
  });

  test.each([
    ['cvv', 'matched'],
    ['cvv', '12'],
    ['cvv', 12_345],
    ['table', '123'],
    ['pickup_code', '1234'],
    ['cid', '123'],
    ['postal_code', '123'],
  ])('as %j: %j', (name, value) => {
    expect(isNamedSecurityCode(name, value)).toBe(false);
  });

  test('in almost any text with several numbers in brackets', () => {
    let seed = 4_711;
    const below = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * most);
    };
    const number = () => `(${1_000 + below(10 ** (3 + below(3)))})`;
    const texts = Array.from({ length: 20_000 }, () => `Order ${Array.from({ length: 5 }, number).join(' ')}`);
    expect(texts.filter(hasCardData).length).toBeLessThan(texts.length / 100);
  });

  test('in UUIDs, which platforms use as IDs of calls', () => {
    const found = Array.from({ length: 20_000 }, () => `call-${randomUUID()}`).filter(hasCardData);
    expect(found).toEqual([]);
  });

  test('in any phone number with a plus that is valid, however long', () => {
    const long = fc.stringMatching(/^\+(?:49|43|39|55|52|86)[1-9]\d{8,12}$/);
    const number = fc.oneof(fc.stringMatching(/^\+[1-9]\d{6,14}$/), long).filter((text) => isValidPhoneNumber(text));
    fc.assert(fc.property(number, (text) => void expect(hasCardData(`from ${text}`)).toBe(false)));
  });

  test('in a valid phone number with a plus that is a card number, too', () => {
    for (const number of VALID_PHONES_LIKE_CARDS) {
      expect([number, isValidPhoneNumber(number), holdsCardNumber(number)]).toEqual([number, true, true]);
      expect(hasCardData(`from ${number}`)).toBe(false);
      const phone = parsePhoneNumberWithError(number);
      for (const written of [phone.formatInternational(), phone.formatNational(), phone.getURI()])
        expect([written, hasCardData(written)]).toEqual([written, false]);
    }
  });
});

/** Mobile numbers of Germany, Austria and Brazil. They begin like a card and pass the Luhn check. */
const VALID_PHONES_LIKE_CARDS = ['+4915112345009', '+43660123456709', '+5511912345601'];

/** The last digit of a number that passes the Luhn check. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

const WORDS = {
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  es: ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'],
  fr: ['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf'],
  de: ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'],
};

const cardNumber = fc
  .tuple(
    fc.constantFrom('4', '51', '55', '2221', '2720', '34', '37', '6011', '65', '62'),
    fc.integer({ min: 15, max: 19 }),
  )
  .chain(([prefix, length]) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), {
        minLength: length - prefix.length - 1,
        maxLength: length - prefix.length - 1,
      })
      .map((rest) => withCheckDigit(prefix + rest.join(''))),
  );

/** A number in the usual groups. */
const IN_GROUPS: readonly ((number: string) => readonly string[])[] = [
  (number) => number.match(/.{1,4}/g) ?? [],
  (number) => number.match(/^.{8}|.{1,4}/g) ?? [],
  (number) => [number.slice(0, 6), number.slice(6, -4), number.slice(-4)],
  (number) => [number.slice(0, -4), number.slice(-4)],
  (number) => [...number],
];

describe('for every number, card data is found', () => {
  test('with any gaps, and among other words', () => {
    const gap = fc.constantFrom('', '', ' ', '-', ' - ', '.', ', ', '\u00a0', '\u200b', '\n', ') (', '·', '+', '%20');
    const around = fc.constantFrom('', 'card ', 'it is: ', '(', '"');
    const written = fc.tuple(cardNumber, fc.array(gap, { minLength: 19, maxLength: 19 }), around);
    fc.assert(
      fc.property(written, ([number, gaps, before]) => {
        const text = before + [...number].map((digit, place) => (place === 0 ? '' : gaps[place - 1]) + digit).join('');
        expect(hasCardData(text)).toBe(true);
      }),
    );
  });

  test('in the usual groups, however these are separated', () => {
    const gap = fc.constantFrom(') (', '], [', '} {', ')(', ';', '; ', '" "', '","', '» «', '%2520', '%252D', ' - ');
    const written = fc.tuple(cardNumber, fc.constantFrom(...IN_GROUPS), gap, fc.constantFrom('', 'Order (', '"'));
    fc.assert(
      fc.property(written, ([number, groups, between, before]) => {
        expect(hasCardData(before + groups(number).join(between))).toBe(true);
      }),
    );
  });

  test('in words of each language, mixed with digits', () => {
    const language = fc.constantFrom(...Object.values(WORDS));
    const isSpoken = fc.array(fc.boolean(), { minLength: 19, maxLength: 19 });
    const gap = fc.constantFrom(' ', '-', ', ', '. ');
    fc.assert(
      fc.property(cardNumber, language, isSpoken, gap, (number, words, spoken, between) => {
        const said = [...number].map((digit, place) => (spoken[place] ? (words[Number(digit)] ?? '') : digit));
        expect(hasCardData(`My card: ${said.join(between)}`)).toBe(true);
      }),
    );
  });

  test('and any text is checked without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void expect(hasCardData(text)).toBeTypeOf('boolean')),
    );
  });
});

describe('a text that should contain no number at all', () => {
  test.each([
    '4242424242424242',
    'pay-4242424242424242',
    '4242-4242-4242-4242',
    '4242.4242.4242.4242',
    '4242 4242 4242 4242',
    '378282246310005',
    '6011000990139424',
    '0004242424242424242000',
    'x5555555555554444y',
    'a1b4242424242424242c',
    '4222222222222',
    '４２４２４２４２４２４２４２４２',
  ])('%s contains a card number', (text) => {
    expect(holdsCardNumber(text)).toBe(true);
  });

  test.each([
    '4242424242424241',
    '0000000000000000',
    '9999999999999995',
    '424242424242',
    'pi_3MtwBwLkdIwHu7ix28a3tqPa',
    'bP9mAsEMYPUGjjGNaNO5ZDVyLhSZY',
    'sandbox_k7r2m9vqx4hdw6znt3cbyj8pe5',
    '550e8400-e29b-41d4-a716-446655440000',
    '',
  ])('%s contains no card number', (text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });
});
