/** The reference's words on callers and their cards. */
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
unknown number is an answer, not an error: \`known\` is false and \`consumer\` null.`,
  request: IdentifyRequest,
  response: IdentifyResponse,
  errors: ['missing_required_fields'],
  example: { body: { caller_phone: '+15550101234' } },
};

export const SAVE_CARD: Operation = {
  id: 'save_card',
  group,
  summary: 'Save a card',
  description: `Saves what the processor's own page or SDK made of a card, for a caller at a merchant. A card number is never sent
here; one that comes as \`token\` is refused.`,
  request: SaveCardRequest,
  response: SavedCardResource,
  errors: [
    ...(['missing_instrument_fields', 'invalid_vault', 'merchant_not_found', 'merchant_not_connected'] as const),
    ...(['merchant_credentials_invalid', 'card_save_failed', 'processor_unavailable'] as const),
  ],
  example: {
    body: { merchant_id: 'mer_demo_diner', caller_phone: '+15550109876', token: 'tok_mastercard', first_name: 'Robin' },
  },
};

export const LIST_CARDS: Operation = {
  id: 'list_cards',
  group,
  summary: "List a caller's cards at a merchant",
  description: 'Newest first, and only those that can be charged at this merchant.',
  query: ListCardsQuery,
  response: CardList,
  errors: ['missing_required_fields', 'merchant_not_found'],
  example: { query: { merchant_id: 'mer_demo_diner', caller_phone: '%2B15550101234' } },
};

export const DELETE_CARD: Operation = {
  id: 'delete_card',
  group,
  summary: 'Delete a saved card',
  description: 'It is offered and charged no more, from now on.',
  response: DeletedCard,
  errors: ['instrument_not_found'],
  example: {
    needs: [{ name: 'CARD', operation: 'save_card', field: 'instrument_id' }],
    params: { id: '$CARD' },
  },
};
