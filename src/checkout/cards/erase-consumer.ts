/** Erases a caller: the person's data and number here, and the saved cards also at their processors. */
import { ApiError, ofOtherMode } from '../../contract/errors.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { eraseConsumer, findConsumerById } from '../../db/cards/erasure.ts';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import { type ConsumerId, parseId } from '../../domain/ids.ts';
import { type CardDeps, deleteCardIn } from './cards.ts';

/**
 * Erases everything or nothing. A repeat changes nothing more. The worker removes the cards at their processors
 * (forget.ts).
 * @throws ApiError `not_found`; `invalid_key` for a caller of the other mode
 */
export async function eraseCaller(
  deps: Pick<CardDeps, 'database' | 'onCardDeleted'>,
  by: Actor,
  scope: Scope,
  text: string,
): Promise<ConsumerId> {
  const id = parseId('Consumer', text);
  const consumer = id === null ? null : await findConsumerById(deps.database, scope.accountId, id);
  if (consumer === null) {
    throw new ApiError('not_found', { param: 'consumer_id', message: 'No caller of this account has this ID.' });
  }
  if (consumer.mode !== scope.mode) throw ofOtherMode(scope.mode);
  await deps.database.transaction(async (sql) => {
    const erased = await eraseConsumer(sql, scope, consumer.id);
    if (erased === null) return;
    const { cards, sessions, texts } = erased;
    for (const card of cards) await deleteCardIn(sql, by, scope, card);
    const changes = { cards: cards.length, sessions, texts };
    await insertAuditEvent(sql, by, { ...scope, action: 'consumer.erased', objectId: consumer.id, changes });
  });
  deps.onCardDeleted?.();
  return consumer.id;
}
