/** Each request schema with generated values: valid requests pass unchanged, invalid fields are rejected by name. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ErrorCode } from '../../contract/error-catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { EVENT_TYPES } from '../../db/events/events.ts';
import { SAVE_TERMS } from '../../domain/instrument.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { IdentifyRequest } from './routes/callers.ts';
import { ListCardsQuery, SaveCardRequest } from './routes/cards.ts';
import { ChargeRequest } from './routes/charge.ts';
import { CreateCheckoutRequest } from './routes/create-checkout.ts';
import { ListEventsQuery } from './routes/events.ts';
import { CreateKeyRequest, RollKeyRequest } from './routes/keys.ts';
import { ChangeMerchantRequest, ConnectProcessorRequest, CreateMerchantRequest } from './routes/merchant-shapes.ts';
import { LookUpOrderQuery } from './routes/orders.ts';
import { SendLinkRequest } from './routes/send-link.ts';
import { ToolCreateCheckoutRequest } from './routes/tool-create-checkout.ts';
import {
  ChangeWebhookEndpointRequest,
  CreateWebhookEndpointRequest,
  RollSecretRequest,
} from './routes/webhook-endpoint-shapes.ts';
import { parseBody, parseQuery } from './validation.ts';

const word = fc.stringMatching(/^[\x21-\x7e]{1,50}$/);
const words = fc.stringMatching(/^[\p{L}\p{N}]{1,50}$/u);
const amount = fc.integer({ min: 1, max: 99_999_999 });
const phone = fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }).map((digits) => `+1${digits}`);
const url = fc.webUrl({ validSchemes: ['https'] });
const events = fc.uniqueArray(fc.constantFrom(...EVENT_TYPES), { minLength: 1 });
const orderSource = fc.oneof(
  fc.constantFrom({ type: 'none' }, { type: 'sandbox' }),
  url.map((address) => ({ type: 'http', url: address })),
);

const settings = {
  slug: fc.stringMatching(/^[a-z0-9]{1,20}(-[a-z0-9]{1,20})?$/),
  numbers: fc.uniqueArray(phone, { maxLength: 5 }),
  currency: fc.constantFrom(...CURRENCIES),
  payment_policy: fc.constantFrom('never', 'optional', 'always', 'above'),
  payment_policy_amount_cents: fc.option(amount),
  language: fc.constantFrom('en-US', 'de', 'pt-BR', 'zh-Hant-TW'),
  voice: fc.option(words),
  asks_postal_code: fc.boolean(),
  asks_confirmation: fc.boolean(),
  card_saving: fc.constantFrom('never', 'ask'),
  text_after_drop: fc.boolean(),
  return_mode: fc.option(fc.constantFrom('auto', 'refer', 'bridge')),
  accepted_brands: fc.uniqueArray(fc.constantFrom('visa', 'mastercard', 'jcb'), { minLength: 1 }),
  order_source: orderSource,
};
type Fields = Record<string, fc.Arbitrary<unknown>>;

interface Subject {
  schema: z.ZodObject;
  valid: fc.Arbitrary<Record<string, unknown>>;
  required: string[];
  isStrict: boolean;
}

/**
 * For schemas that accept unknown fields.
 * @param defaulted optional fields with a default, which generated requests always contain
 */
function lenient(schema: z.ZodObject, required: Fields, optional: Fields = {}, defaulted: Fields = {}): Subject {
  const always = { ...required, ...defaulted };
  const valid = fc.record({ ...always, ...optional }, { requiredKeys: Object.keys(always) });
  return { schema, valid, required: Object.keys(required), isStrict: false };
}

/** For schemas that reject unknown fields. */
const strict: typeof lenient = (...subject) => ({ ...lenient(...subject), isStrict: true });

const lineItem = fc.record({ name: words, quantity: fc.integer({ min: 1, max: 10_000 }), amount_cents: amount });
const overlap = { expires_in_seconds: fc.integer({ min: 0, max: 604_800 }) };
const environment = fc.constantFrom('test', 'live');
const shortText = (max: number) =>
  fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N}\p{P} ]*$/u).map((text) => [...text].slice(0, max).join(''));
