/** What the line will say to the callers of a merchant, step by step, from the words of real calls. */
import type { AccountId } from '../domain/ids.ts';
import type { Merchant } from '../domain/merchant.ts';
import { smallestPart } from '../domain/part.ts';
import { tipsOn } from '../domain/tip.ts';
import type { Line } from '../flow/lines.ts';
import { languageFor } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { SAMPLE_CENTS } from './sample.ts';
import type { Sentence } from './sentences.ts';
import { vocabularyOf } from './vocabulary.ts';
import { wordingOf } from './wording.ts';

type PreviewedMerchant = Pick<
  Merchant,
  | 'businessName'
  | 'currency'
  | 'language'
  | 'secondLanguage'
  | 'acceptedBrands'
  | 'tipPercentages'
  | 'partialMinimumCents'
  | 'asksPostalCode'
  | 'asksConfirmation'
  | 'cardSaving'
>;

/** A step of the call, named by its question or its outcome. */
export type PreviewStep =
  | 'greeting'
  | 'expiry'
  | 'security_code'
  | 'postal_code'
  | 'part'
  | 'tip'
  | 'keep_card'
  | 'confirmation'
  | 'one_moment'
  | 'succeeded'
  | 'declined';

export interface PreviewedLine {
  step: PreviewStep;
  /** Each with its BCP 47 language. */
  sentences: readonly { text: string; language: string }[];
}

/** The greeting starts with the merchant's name, so a nameless form has none to show. */
const NAMELESS = '…';
const AGENT = 'sip:agent@voice.example.com';
const LAST_FOUR = '4242';

/** A call about the amount of voice samples, by card, in the order of a call. Without I/O. */
export function previewOfLine(merchant: PreviewedMerchant): PreviewedLine[] {
  const session = {
    accountId: 'acct_preview' as AccountId,
    amount: { amountCents: SAMPLE_CENTS, currency: merchant.currency },
    returnTo: AGENT,
    language: null,
    chosenLanguage: null,
    successMessage: null,
    failureMessage: null,
  };
  const named = { ...merchant, voice: null, businessName: merchant.businessName.trim() || NAMELESS };
  const vocabulary = vocabularyOf(session, named, true);
  const language = languageFor(vocabulary.language);
  const { other = null } = vocabulary;
  return linesOf(merchant).map(([step, line]) => {
    const sentences = wordingOf(line, vocabulary, language, other && languageFor(other.language));
    return {
      step,
      sentences: sentences.map((sentence, place) => ({
        text: writtenText(sentence, sentences[place + 1], language),
        language: sentence.language ?? language.locale,
      })),
    };
  });
}

/** Spoken digits are sentences of their own, without a full stop. The last one gets it. */
function writtenText({ text }: Sentence, next: Sentence | undefined, { numbers }: Language): string {
  const isDigit = (each: string) => numbers.digits.includes(each);
  return isDigit(text) && next !== undefined && !isDigit(next.text) ? `${text}.` : text;
}

const ask = { name: 'ask', attempt: 1, error: null } as const;

function linesOf(merchant: PreviewedMerchant): [PreviewStep, Line][] {
  const amount = { amountCents: SAMPLE_CENTS, currency: merchant.currency };
  const takesPart = smallestPart({ amount, capture: 'automatic', purpose: 'payment' }, merchant) !== null;
  const tips = tipsOn(amount, merchant.tipPercentages);
  const confirms = merchant.asksConfirmation || takesPart || tips.length > 0;
  const keeps = merchant.cardSaving === 'ask';
  const confirmation: Line = {
    ...ask,
    field: 'confirmation',
    lastFour: LAST_FOUR,
    ...(keeps && { offersKeeping: true }),
    ...(takesPart && { offersPart: true }),
    ...(tips.length > 0 && { tips }),
  };
  const steps: [PreviewStep, Line | false][] = [
    ['greeting', { name: 'greeting' }],
    ['expiry', { ...ask, field: 'expiry' }],
    ['security_code', { ...ask, field: 'security_code', codeLength: 3 }],
    ['postal_code', merchant.asksPostalCode && { ...ask, field: 'postal_code' }],
    ['part', takesPart && { ...ask, field: 'part' }],
    ['tip', tips.length > 0 && { ...ask, field: 'tip', tips }],
    ['keep_card', keeps && !confirms && { ...ask, field: 'keep_card' }],
    ['confirmation', confirms && confirmation],
    ['one_moment', { name: 'one_moment' }],
    ['succeeded', { name: 'succeeded' }],
    ['declined', { name: 'declined', code: 'insufficient_funds', next: 'card_number' }],
  ];
  return steps.flatMap(([step, line]) => (line === false ? [] : [[step, line]]));
}
