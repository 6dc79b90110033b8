import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { PageQuery } from './pages.ts';
import { SaveCardRequest } from './routes/cards.ts';
import { CreateCheckoutRequest } from './routes/create-checkout.ts';
import { CreateKeyRequest, RollKeyRequest } from './routes/keys.ts';
import { ChangeMerchantRequest, ConnectProcessorRequest } from './routes/merchant-shapes.ts';
import { SettleChargeRequest } from './routes/settle.ts';
import { parseBody } from './validation.ts';

const CHECKOUT = { merchant_id: 'mer_1', amount_cents: 1 };
const metadata = (value: object) => ({ ...CHECKOUT, metadata: value });
const CARD = { merchant_id: 'mer_1', caller_phone: '+15550101234', token: 'tok_visa' };

function refusal(schema: z.ZodType, body: unknown): string {
  try {
    parseBody(schema, body);
  } catch (error) {
    if (error instanceof ApiError) return error.facts.message ?? error.code;
    throw error;
  }
  throw new Error('the body was accepted');
}

test.each<[string, z.ZodType, unknown]>([
  ['`amount_cents` must be an integer.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: 42.5 }],
  ['`amount_cents` must be a number.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: '4250' }],
  ['`amount_cents` must be at least 1.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: 0 }],
  ['`amount_cents` must be at most 99999999.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: 1e8 }],
  ['`amount_cents` must be at most 99999999.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: 1e30 }],
  ['`amount_cents` must be at least 1.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: -1e30 }],
  [
    '`caller_phone` must be a phone number in E.164 format, such as +15550101234.',
    CreateCheckoutRequest,
    { ...CHECKOUT, caller_phone: '555' },
  ],
  [
    '`success_message` must not be longer than 500 characters.',
    CreateCheckoutRequest,
    { ...CHECKOUT, success_message: 'x'.repeat(501) },
  ],
  ['`order_id` must be a string.', CreateCheckoutRequest, { ...CHECKOUT, order_id: 0 }],
  ['`metadata` must be an object.', CreateCheckoutRequest, { ...CHECKOUT, metadata: [] }],
  ['`token` must not be a card number.', SaveCardRequest, { ...CARD, token: '4242424242424242' }],
  ['`email` must be a valid email.', SaveCardRequest, { ...CARD, email: 'secret' }],
  ['`default` must be true or false.', SaveCardRequest, { ...CARD, default: 'yes' }],
  ['`return_mode` must be one of auto, refer, bridge.', ChangeMerchantRequest, { return_mode: 'teleport' }],
  ['`time_zone` must be an IANA time zone, such as Europe/Berlin.', ChangeMerchantRequest, { time_zone: '+02:00' }],
  ['`accepted_brands` must not be empty.', ChangeMerchantRequest, { accepted_brands: [] }],
  ['`business_name` must contain visible characters.', ChangeMerchantRequest, { business_name: ' \u200b' }],
  ['`business_name` must be on one line.', ChangeMerchantRequest, { business_name: 'Corner\nBakery' }],
  ['`business_name` must be on one line.', ChangeMerchantRequest, { business_name: 'Corner\u2028Bakery' }],
  [
    '`business_name` must not contain characters that change the direction of text, such as U+202E.',
    ChangeMerchantRequest,
    { business_name: 'Corner\u202eBakery' },
  ],
  [
    '`success_message` must not contain characters that change the direction of text, such as U+202E.',
    CreateCheckoutRequest,
    { ...CHECKOUT, success_message: '\u2066Thank you.' },
  ],
  [
    '`line_items.0.name` must not contain characters that change the direction of text, such as U+202E.',
    CreateCheckoutRequest,
    { ...CHECKOUT, line_items: [{ name: 'Soup\u200f', quantity: 1, amount_cents: 4250 }] },
  ],
  ['`page_support_email` must be an email address.', ChangeMerchantRequest, { page_support_email: 'a\u202e@b.com' }],
  ['`success_message` must contain visible characters.', CreateCheckoutRequest, { ...CHECKOUT, success_message: '  ' }],
  ['`name` must be on one line.', CreateKeyRequest, { name: 'a\tb' }],
  ['`limit` must be an integer from 1 to 100.', PageQuery, { limit: '1e1' }],
  ['`limit` must be an integer from 1 to 100.', PageQuery, { limit: '101' }],
  ['`metadata.a` must be a string, a number, true, false or null.', CreateCheckoutRequest, metadata({ a: [] })],
  [
    '`metadata` has an invalid name: it must not be longer than 40 characters.',
    CreateCheckoutRequest,
    metadata({ ['x'.repeat(41)]: '' }),
  ],
  [
    '`credentials` has an invalid name: it must match',
    ConnectProcessorRequest,
    { processor: 'a', credentials: { 'a b': 'c' } },
  ],
  ['`order_source.type` must be one of none, sandbox, http.', ChangeMerchantRequest, { order_source: { type: 'pos' } }],
])('rejects with the message “%s”', (message, schema, body) => {
  expect(refusal(schema, body).slice(0, message.length)).toBe(message);
});

test.each([null, ''])('treats %j in an optional field as absent', (nothing) => {
  const given = { ...CHECKOUT, success_message: 'Thank you.' };
  const texts = ['merchant_number', 'caller_phone', 'order_id', 'platform_call_id', 'return_to', 'failure_message'];
  const absent = Object.fromEntries([...texts, 'metadata', 'ttl_seconds'].map((name) => [name, nothing]));
  expect(parseBody(CreateCheckoutRequest, { ...given, ...absent })).toEqual(given);
  expect(parseBody(ChangeMerchantRequest, { business_name: nothing, payment_policy: nothing })).toEqual({});
  expect(() => parseBody(CreateCheckoutRequest, { merchant_id: nothing, amount_cents: 1 })).toThrow(
    expect.objectContaining({ code: 'missing_required_fields' }),
  );
});

test('keeps null in fields that accept it', () => {
  const body = { voice: null, return_mode: null };
  expect(parseBody(ChangeMerchantRequest, body)).toEqual(body);
  expect(parseBody(CreateCheckoutRequest, metadata({ a: null, b: '' }))).toMatchObject({
    metadata: { a: null, b: '' },
  });
});

test.each(['anonymous', 'Anonymous', 'unavailable', 'unknown', 'RESTRICTED'])(
  '%j is parsed as a withheld number',
  (withheld) => {
    expect(parseBody(CreateCheckoutRequest, { ...CHECKOUT, caller_phone: withheld }).caller_phone).toBeNull();
  },
);

test.each<[string, string, z.ZodType, unknown]>([
  ['missing_required_fields', 'merchant_id', CreateCheckoutRequest, { amount_cents: 1 }],
  ['missing_required_fields', 'amount_cents', CreateCheckoutRequest, { merchant_id: 'mer_1' }],
  ['missing_required_fields', 'merchant_id', CreateCheckoutRequest, {}],
  ['missing_required_fields', 'outcome', SettleChargeRequest, {}],
  ['invalid_value', 'outcome', SettleChargeRequest, { outcome: 'paid' }],
  ['missing_required_fields', 'order_source.type', ChangeMerchantRequest, { order_source: {} }],
  // Names that the client chose are not repeated.
  ['invalid_value', 'metadata', CreateCheckoutRequest, metadata({ '<script>': [5] })],
  ['missing_required_fields', 'order_source.url', ChangeMerchantRequest, { order_source: { type: 'http' } }],
  ['invalid_url', 'order_source.url', ChangeMerchantRequest, { order_source: { type: 'http', url: '' } }],
  ['invalid_value', 'body', ChangeMerchantRequest, null],
  ['invalid_value', 'body', ChangeMerchantRequest, []],
  ['invalid_value', 'expires_in', RollKeyRequest, { expires_in: 0 }],
  ['invalid_value', 'mode', CreateKeyRequest, { mode: 'live' }],
])('returns %s with the param %s', (code, param, schema, body) => {
  expect(() => parseBody(schema, body)).toThrow(
    expect.objectContaining({ code, facts: expect.objectContaining({ param }) }),
  );
});

test('treats a missing body as an empty object', () => {
  expect(parseBody(CreateKeyRequest, undefined)).toEqual({});
});

test('never repeats a value from the request', () => {
  const secret = '4000000000009995';
  for (const name of ['order_id', 'amount_cents', 'caller_phone', 'return_to', 'metadata', 'success_message']) {
    for (const value of [secret, Number(secret), [secret], { [secret]: secret }, { a: { b: secret } }]) {
      const body = { ...CHECKOUT, [name]: value };
      if (!CreateCheckoutRequest.safeParse(body).success)
        expect(refusal(CreateCheckoutRequest, body)).not.toContain(secret);
    }
  }
});
