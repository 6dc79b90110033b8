/**
 * Saves a card at Square without a payment: CreateCard with the token of the page, whose script has verified the payer for
 * it (intent `STORE`; developer.squareup.com/docs/web-payments/sca-add-card). The card has our charge ID as its
 * `reference_id`, by which ListCards finds it again.
 */
import type { Square } from 'square';
import { type NotFound, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { findListed, lookUpListed } from '../vendor-api/lookup.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';
import { itemsOf } from './lists.ts';
import { savedOf } from './map.ts';
import { createCardOnFile } from './wallet.ts';

export async function verifySquareCard(
  open: OpenSquare,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, chargeId, channel } = request;
  if (card.kind !== 'token' || channel !== 'page') return refused('verification_unsupported');
  try {
    const { square } = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const saved = await askAgain(
      signal,
      () => createCardOnFile(square, chargeId, card.token),
      (error) => passes(faultOf(error)),
    );
    return saved === undefined ? unknown('answer') : answerOfCard(saved);
  } catch (error) {
    return chargeFailure(faultOf(error));
  }
}

/** A card that was not saved is not listed, whether the bank declined it or the request never arrived. */
export function lookUpSquareCard(
  open: OpenSquare,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  const { chargeId } = request;
  const find = async (observe: (answer: Response) => void) => {
    const { square } = await open(request, signal, observe);
    const cards = itemsOf<Square.Card>(await square.cards.list({ referenceId: chargeId }));
    return findListed(cards, ({ referenceId }) => referenceId === chargeId);
  };
  return lookUpListed(request, find, answerOfCard, faultOf);
}

function answerOfCard(card: Square.Card): ProcessorAnswer {
  const saved = savedOf(card);
  if (saved.status !== 'saved' || card.id === undefined) return unknown('no_card');
  const { status: _, ...savedCard } = saved;
  const { brand, lastFour } = savedCard;
  return { status: 'succeeded', processorPaymentId: card.id, card: { brand, lastFour }, savedCard };
}
