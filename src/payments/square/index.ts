/** Square: saved cards and tokens of its script on the page. It takes no card number, so nothing is keyed on the phone. */
import type { Square } from 'square';
import type { Mode } from '../../domain/session.ts';
import type {
  ChargeRequest,
  ConnectionCheck,
  Credentials,
  LookUpRequest,
  Processor,
  ProcessorAnswer,
} from '../ports.ts';
import { VendorClock } from '../vendor-clock.ts';
import { type OpenedSquare, openSquare, SQUARE_URLS, type SquareUrls } from './client.ts';
import { squareCredentials, squareTokenization } from './credentials.ts';
import { chargeFailure, faultOf } from './errors.ts';
import { findListed } from './lists.ts';
import { answerOf, paymentRequest } from './map.ts';
import { squareRefunds } from './refunds.ts';
import { squareWallet } from './wallet.ts';

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenSquare = (
  mode: Mode,
  credentials: Credentials,
  signal: AbortSignal,
  onAnswer?: (answer: Response) => void,
) => Promise<OpenedSquare>;

export interface SquareOptions {
  urls?: SquareUrls;
}

/** "New payments or changes to payments might take several seconds to appear" (ListPayments); ten times that. */
const LOOK_UP_LAG_MS = 120_000;

export function createSquare(options: SquareOptions = {}): Processor {
  const urls = options.urls ?? SQUARE_URLS;
  const open: OpenSquare = (...means) => openSquare(urls, ...means);
  return {
    name: 'square',
    can: { keypad: false, savedCards: true, pageTokens: true, wallets: true },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: squareCredentials,
    needsCredentials: true,
    wallet: squareWallet(open),
    refunds: squareRefunds(open),
    tokenization: squareTokenization,
    prepare: async () => void (await import('square')),
    checkConnection: (mode, credentials, signal) => checkConnection(open, mode, credentials, signal),
    charge: (request, signal) => chargeSquare(open, request, signal),
    lookUp: (request, signal) => lookUpSquarePayment(open, request, signal),
  };
}

async function chargeSquare(open: OpenSquare, request: ChargeRequest, signal: AbortSignal): Promise<ProcessorAnswer> {
  const { card } = request;
  if (card.kind === 'keyed') {
    card.card.securityCode.wipe();
    return NO_KEYPAD;
  }
  try {
    const { square, locationId } = await open(request.mode, request.credentials, signal);
    if (signal.aborted) return { status: 'unknown', cause: 'timeout' };
    const { payment } = await square.payments.create(paymentRequest(request, card, locationId));
    // A server or a proxy that answers twice has an answer too many on the connection: the next request gets it.
    const isAnothers = (payment?.referenceId ?? request.chargeId) !== request.chargeId;
    return isAnothers ? { status: 'unknown', cause: 'answer_to_another' } : answerOf(payment);
  } catch (error) {
    return chargeFailure(error);
  }
}

/** Never reached where `can.keypad` is respected. */
const NO_KEYPAD: ProcessorAnswer = {
  status: 'declined',
  declineCode: 'processing_error',
  processorCode: 'keypad_unsupported',
  processorPaymentId: null,
};

/**
 * By our reference in the list of payments. Not by sending the request again under its key: "the endpoint returns the
 * first successful response", and what was not successful or never arrived would be charged anew. Not by
 * CancelPaymentByIdempotencyKey either: it undoes only what is not completed yet.
 */
async function lookUpSquarePayment(
  open: OpenSquare,
  { chargeId, mode, credentials, begunAt, askedAt }: LookUpRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | { status: 'not_found' }> {
  try {
    const clock = new VendorClock();
    const { square, locationId } = await open(mode, credentials, signal, clock.observe);
    const found = await findListed<Square.Payment>(
      begunAt,
      (window) => square.payments.list({ ...window, locationId }),
      ({ referenceId }) => referenceId === chargeId,
    );
    if (typeof found === 'string') return { status: 'unknown', cause: found };
    if (found !== null) return answerOf(found);
    return clock.agreesWith(askedAt) ? { status: 'not_found' } : { status: 'unknown', cause: 'clocks_differ' };
  } catch (error) {
    return unanswered(error);
  }
}

/** A look-up that was refused says nothing about the charge. */
function unanswered(error: unknown): ProcessorAnswer {
  const fault = faultOf(error);
  return { status: 'unknown', cause: fault.kind === 'unknown' ? fault.cause : fault.kind };
}

async function checkConnection(
  open: OpenSquare,
  mode: Mode,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const { square, locationId } = await open(mode, credentials, signal);
    const { location } = await square.locations.get({ locationId });
    if (location?.id !== locationId) return { status: 'unavailable' };
    const takesCards = location.capabilities?.includes('CREDIT_CARD_PROCESSING') ?? false;
    if (location.status !== 'ACTIVE' || !takesCards) return { status: 'not_provisioned' };
    // Cards on file are the seller's, whichever of the seller's locations is charged (Card.merchant_id).
    return { status: 'ok', ...(location.merchantId !== undefined && { account: location.merchantId }) };
  } catch (error) {
    const { kind } = faultOf(error);
    // Refused: the token is good, but the location is not its merchant's.
    return { status: kind === 'credentials' || kind === 'refused' ? 'invalid' : 'unavailable' };
  }
}
