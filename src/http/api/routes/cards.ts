/** `/v1/cards`: saved cards, by caller and merchant. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type CardDeps, deleteCard, requireCardInScope, saveCard } from '../../../checkout/cards/cards.ts';
import {
  CardEntry,
  CONSENT_FIELDS,
  ConsentedCard,
  cardEntry,
  consentedCard,
  defaultCardId,
} from '../../../contract/cards.ts';
import { ApiError, withErrorsIn } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { listCards } from '../../../db/cards/cards.ts';
import { SAVE_TERMS } from '../../../domain/instrument.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { PageQuery, pageRequest, requirePage } from '../pages.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { requireMerchant } from '../require-in-scope.ts';
import { identifier, line, phoneNumber, text } from '../text-schemas.ts';

const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;
const MAX_TOKEN_LENGTH = 1_024;
const MAX_WORDING_LENGTH = 500;

export const SaveCardRequest = z.strictObject({
  merchant_id: field(z.string(), 'The merchant that can charge the card.', 'mer_demo_diner'),
  caller_phone: field(
    phoneNumber,
    "The caller's number, E.164. An unknown number creates a new caller.",
    '+15550109876',
  ),
  token: field(
    identifier(MAX_TOKEN_LENGTH).refine((value) => !/^[\d -]{12,}$/.test(value), {
      error: 'must not be a card number',
    }),
    "The token that the processor's own page or SDK created for the card. In the sandbox, a token of the test cards. Card numbers are rejected.",
    'tok_mastercard',
  ),
  vault: field(
    identifier(MAX_NAME_LENGTH).optional(),
    "The processor whose wallet holds the token. The default is the merchant's processor. If the processor is unknown, returns `invalid_vault`. If it is not the merchant's, returns `processor_mismatch`.",
    'sandbox',
  ),
  default: field(z.boolean().default(false), "Whether it becomes the caller's default card at this merchant.", true),
  first_name: field(
    line(MAX_NAME_LENGTH).optional(),
    "The caller's first name. If you omit it, it keeps its value.",
    'Robin',
  ),
  last_name: field(
    line(MAX_NAME_LENGTH).optional(),
    "The caller's last name. If you omit it, it keeps its value.",
    'Example',
  ),
  email: field(
    z.email().max(MAX_EMAIL_LENGTH).optional(),
    "The caller's email address. If you omit it, it keeps its value.",
    'robin@example.com',
  ),
  save_terms: field(
    z.enum(SAVE_TERMS).optional(),
    'What the caller agreed to. `returning`, the default: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`). Saving the card again as `returning` does not end an earlier consent; deleting the card does.',
    'merchant_initiated',
  ),
  max_amount_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
    'The highest amount of one charge without the caller, in minor units, if the caller agreed to one. Only with `merchant_initiated`.',
    10000,
  ),
  consent_text: field(
    text(MAX_WORDING_LENGTH).optional(),
    'The sentence that the caller agreed to. It is kept with the consent, as the card networks require for charges without the caller.',
    'We charge this card if you cancel later than a day before.',
  ),
});

export const SavedCardResource = CardEntry.extend({
  ...CONSENT_FIELDS,
  merchant_id: FIELDS.merchant_id,
  default: field(z.boolean(), "Whether it is the caller's default card at this merchant.", true),
});
export type SavedCardResource = z.infer<typeof SavedCardResource>;

export const ListCardsQuery = PageQuery.extend({
  merchant_id: field(z.string(), 'The merchant that would charge the cards.', 'mer_demo_diner'),
  caller_phone: field(phoneNumber, "The caller's number, E.164. In a URL, write `+` as `%2B`.", '+15550101234'),
});

export const CardList = z.object({
  cards: field(z.array(ConsentedCard), 'Newest first. Contains only cards that this merchant can charge.'),
  default_card_id: FIELDS.default_card_id,
  has_more: FIELDS.has_more,
});
export type CardList = z.infer<typeof CardList>;

const DeletedCard = z.object({
  instrument_id: FIELDS.instrument_id,
  deleted: field(z.literal(true), 'The card is no longer offered or charged.', true),
});

const SAVE_CARD = {
  id: 'save_card',
  group: 'Callers',
  summary: 'Save a card',
  description: `Saves a card for a caller at a merchant, from a token that the processor's own page or SDK created. Never send a
card number: as \`token\` it is rejected.

- You must have asked the caller. Saving the card through the API is recorded as consent to \`save_terms\`.
- The card can be charged at this merchant, and at merchants that share its account at the processor (Stripe,
Square, Authorize.net).
- A card that the caller has already saved keeps its \`instrument_id\`, gets the new expiry, and becomes the newest.
- An unknown caller is created. The names and the email address from the request are saved.
- If the processor rejects the card, returns 422 \`card_save_failed\`.`,
  request: SaveCardRequest,
  missing: 'missing_instrument_fields',
  response: SavedCardResource,
  answers: 'The card is saved.',
  errors: [
    'missing_instrument_fields',
    'invalid_vault',
    'merchant_not_found',
    'merchant_not_connected',
    'processor_mismatch',
    'not_configured',
    'merchant_credentials_invalid',
    'card_save_failed',
  ],
  example: {
    body: { merchant_id: 'mer_demo_diner', caller_phone: '+15550109876', token: 'tok_mastercard', first_name: 'Robin' },
  },
} satisfies Operation;

const LIST_CARDS = {
  id: 'list_cards',
  group: 'Callers',
  summary: "List a caller's cards at a merchant",
  description: `Lists the cards that this merchant can charge, newest first. Expired cards are left out; a card is valid until the
end of its month in the merchant's time zone. Cards saved at another merchant are left out unless both share an
account at the processor.`,
  query: ListCardsQuery,
  response: CardList,
  answers: 'A page of the list. Empty for an unknown caller.',
  errors: ['missing_required_fields', 'merchant_not_found'],
  example: { query: { merchant_id: 'mer_demo_diner', caller_phone: '%2B15550101234' } },
} satisfies Operation;

const DELETE_CARD = {
  id: 'delete_card',
  group: 'Callers',
  summary: 'Delete a saved card',
  description: `The card is no longer offered or charged from now on. It is also removed at its processor, with retries until the
processor confirms. Deleting it again returns \`instrument_not_found\`.`,
  params: z.object({ id: FIELDS.instrument_id }),
  response: DeletedCard,
  answers: 'The card is deleted.',
  errors: ['instrument_not_found'],
  example: {
    needs: [{ name: 'CARD', operation: 'save_card', field: 'instrument_id' }],
    params: { id: '$CARD' },
  },
} satisfies Operation;

export function cardRoutes(app: FastifyInstance, deps: CardDeps): void {
  addOperation(app, 'POST /cards', SAVE_CARD, async ({ body }, request) => {
    const record = await requireMerchant(deps.database, request, body.merchant_id);
    const cardRequest = {
      caller: {
        phone: body.caller_phone,
        firstName: body.first_name ?? null,
        lastName: body.last_name ?? null,
        email: body.email ?? null,
      },
      token: body.token,
      vault: body.vault ?? null,
      isDefault: body.default,
      consent: {
        saveTerms: body.save_terms ?? ('returning' as const),
        maxAmountCents: body.max_amount_cents ?? null,
        wording: body.consent_text ?? null,
      },
    };
    if (cardRequest.consent.maxAmountCents !== null && body.save_terms !== 'merchant_initiated') {
      const message = '`max_amount_cents` applies only to `save_terms` `merchant_initiated`.';
      throw new ApiError('invalid_value', { param: 'max_amount_cents', message });
    }
    const card = await withErrorsIn(record.merchant.language, () =>
      saveCard(deps, request.actor, request.scope, record, cardRequest),
    );
    const { saveTerms: save_terms, maxAmountCents: max_amount_cents } = cardRequest.consent;
    const terms = { save_terms, max_amount_cents };
    return { ...cardEntry(card), ...terms, merchant_id: record.merchant.id, default: card.isDefault };
  });

  addOperation(app, 'GET /cards', LIST_CARDS, async ({ query }, request) => {
    const { merchant } = await requireMerchant(deps.database, request, query.merchant_id);
    const who = { callerPhone: query.caller_phone, merchantId: merchant.id, at: deps.now() };
    const { items, hasMore } = requirePage(await listCards(deps.database, request.scope, who, pageRequest(query)));
    return { cards: items.map(consentedCard), default_card_id: defaultCardId(items), has_more: hasMore };
  });

  addOperation(app, 'DELETE /cards/:id', DELETE_CARD, async ({ params }, { scope, actor }) => {
    const card = await requireCardInScope(deps, scope, params.id);
    await deleteCard(deps, actor, scope, card);
    return { instrument_id: card.id, deleted: true as const };
  });
}
