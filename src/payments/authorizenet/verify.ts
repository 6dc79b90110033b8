/**
 * Saves a card at Authorize.net without a payment: a customer profile, for which the bank checks the card in `liveMode`
 * (developer.authorize.net/api/reference, "Create Customer Profile": an authorization of nothing or one cent, which is voided
 * at once). The profile has the end of our charge ID as its `merchantCustomerId`, so that a repeated request saves no second
 * card, and the lookup finds it.
 */
import { z } from 'zod';
import { declinedUnpaid, type NotFound, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import type { SavedCardAnswer } from '../port/saved-cards.ts';
import { cardParts, cardPlaces } from '../vendor-api/card-request.ts';
import { chargeFailure } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { sourceOf } from './charge.ts';
import { type AuthorizeNet, type OpenAuthorizeNet, RequestRejected } from './client.ts';
import { faultOf, RECORD_EXISTS } from './errors.ts';
import { shortReference } from './transactions.ts';
import { findProfile } from './wallet.ts';

/** "The transaction was unsuccessful": the bank declined the card. The reason is not in the answer. */
const UNSUCCESSFUL = 'E00027';

export async function verifyAuthorizeNetCard(
  open: OpenAuthorizeNet,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel, chargeId } = request;
  try {
    const place = card.kind === 'keyed' ? 'phone' : card.kind === 'token' ? 'page' : null;
    if (channel !== place) return refused('verification_unsupported');
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    await createProfile(api, request);
    const saved = await findProfile(api, shortReference(chargeId));
    return saved === null ? unknown('no_card') : answerOfProfile(saved);
  } catch (error) {
    if (error instanceof RequestRejected && error.code === UNSUCCESSFUL) {
      return declinedUnpaid(UNSUCCESSFUL, 'generic_decline');
    }
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

/** In the schema's order. */
async function createProfile(api: AuthorizeNet, request: ChargeRequest): Promise<void> {
  const { card, chargeId } = request;
  const places = cardPlaces();
  const billTo = card.kind === 'keyed' && card.card.postalCode !== null ? { billTo: { zip: places.postalCode } } : {};
  const paymentProfiles = [{ ...billTo, ...sourceOf(request, places) }];
  const body = {
    profile: { merchantCustomerId: shortReference(chargeId), paymentProfiles },
    validationMode: 'liveMode',
  };
  const keyed = card.kind === 'keyed' ? { places, parts: cardParts(card.card) } : undefined;
  try {
    await api.ask('createCustomerProfile', z.object({}), { body, keyed });
  } catch (error) {
    // An earlier request of the same charge has saved it.
    if (!(error instanceof RequestRejected) || error.code !== RECORD_EXISTS) throw error;
  }
}

/** A profile is made only if the bank accepted the card. */
export function lookUpAuthorizeNetCard(
  open: OpenAuthorizeNet,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  return lookUpListed(
    request,
    async (onAnswer) => findProfile(await open(request, signal), shortReference(request.chargeId), onAnswer),
    answerOfProfile,
    faultOf,
  );
}

function answerOfProfile(saved: SavedCardAnswer): ProcessorAnswer {
  if (saved.status !== 'saved') return unknown('no_card');
  const { status: _, ...savedCard } = saved;
  const { handle, brand, lastFour } = savedCard;
  return { status: 'succeeded', processorPaymentId: handle.replace('/', '.'), card: { brand, lastFour }, savedCard };
}
