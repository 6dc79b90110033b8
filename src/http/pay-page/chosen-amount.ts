/**
 * The amount that the payer chose on the page: the session's, with or without a tip. The choice is in the URL of the
 * page, and in a hidden field of its forms. So the server renders every amount, and it works without JavaScript.
 */
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import type { Money } from '../../domain/money.ts';
import { type OfferedTip, tipsOn } from '../../domain/tip.ts';

/** The names of the choice, in the URL and in forms. */
const CHOICES = ['tip'] as const;
export type ChoiceName = (typeof CHOICES)[number];
/** As requested: untrusted. */
export type RequestedAmount = (name: ChoiceName) => string | undefined;

export interface ChosenAmount {
  /** All that is charged. */
  total: Money;
  tip: OfferedTip | null;
  /** On offer. */
  tips: readonly OfferedTip[];
}

type Reading = Pick<PayPageReading, 'session' | 'merchant'>;

/** @returns null if the request has a tip that is not on offer, for example because the merchant changed it meanwhile */
export function chosenAmount(reading: Reading, requested: RequestedAmount): ChosenAmount | null {
  const whole = wholeAmount(reading);
  const percent = requested('tip') ?? '';
  if (percent === '') return whole;
  const tip = whole.tips.find((each) => String(each.percent) === percent);
  if (tip === undefined) return null;
  return { ...whole, total: { ...whole.total, amountCents: whole.total.amountCents + tip.tipCents }, tip };
}

/** The session's amount. */
export function wholeAmount({ session: { amount, purpose }, merchant }: Reading): ChosenAmount {
  const tips = purpose === 'save_card' ? [] : tipsOn(amount, merchant?.tipPercentages ?? []);
  return { total: amount, tip: null, tips };
}

/** The choice, for the URL and for hidden fields. */
export function choiceOf({ tip }: Pick<ChosenAmount, 'tip'>): Partial<Record<ChoiceName, string>> {
  return tip === null ? {} : { tip: String(tip.percent) };
}

/** The choice in a form, to show it again on the next page. */
export function requestedIn(fields: ReadonlyMap<string, string>): Partial<Record<ChoiceName, string>> {
  return Object.fromEntries(CHOICES.flatMap((name) => (fields.has(name) ? [[name, fields.get(name) ?? '']] : [])));
}
