/** The vocabulary of a call, from its session and merchant. */
import { isDialable } from '../domain/return-target.ts';
import type { CheckoutSession, Merchant } from '../domain/session.ts';
import type { Vocabulary } from './ports.ts';

type SessionWords = Pick<CheckoutSession, 'accountId' | 'amount' | 'successMessage' | 'failureMessage' | 'returnTo'>;
type MerchantWords = Pick<Merchant, 'language' | 'voice' | 'businessName' | 'acceptedBrands'>;

/**
 * Used both when the checkout renders ahead and when the call speaks, so that they use the same cached files.
 * @param canText of domain/text-promise.ts; no file that is rendered ahead depends on it
 */
export function vocabularyOf(session: SessionWords, merchant: MerchantWords, canText: boolean): Vocabulary {
  return {
    account: session.accountId,
    language: merchant.language,
    voice: merchant.voice,
    businessName: merchant.businessName,
    amountCents: session.amount.amountCents,
    currency: session.amount.currency,
    canText,
    successMessage: session.successMessage,
    failureMessage: session.failureMessage,
    // False for a web address: no call can go there.
    returns: isDialable(session.returnTo),
    acceptedBrands: merchant.acceptedBrands,
  };
}
