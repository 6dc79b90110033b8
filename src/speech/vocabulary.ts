/** What the words of a call depend on, taken from its session and merchant. */
import { isDialable } from '../domain/return-target.ts';
import type { CheckoutSession, Merchant } from '../domain/session.ts';
import type { Vocabulary } from './ports.ts';

type SessionWords = Pick<CheckoutSession, 'amount' | 'successMessage' | 'failureMessage' | 'returnTo'>;
type MerchantWords = Pick<
  Merchant,
  'language' | 'voice' | 'businessName' | 'asksPostalCode' | 'asksConfirmation' | 'acceptedBrands'
>;

/** One way for the checkout that prepares the words and for the call that speaks them: so they meet in the cache. */
export function vocabularyOf(session: SessionWords, merchant: MerchantWords): Vocabulary {
  return {
    language: merchant.language,
    voice: merchant.voice,
    businessName: merchant.businessName,
    amountCents: session.amount.amountCents,
    currency: session.amount.currency,
    successMessage: session.successMessage,
    failureMessage: session.failureMessage,
    // A web address is for the pay page: no call can go there.
    returns: isDialable(session.returnTo),
    asksPostalCode: merchant.asksPostalCode,
    asksConfirmation: merchant.asksConfirmation,
    acceptedBrands: merchant.acceptedBrands,
  };
}
