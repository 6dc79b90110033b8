/** The request schema against anything at all: it accepts what the interface accepts, and refuses the rest by name. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../contract/errors.ts';
import { parseBody } from '../validation.ts';
import { CreateCheckoutRequest } from './create-checkout.ts';

const shortText = (max: number) =>
  fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N}\p{P} ]*$/u).map((text) => [...text].slice(0, max).join(''));

const validRequest = fc
  .record(
    {
      merchant_id: fc.constant('mer_demo_diner'),
      amount_cents: fc.integer({ min: 1, max: 99_999_999 }),
      caller_phone: fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }).map((digits) => `+1${digits}`),
      order_id: shortText(255),
      platform_call_id: shortText(255),
      return_to: fc.constantFrom('sip:agent@example.com', 'tel:+15550101234', 'https://example.com/', '+15550101234'),
      success_message: shortText(500),
      failure_message: shortText(500),
      metadata: fc.dictionary(
        fc.string({ maxLength: 40 }),
        fc.oneof(
          fc.string({ maxLength: 500 }),
          fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
          fc.boolean(),
          fc.constant(null),
        ),
        { maxKeys: 50 },
      ),
      ttl_seconds: fc.integer({ min: 60, max: 86_400 }),
    },
    { requiredKeys: ['merchant_id', 'amount_cents'] },
  )
  // JSON knows no `__proto__` of ours: the parser has refused it before.
  .filter((body) => !Object.hasOwn(body.metadata ?? {}, '__proto__'));

test('a valid request is unchanged', () => {
  fc.assert(
    fc.property(validRequest, (body) => {
      expect(parseBody(CreateCheckoutRequest, body)).toEqual(body);
    }),
  );
});

const FIELDS = Object.keys(CreateCheckoutRequest.shape);

test('any value in a field is accepted, or refused with that field’s name', () => {
  fc.assert(
    fc.property(validRequest, fc.constantFrom(...FIELDS), fc.jsonValue(), (body, field, value) => {
      const error = errorOf({ ...body, [field]: value });
      if (error === null) return;
      expect(['invalid_value', 'invalid_ttl']).toContain(error.code);
      expect(error.code === 'invalid_ttl').toBe(field === 'ttl_seconds');
      expect(error.facts.param?.split('.')[0]).toBe(field);
    }),
  );
});

test('any body is accepted, or refused with an ApiError', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const error = errorOf(body);
      if (error !== null) expect(error.status).toBe(400);
    }),
  );
});

test.each([
  [{ amount_cents: 1 }, 'merchant_id'],
  [{ merchant_id: 'mer_1' }, 'amount_cents'],
  [{}, 'merchant_id'],
])('%j lacks %s', (body, param) => {
  expect(errorOf(body)).toMatchObject({ code: 'missing_required_fields', facts: { param } });
});

test('a name of the client’s own is not repeated in param', () => {
  const metadata = { '<script>': [5] };
  expect(errorOf({ merchant_id: 'mer_1', amount_cents: 1, metadata })?.facts.param).toBe('metadata');
});

/** Null when the body is accepted. Anything else than an ApiError is a bug and comes out. */
function errorOf(body: unknown): ApiError | null {
  try {
    parseBody(CreateCheckoutRequest, body);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
