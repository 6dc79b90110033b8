/** The reference's words on callers and their cards. */
import { z } from 'zod';
import { FIELDS } from '../../contract/fields.ts';
import type { Operation } from '../reference/operation.ts';
import {
  CardList,
  DeletedCard,
  IdentifyRequest,
  IdentifyResponse,
  ListCardsQuery,
  SaveCardRequest,
  SavedCardResource,
} from '../schemas/callers.ts';

const group = 'Callers';

export const IDENTIFY: Operation = {
  id: 'identify',
  group,
  summary: 'Recognize a caller',
  description: `Who calls from a number; never what they can pay with: that depends on the merchant, which a checkout names. An
unknown number is an answer, not an error: \`known\` is false and \`consumer\` null. The number goes into the body, never into a header or a URL.`,
  request: IdentifyRequest,
  response: IdentifyResponse,
  answers: 'Who it is, or that the number is not known.',
  errors: ['missing_required_fields'],
  example: { body: { caller_phone: '+15550101234' } },
};

export const SAVE_CARD: Operation = {
  id: 'save_card',
  group,
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
};

export const LIST_CARDS: Operation = {
  id: 'list_cards',
  group,
  summary: "List a caller's cards at a merchant",
  description: `Newest first, and only those that can be charged at this merchant: none that has expired (a card is good to the end of its month, in the merchant's time zone), none that was saved at another merchant, unless the two share their account at the processor.`,
  query: ListCardsQuery,
  response: CardList,
  answers: 'A page of the list; empty for a caller that is not known.',
  errors: ['missing_required_fields', 'merchant_not_found'],
  example: { query: { merchant_id: 'mer_demo_diner', caller_phone: '%2B15550101234' } },
};

export const DELETE_CARD: Operation = {
  id: 'delete_card',
  group,
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
};
