/** The vocabulary of a call, from its session and merchant. */
import { isSameLanguage, languageOf, languageToChangeTo, type SessionLanguages } from '../domain/language.ts';
import type { Merchant } from '../domain/merchant.ts';
import { smallestPart } from '../domain/part.ts';
import { isDialable } from '../domain/return-target.ts';
import type { CheckoutSession } from '../domain/session.ts';
import { tipsOn } from '../domain/tip.ts';
import type { SpokenAs, Vocabulary } from './ports.ts';

type SessionWords = SessionLanguages &
  Pick<CheckoutSession, 'accountId' | 'amount' | 'successMessage' | 'failureMessage' | 'returnTo'> &
  Partial<Pick<CheckoutSession, 'capture' | 'purpose' | 'saving' | 'payerName'>>;
type MerchantWords = Pick<Merchant, 'language' | 'secondLanguage' | 'voice' | 'businessName' | 'acceptedBrands'> &
  Partial<Pick<Merchant, 'tipPercentages' | 'partialMinimumCents' | 'bankDebitPhone' | 'timeZone'>>;

/**
 * Used for rendering ahead and during the call, so that both use the same cached files.
 * @param canText of domain/texts.ts. No file that is rendered ahead depends on it
 */
export function vocabularyOf(session: SessionWords, merchant: MerchantWords, canText: boolean): Vocabulary {
  const language = languageOf(session, merchant);
  const other = languageToChangeTo(language, merchant);
  // The integrator's messages are in the language of the checkout's request.
  const isTheirLanguage = isSameLanguage(language, session.language ?? merchant.language);
  return {
    ...spokenAs(language, merchant),
    account: session.accountId,
    other: other === null ? null : spokenAs(other, merchant),
    businessName: merchant.businessName,
    amountCents: session.amount.amountCents,
    currency: session.amount.currency,
    smallestPartCents: smallestPartOf(session, merchant),
    tips: tipsOn(session.amount, merchant.tipPercentages ?? []),
    isHold: session.capture === 'manual',
    savesOnly: session.purpose === 'save_card',
    canText,
    successMessage: isTheirLanguage ? session.successMessage : null,
    failureMessage: isTheirLanguage ? session.failureMessage : null,
    saveSentence: isTheirLanguage ? (session.saving?.sentence ?? null) : null,
    debit: debitOf(session, merchant),
    // False for a web address, which cannot be called.
    returns: isDialable(session.returnTo),
    acceptedBrands: merchant.acceptedBrands,
  };
}

function smallestPartOf(
  { amount, capture = 'automatic', purpose = 'payment' }: SessionWords,
  { partialMinimumCents = null }: MerchantWords,
): number | null {
  return smallestPart({ amount, capture, purpose }, { partialMinimumCents });
}

function debitOf(
  { payerName: payer = null }: SessionWords,
  { bankDebitPhone: phone = null, timeZone = 'UTC' }: MerchantWords,
): NonNullable<Vocabulary['debit']> | null {
  return payer === null || phone === null ? null : { payer, phone, at: new Date(), timeZone };
}

/** The vocabularies that a call can use: two if the caller can change the language. */
export function vocabulariesOf(
  session: SessionWords,
  merchant: MerchantWords,
  canText: boolean,
): [Vocabulary, Vocabulary?] {
  const first = vocabularyOf(session, merchant, canText);
  const { other = null } = first;
  if (other === null) return [first];
  return [first, vocabularyOf({ ...session, chosenLanguage: other.language }, merchant, canText)];
}

/** A merchant's voice speaks only the merchant's language. */
function spokenAs(language: string, merchant: Pick<Merchant, 'language' | 'voice'>): SpokenAs {
  return { language, voice: isSameLanguage(language, merchant.language) ? merchant.voice : null };
}
