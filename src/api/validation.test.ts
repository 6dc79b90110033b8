import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ApiError } from '../domain/errors.ts';
import { SaveCardRequest } from './schemas/callers.ts';
import { CreateCheckoutRequest } from './schemas/create-checkout.ts';
import { ChangeMerchantRequest } from './schemas/merchants.ts';
import { parseBody } from './validation.ts';

const CHECKOUT = { merchant_id: 'mer_1', amount_cents: 1 };
const CARD = { merchant_id: 'mer_1', caller_phone: '+15550101234', token: 'tok_visa' };

function refusal(schema: z.ZodType, body: unknown): string {
  try {
    parseBody(schema, body);
  } catch (error) {
    if (error instanceof ApiError) return error.facts.message ?? error.code;
    throw error;
  }
  throw new Error('it was accepted');
}

test.each<[string, z.ZodType, unknown]>([
  ['amount_cents is not an integer.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: 42.5 }],
  ['amount_cents is not a number.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: '4250' }],
  ['amount_cents is less than 1.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: 0 }],
  ['amount_cents is more than 99999999.', CreateCheckoutRequest, { ...CHECKOUT, amount_cents: 1e8 }],
  ['caller_phone is not a phone number in E.164.', CreateCheckoutRequest, { ...CHECKOUT, caller_phone: '555' }],
  [
    'success_message is longer than 500 characters.',
    CreateCheckoutRequest,
    { ...CHECKOUT, success_message: 'x'.repeat(501) },
  ],
  ['order_id is too short.', CreateCheckoutRequest, { ...CHECKOUT, order_id: '' }],
  ['metadata is not an object.', CreateCheckoutRequest, { ...CHECKOUT, metadata: [] }],
  ['token is a card number.', SaveCardRequest, { ...CARD, token: '4242424242424242' }],
  ['email is no email.', SaveCardRequest, { ...CARD, email: 'secret' }],
  ['default is not true or false.', SaveCardRequest, { ...CARD, default: 'yes' }],
  ['return_mode is not one of auto, refer, bridge.', ChangeMerchantRequest, { return_mode: 'teleport' }],
  ['time_zone is not a time zone (IANA).', ChangeMerchantRequest, { time_zone: '+02:00' }],
  ['accepted_brands is too short.', ChangeMerchantRequest, { accepted_brands: [] }],
])('says “%s”', (message, schema, body) => {
  expect(refusal(schema, body).slice(0, message.length)).toBe(message);
});

test('never repeats what a client sent', () => {
  const secret = '4000000000009995';
  for (const name of ['order_id', 'amount_cents', 'caller_phone', 'return_to', 'metadata', 'success_message']) {
    for (const value of [secret, Number(secret), [secret], { [secret]: secret }, { a: { b: secret } }]) {
      const body = { ...CHECKOUT, [name]: value };
      if (!CreateCheckoutRequest.safeParse(body).success)
        expect(refusal(CreateCheckoutRequest, body)).not.toContain(secret);
    }
  }
});
