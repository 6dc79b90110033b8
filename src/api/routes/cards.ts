/** `/v1/cards`: saved cards, by caller and merchant. */
import type { FastifyInstance } from 'fastify';
import { type CardDeps, deleteCard, ownCard, saveCard } from '../../cards/cards.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { cardEntries } from '../../contract/resources.ts';
import { listCards } from '../../db/cards/cards.ts';
import { DELETE_CARD, LIST_CARDS, SAVE_CARD } from '../operations/callers.ts';
import { type IdRoute, ownMerchant, pageFound, pageRequest } from '../require-in-scope.ts';
import {
  type CardList,
  type DeletedCard,
  ListCardsQuery,
  SaveCardRequest,
  type SavedCardResource,
} from '../schemas/callers.ts';
import { parseBody, parseQuery } from '../validation.ts';

/** Another account's card is `instrument_not_found`, one of the other mode `invalid_key`; a deleted one can be charged no more at once. */
export function cardRoutes(app: FastifyInstance, deps: CardDeps): void {
  app.post('/cards', { config: { operation: SAVE_CARD } }, async (request): Promise<SavedCardResource> => {
    const body = parseBody(SaveCardRequest, request.body, 'missing_instrument_fields');
    const record = await ownMerchant(deps.database, request, body.merchant_id);
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
    const card = await withErrorsIn(record.merchant.language, () => saveCard(deps, request.scope, record, asked));
    const [entry] = cardEntries([card]).cards;
    if (entry === undefined) throw new Error('a card without its entry');
    return { ...entry, merchant_id: record.merchant.id, default: card.isDefault };
  });

  app.get('/cards', { config: { operation: LIST_CARDS } }, async (request): Promise<CardList> => {
    const query = parseQuery(ListCardsQuery, request.query);
    const { merchant } = await ownMerchant(deps.database, request, query.merchant_id);
    const who = { callerPhone: query.caller_phone, merchantId: merchant.id, at: deps.now() };
    const { items, hasMore } = pageFound(await listCards(deps.database, request.scope, who, pageRequest(query)));
    return { ...cardEntries(items), has_more: hasMore };
  });

  app.delete<IdRoute>('/cards/:id', { config: { operation: DELETE_CARD } }, async (request): Promise<DeletedCard> => {
    const card = await ownCard(deps, request.scope, request.params.id);
    await deleteCard(deps, card);
    return { instrument_id: card.id, deleted: true };
  });
}
