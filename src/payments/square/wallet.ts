/** Saved cards at Square: one customer and one card on file for each. */
import type { Square, SquareClient } from 'square';
import type { CardWallet, ForgetCardRequest, SaveCardRequest, SavedCardAnswer } from '../port/saved-cards.ts';
import { saveFailure } from '../vendor-api/faults.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';
import { partsOf, savedOf } from './map.ts';

export function squareWallet(open: OpenSquare): CardWallet {
  return {
    save: ({ token, ...request }, signal) => save(open, { ...request, sourceId: token }, signal),
    // "This can be a card nonce or a payment id" (CreateCard).
    saveCharged: ({ processorPaymentId, ...request }, signal) =>
      save(open, { ...request, sourceId: processorPaymentId }, signal),
    forget: (request, signal) => forget(open, request, signal),
  };
}

/** Square requires a customer's name, and the caller's may be unknown. */
const CUSTOMER_NAME = 'Phone customer';

async function save(
  open: OpenSquare,
  { instrumentId, sourceId, ...access }: Omit<SaveCardRequest, 'token'> & { sourceId: string },
  signal: AbortSignal,
): Promise<SavedCardAnswer> {
  try {
    const { square } = await open(access, signal);
    return savedOf(await createCardOnFile(square, instrumentId, sourceId));
  } catch (error) {
    return saveFailure(faultOf(error));
  }
}

/** @param id of ours: the idempotency key and the reference. @returns undefined if the response has no customer or card */
export async function createCardOnFile(
  square: SquareClient,
  id: string,
  sourceId: string,
): Promise<Square.Card | undefined> {
  const { customer } = await square.customers.create({
    idempotencyKey: `${id}-customer`,
    givenName: CUSTOMER_NAME,
    referenceId: id,
  });
  if (customer?.id === undefined) return undefined;
  const of = { customerId: customer.id, referenceId: id };
  return (await square.cards.create({ idempotencyKey: id, sourceId, card: of })).card;
}

/** "Disabling an already disabled card is allowed but has no effect" (DisableCard). */
async function forget(
  open: OpenSquare,
  { handle, ...access }: ForgetCardRequest,
  signal: AbortSignal,
): Promise<{ status: 'gone' | 'unavailable' }> {
  try {
    const { square } = await open(access, signal);
    const { card } = await square.cards.disable({ cardId: partsOf(handle).cardId });
    return { status: card?.enabled === false ? 'gone' : 'unavailable' };
  } catch (error) {
    const fault = faultOf(error);
    return { status: 'code' in fault && fault.code === 'NOT_FOUND' ? 'gone' : 'unavailable' };
  }
}
