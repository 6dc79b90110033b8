/** `/v1/cards`: saved cards, by caller and merchant. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Operation } from '../reference/operation.ts';
import { PageQuery, requirePage, pageRequest } from '../pages.ts';
import { requireMerchant } from '../require-in-scope.ts';
import { identifier, line, phoneNumber } from '../text-schemas.ts';
import { parseBody, parseQuery } from '../validation.ts';
import { type CardDeps, deleteCard, requireCardInScope, saveCard } from '../../cards/cards.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { CardEntry, cardEntries } from '../../contract/cards.ts';
import { listCards } from '../../db/cards/cards.ts';

const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;
const MAX_TOKEN_LENGTH = 1_024;

export const SaveCardRequest = z.strictObject({
  merchant_id: field(z.string(), 'The merchant that can charge the card.', 'mer_demo_diner'),
  caller_phone: field(phoneNumber, "The caller's number, E.164. A new one makes a new caller.", '+15550109876'),
  token: field(
    identifier(MAX_TOKEN_LENGTH).refine((value) => !/^[\d -]{12,}$/.test(value), { error: 'is a card number' }),
    "What the processor's own page or SDK made of the card; in the sandbox a token of the test cards. Never a card number: one is refused.",
    'tok_mastercard',
  ),
  vault: field(
    identifier(MAX_NAME_LENGTH).optional(),
    "The processor in whose wallet the token lies; the merchant's where not given. No such processor: `invalid_vault`; another than the merchant's: `processor_mismatch`.",
    'sandbox',
  ),
  default: field(z.boolean().default(false), "Makes it the caller's default card at this merchant.", true),
  first_name: field(line(MAX_NAME_LENGTH).optional(), 'Of the caller; what is not given stays as it is.', 'Robin'),
  last_name: field(line(MAX_NAME_LENGTH).optional(), 'Of the caller; what is not given stays as it is.', 'Example'),
  email: field(
    z.email().max(MAX_EMAIL_LENGTH).optional(),
    'Of the caller; what is not given stays as it is.',
    'robin@example.com',
  ),
});

export const SavedCardResource = CardEntry.extend({
  merchant_id: FIELDS.merchant_id,
  default: field(z.boolean(), 'Whether it is the default card of the caller at this merchant.', true),
});
export type SavedCardResource = z.infer<typeof SavedCardResource>;

export const ListCardsQuery = PageQuery.extend({
  merchant_id: field(z.string(), 'The merchant that would charge the cards.', 'mer_demo_diner'),
  caller_phone: field(phoneNumber, "The caller's number, E.164; in a URL its `+` is `%2B`.", '+15550101234'),
});

export const CardList = z.object({
  cards: field(z.array(CardEntry), 'Newest first, and only those that can be charged at this merchant.'),
  default_card_id: FIELDS.default_card_id,
  has_more: FIELDS.has_more,
});
export type CardList = z.infer<typeof CardList>;

export const DeletedCard = z.object({
  instrument_id: FIELDS.instrument_id,
  deleted: field(z.literal(true), 'It is offered and charged no more.', true),
});
export type DeletedCard = z.infer<typeof DeletedCard>;

const SAVE_CARD = {
  id: 'save_card',
  group: 'Callers',
  summary: 'Save a card',
  description: `Saves what the processor's own page or SDK made of a card, for a caller at a merchant. A card number is never sent here; one that
comes as \`token\` is refused.

- You have asked the caller: that the card came over REST is kept as the consent.
- The card can be charged at this merchant, and at those that share its account at the processor (Stripe, Square), and at no other.
- A card that the caller has already stays the same \`instrument_id\`, with its new expiry, as the newest.
- A caller that is not known yet is made; the names and the address that are given are kept.
- What the processor refuses is 422 \`card_save_failed\`.`,
  request: SaveCardRequest,
  response: SavedCardResource,
  answers: 'The card is saved.',
  errors: [
    ...(['missing_instrument_fields', 'invalid_vault', 'merchant_not_found', 'merchant_not_connected'] as const),
    ...(['processor_mismatch', 'not_configured'] as const),
    ...(['merchant_credentials_invalid', 'card_save_failed'] as const),
  ],
  example: {
    body: { merchant_id: 'mer_demo_diner', caller_phone: '+15550109876', token: 'tok_mastercard', first_name: 'Robin' },
  },
} satisfies Operation;

const LIST_CARDS = {
  id: 'list_cards',
  group: 'Callers',
  summary: "List a caller's cards at a merchant",
  description: `Newest first, and only those that can be charged at this merchant: none that has expired (a card is good to the end of its month, in the merchant's time zone), none that was saved at another merchant, unless the two share their account at the processor.`,
  query: ListCardsQuery,
  response: CardList,
  answers: 'A page of the list; empty for a caller that is not known.',
  errors: ['missing_required_fields', 'merchant_not_found'],
  example: { query: { merchant_id: 'mer_demo_diner', caller_phone: '%2B15550101234' } },
} satisfies Operation;

const DELETE_CARD = {
  id: 'delete_card',
  group: 'Callers',
  summary: 'Delete a saved card',
  description: `It is offered and charged no more, from now on. Its processor is told, with the credentials of the processor that has it, again and again until it says that the card is gone there, too. Deleting it again: \`instrument_not_found\`.`,
  params: z.object({ id: FIELDS.instrument_id }),
  response: DeletedCard,
  answers: 'The card is gone.',
  errors: ['instrument_not_found'],
  example: {
    needs: [{ name: 'CARD', operation: 'save_card', field: 'instrument_id' }],
    params: { id: '$CARD' },
  },
} satisfies Operation;

export function cardRoutes(app: FastifyInstance, deps: CardDeps): void {
  addOperation(app, 'POST /cards', SAVE_CARD, async (request) => {
    const body = parseBody(SaveCardRequest, request.body, 'missing_instrument_fields');
    const record = await requireMerchant(deps.database, request, body.merchant_id);
    const asked = {
      caller: {
        phone: body.caller_phone,
        firstName: body.first_name ?? null,
        lastName: body.last_name ?? null,
        email: body.email ?? null,
      },
      token: body.token,
      vault: body.vault ?? null,
      isDefault: body.default,
    };
    const card = await withErrorsIn(record.merchant.language, () =>
      saveCard(deps, request.actor, request.scope, record, asked),
    );
    const [entry] = cardEntries([card]).cards;
    if (entry === undefined) throw new Error('a card without its entry');
    return { ...entry, merchant_id: record.merchant.id, default: card.isDefault };
  });

  addOperation(app, 'GET /cards', LIST_CARDS, async (request) => {
    const query = parseQuery(ListCardsQuery, request.query);
    const { merchant } = await requireMerchant(deps.database, request, query.merchant_id);
    const who = { callerPhone: query.caller_phone, merchantId: merchant.id, at: deps.now() };
    const { items, hasMore } = requirePage(await listCards(deps.database, request.scope, who, pageRequest(query)));
    return { ...cardEntries(items), has_more: hasMore };
  });

  addOperation(app, 'DELETE /cards/:id', DELETE_CARD, async (request) => {
    const card = await requireCardInScope(deps, request.scope, request.params.id);
    await deleteCard(deps, request.actor, request.scope, card);
    return { instrument_id: card.id, deleted: true as const };
  });
}
