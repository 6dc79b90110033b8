/** Square: saved cards, and tokens from its script on the page. It accepts no card numbers, so no keyed cards. */
import type { Square } from 'square';
import { type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import { type OpenSquare, SQUARE_URLS, type SquareUrls, squareAt } from './client.ts';
import { squareCredentials, squareTokenization } from './credentials.ts';
import { squareDisputes } from './disputes.ts';
import { faultOf } from './errors.ts';
import { squareHolds } from './holds.ts';
import { findInList } from './lists.ts';
import { answerOf, paymentRequest, SQUARE_TOKEN } from './map.ts';
import { squareNotifications } from './notifications.ts';
import { registerSquareDomain, squarePage } from './page.ts';
import { squarePayouts } from './payouts.ts';
import { squareRecords } from './records.ts';
import { squareRefunds } from './refunds.ts';
import { lookUpSquareCard, verifySquareCard } from './verify.ts';
import { squareWallet } from './wallet.ts';

interface SquareOptions {
  urls?: SquareUrls;
}

/** "New payments or changes to payments might take several seconds to appear" (ListPayments); this is much longer. */
const LOOK_UP_LAG_MS = 120_000;

export function createSquare({ urls = SQUARE_URLS }: SquareOptions = {}): Processor {
  const open = squareAt(urls);
  return {
    name: 'square',
    can: {
      keypad: false,
      savedCards: true,
      merchantInitiated: true,
      verifiesTokens: true,
      pageTokens: true,
      wallets: true,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: squareCredentials,
    needsCredentials: true,
    vendorPackage: 'square',
    wallet: squareWallet(open),
    refunds: squareRefunds(open),
    holds: squareHolds(open),
    records: squareRecords(open),
    notifications: squareNotifications(open),
    disputes: squareDisputes(open),
    payouts: squarePayouts(open),
    // Its script on the page does the bank's challenge before it creates the token.
    actions: null,
    tokenForm: SQUARE_TOKEN,
    tokenization: squareTokenization,
    page: squarePage,
    registerPageDomain: (request, signal) => registerSquareDomain(open, request, signal),
    prepare: async () => void (await import('square')),
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) => (request.isVerification ? verifySquareCard : chargeSquare)(open, request, signal),
    lookUp: (request, signal) =>
      (request.isVerification ? lookUpSquareCard : lookUpSquarePayment)(open, request, signal),
  };
}

async function chargeSquare(open: OpenSquare, request: ChargeRequest, signal: AbortSignal): Promise<ProcessorAnswer> {
  const { card } = request;
  // Only if `can.keypad` was ignored.
  if (card.kind === 'keyed') {
    card.card.securityCode.wipe();
    return refused('keypad_unsupported');
  }
  try {
    const { square, locationId } = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const body = paymentRequest(request, card, locationId);
    const { payment } = await askAgain(
      signal,
      () => square.payments.create(body),
      (error) => passes(faultOf(error)),
    );
    // If a server or proxy responds twice, the next request on the connection gets the surplus response.
    const isAnothers = (payment?.referenceId ?? request.chargeId) !== request.chargeId;
    return isAnothers ? unknown('answer_to_another') : answerOf(payment);
  } catch (error) {
    return chargeFailure(faultOf(error));
  }
}

/**
 * Searches the list of payments for our reference. Two other ways are unsafe or incomplete. Resending the request under
 * its key: "the endpoint returns the first successful response", so a request that failed or never arrived would be
 * charged now. CancelPaymentByIdempotencyKey only cancels payments that are not completed.
 */
function lookUpSquarePayment(open: OpenSquare, request: LookupRequest, signal: AbortSignal) {
  const find = async (observe: (answer: Response) => void) => {
    const { square, locationId } = await open(request, signal, observe);
    return findInList<Square.Payment>(
      request.createdAt,
      (listing) => square.payments.list({ ...listing, locationId }),
      ({ referenceId }) => referenceId === request.chargeId,
    );
  };
  return lookUpListed(request, find, answerOf, faultOf);
}

async function checkConnection(
  open: OpenSquare,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const { square, locationId } = await open(access, signal);
    const { location } = await square.locations.get({ locationId });
    if (location?.id !== locationId) return { status: 'unavailable' };
    const takesCards = location.capabilities?.includes('CREDIT_CARD_PROCESSING') ?? false;
    if (location.status !== 'ACTIVE' || !takesCards) return { status: 'not_provisioned' };
    // Cards on file belong to the seller, whichever of the seller's locations is charged (Card.merchant_id).
    return {
      status: 'ok',
      recordsOf: locationId,
      ...(location.merchantId !== undefined && { account: location.merchantId }),
    };
  } catch (error) {
    const { kind } = faultOf(error);
    // Rejected: the token is valid, but the location is not its merchant's.
    const isRefused = kind === 'refused' || kind === 'declined';
    return { status: kind === 'credentials' || isRefused ? 'invalid' : 'unavailable' };
  }
}