const metadata = fc
  .dictionary(
    fc.string({ maxLength: 40 }),
    fc.oneof(
      fc.string({ maxLength: 500 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
      fc.boolean(),
      fc.constant(null),
    ),
    { maxKeys: 50 },
  )
  // The JSON parser has already rejected `__proto__`.
  .filter((members) => !Object.hasOwn(members, '__proto__'));
const spoken = { success_message: shortText(500), failure_message: shortText(500) };

const SUBJECTS: Record<string, Subject> = {
  CreateCheckoutRequest: lenient(
    CreateCheckoutRequest,
    { merchant_id: fc.constant('mer_demo_diner'), amount_cents: amount },
    {
      ...spoken,
      metadata,
      caller_phone: phone,
      platform_call_id: shortText(255),
      return_to: fc.constantFrom('sip:agent@example.com', 'tel:+15550101234', 'https://example.com/', '+15550101234'),
      ttl_seconds: fc.integer({ min: 60, max: 86_400 }),
      line_items: fc.array(lineItem, { maxLength: 3 }),
    },
  ),
  ToolCreateCheckoutRequest: lenient(
    ToolCreateCheckoutRequest,
    { amount_cents: amount },
    { ...spoken, line_items: fc.array(lineItem, { maxLength: 3 }), order_id: shortText(255) },
  ),
  IdentifyRequest: lenient(IdentifyRequest, { caller_phone: phone }),
  ChargeRequest: strict(ChargeRequest, { checkout_session_id: word, instrument_id: word }),
  SendLinkRequest: strict(SendLinkRequest, { checkout_session_id: word }),
  CreateMerchantRequest: strict(CreateMerchantRequest, { business_name: words }, settings),
  ChangeMerchantRequest: strict(ChangeMerchantRequest, {}, { business_name: words, ...settings }),
  ConnectProcessorRequest: strict(
    ConnectProcessorRequest,
    { processor: word },
    { environment },
    { credentials: fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{2,19}$/), word, { maxKeys: 20 }) },
  ),
  SaveCardRequest: strict(
    SaveCardRequest,
    { merchant_id: word, caller_phone: phone, token: fc.constantFrom('tok_visa', 'pm_1') },
    { vault: word, first_name: words, last_name: words, email: fc.constant('a@b.co') },
    { default: fc.boolean(), save_terms: fc.constantFrom(...SAVE_TERMS) },
  ),
  CreateWebhookEndpointRequest: strict(CreateWebhookEndpointRequest, { url, events }),
  ChangeWebhookEndpointRequest: strict(ChangeWebhookEndpointRequest, {}, { url, events, disabled: fc.boolean() }),
  CreateKeyRequest: strict(
    CreateKeyRequest,
    {},
    {
      environment,
      name: words,
      scope: fc.constantFrom('full', 'agent'),
      expires_at: fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
        .map((at) => at.toISOString()),
      allowed_sources: fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { maxLength: 5 }),
    },
  ),
  RollKeyRequest: strict(RollKeyRequest, {}, {}, overlap),
  RollSecretRequest: strict(RollSecretRequest, {}, {}, overlap),
};

const OWN: Record<string, ErrorCode> = {
  ttl_seconds: 'invalid_ttl',
  payment_policy: 'invalid_payment_policy',
  payment_policy_amount_cents: 'invalid_payment_policy_amount_cents',
  processor: 'invalid_processor',
  environment: 'invalid_environment',
  vault: 'invalid_vault',
  url: 'invalid_url',
  events: 'invalid_events',
};

describe.each(Object.entries(SUBJECTS))('%s', (_name, { schema, valid, required, isStrict }) => {
  const fields = Object.keys(schema.shape);

  test('accepts valid requests unchanged', () => {
    fc.assert(
      fc.property(valid, (body) => {
        expect(parseBody(schema, body)).toEqual(body);
      }),
    );
  });

  test('rejects an invalid value with the name and the code of the field', () => {
    fc.assert(
      fc.property(valid, fc.constantFrom(...fields), fc.jsonValue(), (body, field, value) => {
        const error = errorOf(schema, { ...body, [field]: value });
        if (error === null) return;
        expect(error.facts.param?.split('.')[0]).toBe(field);
        // A part of the value may be what is missing.
        const inside = error.code === 'missing_required_fields' && error.facts.param !== field;
        const isAbsent = error.code === 'missing_required_fields' && (value === null || value === '');
        if (!inside && !isAbsent) expect(error.code).toBe(OWN[field] ?? 'invalid_value');
      }),
    );
  });

  test('throws only an ApiError with the status 400 for any body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const error = errorOf(schema, body);
        if (error !== null) expect(error.status).toBe(400);
      }),
    );
  });

  test.each([...required, ''].filter((field) => field !== ''))('reports that %s is missing', (field) => {
    const [body = {}] = fc.sample(valid, 1);
    const { [field]: _, ...rest } = body;
    expect(errorOf(schema, rest)).toMatchObject({ code: 'missing_required_fields', facts: { param: field } });
  });

  test(isStrict ? 'rejects unknown fields by name' : 'accepts unknown fields', () => {
    const [body = {}] = fc.sample(valid, 1);
    const error = errorOf(schema, { ...body, unheard_of: 1 });
    if (isStrict) expect(error).toMatchObject({ code: 'invalid_value', facts: { param: 'unheard_of' } });
    else expect(error).toBeNull();
  });
});

describe.each(Object.entries({ ListCardsQuery, ListEventsQuery, LookUpOrderQuery }))('%s', (_name, schema) => {
  test('throws only an ApiError with the status 400 for any query', () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string()));
    const query = fc.record(Object.fromEntries(Object.keys(schema.shape).map((field) => [field, value])));
    fc.assert(
      fc.property(query, (given) => {
        const error = errorThrownBy(() => parseQuery(schema, given));
        if (error !== null) expect(error.status).toBe(400);
      }),
    );
  });
});

/** Null if the body is accepted. Any error other than an ApiError is a bug and is thrown. */
function errorOf(schema: z.ZodType, body: unknown): ApiError | null {
  return errorThrownBy(() => parseBody(schema, body));
}

function errorThrownBy(parse: () => unknown): ApiError | null {
  try {
    parse();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
