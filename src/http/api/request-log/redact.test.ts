/**
 * What the request log cuts: every way that a card, a secret or a person may stand in a request, and nothing of use.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { knownFields } from './known-fields.ts';
import { MAX_BODY, redactBody, redactPath, redactText } from './redact.ts';

const CARD = '4242424242424242';

test.each([
  CARD,
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '4242.4242.4242.4242',
  '4242  4242  4242  4242',
  '3782 822463 10005',
  `my card is ${CARD}, thanks`,
  `+${CARD}`,
  `x${CARD}y`,
  `00${CARD}00`,
  `${CARD}${CARD}`,
  '6011 0009 9013 9424',
  '4242,4242,4242,4242',
  '4242\u00a04242\u00a04242\u00a04242',
  '4242\t4242\t4242\t4242',
  '4242\u20134242\u20134242\u20134242',
  '4242   4242   4242   4242',
  '４２４２４２４２４２４２４２４２',
  '4242:4242:4242:4242',
  '4\u200b2\u200b4\u200b2\u200b4242 4242 4242',
])('cuts the card number in %s', (text) => {
  const expected = redactText(text);
  expect(expected).toContain('[cut]');
  expect(expected.replace(/\D/g, '')).toHaveLength(0);
});

test.each([
  ['2026-11-20T12:00:00.000Z'],
  ['order_1001'],
  ['4242424242424243'],
  ['VISA ending 4242'],
  ['cs_wj3degzdpcf54erf5dhqd3dqci'],
  ['123e4567-e89b-12d3-a456-426614174000'],
  ['192.168.100.200'],
  ['amount 4250'],
])('keeps %s', (text) => {
  expect(redactText(text)).toBe(text);
});

test('cuts a card number that is split into the entries of a list', () => {
  expect(redactBody('{"parts": ["4242", 4242, "4242", "4242"], "amounts": [1200, 950]}')).toBe(
    '{"parts":"[cut]","amounts":[1200,950]}',
  );
});

test.each([
  ['EAAAEOuLQObrVwJvCvoio3H13b8Ssqz1ighmTBKZvIENW9qx', 'EAAA[cut]'],
  ['sq0atp-xBrGvb7bCS7vdcSB1v4D3w', 'sq0atp-[cut]'],
  ['rk_live_0123456789abcdef0123', 'rk_live_[cut]'],
  ['Bearer abcdefghijklmnop', 'Bearer [cut]'],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_[cut]'],
  ['sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'sk_test_[cut]'],
  [
    'sip:cs_wj3degzdpcf54erf5dhqd3dqci-u4jhvmgnzgedp95w77zvrmrfv9@pay.example.com',
    'sip:cs_wj3degzdpcf54erf5dhqd3dqci-[cut]@pay.example.com',
  ],
  ['https://pay.example.com/p/abcdefghijkm', 'https://pay.example.com/p/[cut]'],
  ['/v1/charges/u4jhvmgnzgedp95w77zvrmrfv9', '/v1/charges/[cut]'],
  ['the session 3q2-7wAAb_cdEFghIJklMNopQRstUVwxYZ0123456_8', 'the session [cut]'],
  ['https://me:hidden@orders.example.com/look?token=hidden#x', 'https://[cut]@orders.example.com/look?[cut]#x'],
  ['call +15550101234 back', 'call …34 back'],
  ['write to jane.doe+x@mail.example.com', 'write to [email]'],
  ['email:jane@example.com', 'email:[email]'],
  ['sip:agent@agents.example.com', 'sip:agent@agents.example.com'],
  ['the CVC is 123', 'the CVC is [cut]'],
  ['{"security_code": "1234"}', '{"security_code": "[cut]"}'],
])('%s is %s', (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

test.each([
  'security_code',
  'securityCode',
  'cvc',
  'CVV2',
  'card_cvc',
  'number',
  'card',
  'expiry',
  'pan',
  'card_pan',
  'token',

  'access_token',
  'secret_key',
  'signing_secret',
  'slack_url',
  'password',
  'credentials',
  'key',
  'pin',
  'Authorization',
  'digits',
  'postal_code',
  'first_name',
  'caller_first_name',
  'email',
  'note',
])('cuts all values of the field %s', (name) => {
  for (const value of ['12', 12, { a: '12' }, ['12']]) {
    const body = redactBody(JSON.stringify({ deep: [{ [name]: value }] })) ?? '';
    expect(body).toBe(JSON.stringify({ deep: [{ [name]: '[cut]' }] }));
  }
});

test('keeps IDs, nulls, booleans and plain text', () => {
  const body = {
    key_id: 'key_x',
    tokenization: null,
    key: null,
    asks_postal_code: true,
    keys: [],
    has_more: false,
    code: 'card_declined',
    amount_cents: 4250,
    last_four: '4242',
    public_key: 'x',
    metadata: { table: '12' },
  };
  expect(JSON.parse(redactBody(JSON.stringify(body)) ?? '')).toEqual(body);
});

test('cuts card numbers in numbers, field names and nested values', () => {
  const deep = JSON.parse(`${'['.repeat(40)}"x"${']'.repeat(40)}`);
  const body = redactBody(JSON.stringify({ [CARD]: 1, n: Number(CARD), deep })) ?? '';
  expect(body).not.toContain('4242');
  expect(body).not.toContain('"x"');
});

test.each([
  ['my password is hunter2, thanks', 'my password is [cut], thanks'],
  ['PIN: 4711', 'PIN: [cut]'],
  ['otp=618033', 'otp=[cut]'],
  ['the verification code is 618033', 'the verification code is [cut]'],
  ['{"passcode": "open sesame"}', '{"passcode": "[cut] sesame"}'],
  ['a new password was asked for', 'a new password was asked for'],
])('%s is %s', (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

test('keeps the name and cuts the value of unknown fields and of values of a wrong kind', () => {
  const operation = {
    request: z.object({
      amount_cents: z.int(),
      line_items: z.array(z.object({ name: z.string() })).optional(),
      metadata: z.record(z.string(), z.string()).nullable(),
      source: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), url: z.string() }),
        z.object({ kind: z.literal('b'), path: z.string() }),
      ]),
      phone: z.string().transform((text) => text),
    }),
    query: z.object({ limit: z.int() }),
  };
  const known = knownFields(operation, 'request');
  const body = (value: unknown) => JSON.parse(redactBody(JSON.stringify(value), known) ?? 'null');
  const right = {
    amount_cents: 1,
    line_items: [{ name: 'Soup' }],
    metadata: { table: '12' },
    phone: '12',
    source: { kind: 'b', path: '/x' },
  };
  expect(body(right)).toEqual(right);
  expect(body({ amount: 12, login: 'x', is_new: true, none: null, deep: { a: 'x' } })).toEqual({
    amount: '[cut]',
    login: '[cut]',
    is_new: true,
    none: null,
    deep: '[cut]',
  });
  expect(body({ amount_cents: { a: 'x' }, line_items: 'x', source: 'x' })).toEqual({
    amount_cents: '[cut]',
    line_items: '[cut]',
    source: '[cut]',
  });
  expect(body({ line_items: [{ name: 'Soup', hint: 'x' }, 'x'], source: { kind: 'c', other: 'x' } })).toEqual({
    line_items: [{ name: 'Soup', hint: '[cut]' }, '[cut]'],
    source: { kind: 'c', other: '[cut]' },
  });
  expect(body({ metadata: { table: '12', hint: 'PIN: 4711', otp: '1', deep: { a: 'x' }, list: ['x'] } })).toEqual({
    metadata: { table: '12', hint: 'PIN: [cut]', otp: '[cut]', deep: '[cut]', list: '[cut]' },
  });
  expect([body(['x']), body('x'), body({ constructor: 'x' })]).toEqual(['[cut]', '[cut]', { constructor: '[cut]' }]);
  expect(redactBody('{"a":"x"}', knownFields(undefined, 'request'))).toBe('{"a":"[cut]"}');
  expect(redactPath('/v1/x?limit=2&login=x', knownFields(operation, 'query'))).toBe('/v1/x?limit=2&login=[cut]');
});

test.each([
  ['(555) 010-1234', '…34'],
  ['0151 23456789', '…89'],
  ['555.010.12 34', '…34'],
  ['1234', '…34'],
  ['+1 555 010 1234', '…34'],
  ['+15550101234', '…34'],
])('masks the number of a caller as people write it: %s', (number, expected) => {
  const operation = {
    request: z.object({ caller_phone: z.string() }),
    query: z.object({ caller_phone: z.string(), limit: z.int() }),
  };
  const query = new URLSearchParams({ caller_phone: number, limit: '5' });
  const path = redactPath(`/v1/callers?${query}`, knownFields(operation, 'query'));
  expect(path).toBe(`/v1/callers?caller_phone=${expected}&limit=5`);
  const body = redactBody(JSON.stringify({ caller_phone: number }), knownFields(operation, 'request'));
  expect(body).toBe(JSON.stringify({ caller_phone: expected }));
});

test('replaces a body that is not JSON, and stores null for an empty one', () => {
  expect(redactBody('card=1')).toBe('[no JSON]');
  expect(redactBody('')).toBeNull();
});

test.each([MAX_BODY - 20, MAX_BODY - 5, MAX_BODY, 60_000, 100_000])(
  'shortens a body with a card number at position %i',
  (at) => {
    for (const text of [JSON.stringify({ a: `${'x'.repeat(at)}${CARD}${'y'.repeat(90_000)}` })]) {
      const body = redactBody(text) ?? '';
      expect(body.length).toBeLessThan(MAX_BODY + 20);
      expect(body).not.toMatch(/\d{2}/);
      expect(body).toMatch(/\[cut\]$|\[cut\]"}$/);
    }
  },
);

test('decodes a path before it redacts it', () => {
  expect(redactPath('/v1/cards?caller_phone=%2B15550101234&token=abc&note=4242%204242%204242%204242')).toBe(
    '/v1/cards?caller_phone=…34&token=[cut]&note=[cut]',
  );
  expect(redactPath(`/v1/charges/${CARD}`)).toBe('/v1/charges/[cut]');
  expect(redactPath('/v1/%E0%A4%A')).toBe('/v1/%E0%A4%A');
});
