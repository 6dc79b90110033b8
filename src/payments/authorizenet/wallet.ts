/**
 * Saved cards at Authorize.net: one customer profile for each, with one payment profile
 * (developer.authorize.net/api/reference, "Customer Profiles"). The profile is found by `merchantCustomerId`, the end of our
 * ID, so that a repeated request saves no second card.
 */
import { z } from 'zod';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { CardWallet, ForgetCardRequest, SavedCardAnswer } from '../port/saved-cards.ts';
import { saveFailure } from '../vendor-api/faults.ts';
import { type AuthorizeNet, type OpenAuthorizeNet, RequestRejected } from './client.ts';
import { faultOf, RECORD_EXISTS, RECORD_NOT_FOUND } from './errors.ts';
import { factsOf, shortReference, tokenPayment } from './transactions.ts';

export function authorizeNetWallet(open: OpenAuthorizeNet): CardWallet {
  return {
    save: ({ token, ...request }, signal) => {
      const payment = tokenPayment(token);
      return saveOnce(open, request, signal, (api, merchantCustomerId) =>
        // `liveMode` lets the bank check the card, without an amount.
        api.ask('createCustomerProfile', z.object({}), {
          body: { profile: { merchantCustomerId, paymentProfiles: [{ payment }] }, validationMode: 'liveMode' },
        }),
      );
    },
    saveCharged: ({ processorPaymentId: transId, ...request }, signal) =>
      saveOnce(open, request, signal, (api, merchantCustomerId) =>
        api.ask('createCustomerProfileFromTransaction', z.object({}), {
          body: { transId, customer: { merchantCustomerId } },
        }),
      ),
    forget: (request, signal) => forget(open, request, signal),
  };
}

interface SaveRequest extends ProcessorAccess {
  instrumentId: string;
}

async function saveOnce(
  open: OpenAuthorizeNet,
  request: SaveRequest,
  signal: AbortSignal,
  create: (api: AuthorizeNet, merchantCustomerId: string) => Promise<unknown>,
): Promise<SavedCardAnswer> {
  try {
    const api = await open(request, signal);
    const merchantCustomerId = shortReference(request.instrumentId);
    const existing = await findProfile(api, merchantCustomerId);
    if (existing !== null) return existing;
    await create(api, merchantCustomerId).catch((error: unknown) => {
      // Another request with the same ID was faster.
      if (!isRejection(error, RECORD_EXISTS)) throw error;
    });
    return (await findProfile(api, merchantCustomerId)) ?? { status: 'unavailable' };
  } catch (error) {
    return saveFailure(faultOf(error));
  }
}

const isRejection = (error: unknown, code: string) => error instanceof RequestRejected && error.code === code;

const PROFILE = z.object({
  profile: z.object({
    customerProfileId: z.string(),
    paymentProfiles: z.array(
      z.object({
        customerPaymentProfileId: z.string(),
        payment: z.object({
          creditCard: z.object({ cardNumber: z.string(), expirationDate: z.string(), cardType: z.string().optional() }),
        }),
      }),
    ),
  }),
});

/** @returns null if there is none */
export async function findProfile(
  api: AuthorizeNet,
  merchantCustomerId: string,
  onAnswer?: (answer: Pick<Response, 'headers'>) => void,
): Promise<SavedCardAnswer | null> {
  const body = { merchantCustomerId, unmaskExpirationDate: true };
  const found = await api.ask('getCustomerProfile', PROFILE, { body, onAnswer }).catch((error: unknown) => {
    if (isRejection(error, RECORD_NOT_FOUND)) return null;
    throw error;
  });
  if (found === null) return null;
  const { customerProfileId, paymentProfiles } = found.profile;
  const [saved] = paymentProfiles;
  if (saved === undefined) return { status: 'unavailable' };
  const { cardNumber, expirationDate, cardType } = saved.payment.creditCard;
  const facts = factsOf(cardNumber, cardType);
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(expirationDate) ?? [];
  if (facts === null || year === undefined) return { status: 'unavailable' };
  const handle = handleOf(customerProfileId, saved.customerPaymentProfileId);
  return {
    status: 'saved',
    handle,
    fingerprint: null,
    ...facts,
    expiryMonth: Number(month),
    expiryYear: Number(year),
  };
}

/** Both IDs are numbers. The letters keep them from being read as one number with the length of a card's. */
const handleOf = (customer: string, payment: string) => `cust${customer}/pay${payment}`;

export function partsOf(handle: string): { customerProfileId: string; paymentProfileId: string } {
  const [, customerProfileId = '', paymentProfileId = ''] = /^cust(\d+)\/pay(\d+)$/.exec(handle) ?? [];
  return { customerProfileId, paymentProfileId };
}

async function forget(
  open: OpenAuthorizeNet,
  { handle, ...access }: ForgetCardRequest,
  signal: AbortSignal,
): Promise<{ status: 'gone' | 'unavailable' }> {
  try {
    const { customerProfileId } = partsOf(handle);
    const api = await open(access, signal);
    await api.ask('deleteCustomerProfile', z.object({}), { body: { customerProfileId } });
    return { status: 'gone' };
  } catch (error) {
    return { status: isRejection(error, RECORD_NOT_FOUND) ? 'gone' : 'unavailable' };
  }
}
