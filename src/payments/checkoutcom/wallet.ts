/**
 * Saved cards at Checkout.com: instruments (`src_…`). A payment with `store_for_future_use` names one as its source. A token
 * is exchanged for one by POST /instruments, which has no idempotency key: if its answer was lost, the token is used up, and
 * the card must be entered again.
 */
import { z } from 'zod';
import type { CardWallet, ForgetCardRequest, SavedCardAnswer } from '../port/saved-cards.ts';
import { saveFailure } from '../vendor-api/faults.ts';
import type { OpenCheckoutCom } from './client.ts';
import { HttpError } from './client.ts';
import { faultOf } from './errors.ts';
import { readPayment, type Source, savedCardOf } from './payments.ts';

const INSTRUMENT = z.object({
  id: z.string(),
  scheme: z.string().optional(),
  last4: z.string().optional(),
  fingerprint: z.string().optional(),
  expiry_month: z.number().optional(),
  expiry_year: z.number().optional(),
});

export function checkoutComWallet(open: OpenCheckoutCom): CardWallet {
  return {
    save: ({ token, ...access }, signal) =>
      open(access, signal)
        .then((api) => api.ask('POST', '/instruments', INSTRUMENT, { body: { type: 'token', token } }))
        .then(savedOf)
        .catch((error: unknown) => saveFailure(faultOf(error))),
    saveCharged: ({ processorPaymentId, ...access }, signal) =>
      open(access, signal)
        .then((api) => readPayment(api, processorPaymentId))
        .then(({ source }) => savedOf(source ?? {}))
        .catch((error: unknown) => saveFailure(faultOf(error))),
    forget: (request, signal) => forget(open, request, signal),
  };
}

function savedOf(source: Source): SavedCardAnswer {
  const card = savedCardOf(source);
  return card === null ? { status: 'refused' } : { status: 'saved', ...card };
}

async function forget(
  open: OpenCheckoutCom,
  { handle, ...access }: ForgetCardRequest,
  signal: AbortSignal,
): Promise<{ status: 'gone' | 'unavailable' }> {
  try {
    const api = await open(access, signal);
    await api.ask('DELETE', `/instruments/${encodeURIComponent(handle)}`, z.unknown());
    return { status: 'gone' };
  } catch (error) {
    return { status: error instanceof HttpError && error.status === 404 ? 'gone' : 'unavailable' };
  }
}
