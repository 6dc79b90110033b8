/**
 * The amount that the payer chose on the page: the session's or a part of it, with or without a tip. The choice is in the
 * URL of the page, and in hidden fields of its forms. So the server renders every amount, and it works without JavaScript.
 */
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import { type Money, majorUnits, minorUnits } from '../../domain/money.ts';
import { partFault, smallestPart } from '../../domain/part.ts';
import { type OfferedTip, tipsOn } from '../../domain/tip.ts';

/** The names of the choice, in the URL and in forms. */
const CHOICES = ['part', 'tip'] as const;
export type ChoiceName = (typeof CHOICES)[number];
/** As requested: untrusted. */
export type RequestedAmount = (name: ChoiceName) => string | undefined;

export interface ChosenAmount {
  /** All that is charged. */
  total: Money;
  /** The part of the session's amount. Null: all of it. */
  partCents: number | null;
  /** The smallest part that can be chosen. Null: only all of it. */
  minimumCents: number | null;
  tip: OfferedTip | null;
  /** On offer, for the part or all. */
  tips: readonly OfferedTip[];
}

type Reading = Pick<PayPageReading, 'session' | 'merchant'>;

/**
 * @returns null if the request has a part or a tip that is not on offer, for example because the merchant changed its
 * settings meanwhile
 */
export function chosenAmount(reading: Reading, requested: RequestedAmount): ChosenAmount | null {
  const due = withPart(reading, requested('part') ?? '');
  const percent = requested('tip') ?? '';
  if (due === null || percent === '') return due;
  const tip = due.tips.find((each) => String(each.percent) === percent);
  if (tip === undefined) return null;
  return { ...due, total: { ...due.total, amountCents: due.total.amountCents + tip.tipCents }, tip };
}

function withPart(reading: Reading, text: string): ChosenAmount | null {
  const whole = wholeAmount(reading);
  if (text === '') return whole;
  const { amount } = reading.session;
  const cents = minorUnits(plainNumber(text), amount.currency);
  if (cents === null || whole.minimumCents === null) return null;
  if (partFault(cents, whole.minimumCents, amount.amountCents) !== null) return null;
  if (cents === amount.amountCents) return whole;
  const total = { ...amount, amountCents: cents };
  return { ...whole, total, partCents: cents, tips: tipsOf(reading, total) };
}

/** People type `$20`, `20 €` and `20,50`. */
const plainNumber = (text: string) => text.replaceAll(/[\s$€£¥₩]/g, '').replace(',', '.');

/** The session's amount, without a tip. */
export function wholeAmount(reading: Reading): ChosenAmount {
  const { session, merchant } = reading;
  const { amount: total } = session;
  const minimumCents = merchant === null ? null : smallestPart(session, merchant);
  return { total, partCents: null, minimumCents, tip: null, tips: tipsOf(reading, total) };
}

function tipsOf({ session, merchant }: Reading, amount: Money): OfferedTip[] {
  return session.purpose === 'save_card' ? [] : tipsOn(amount, merchant?.tipPercentages ?? []);
}

/** The choice, for the URL and for hidden fields. */
export function choiceOf({
  partCents: amountCents,
  tip,
  total: { currency },
}: Pick<ChosenAmount, 'partCents' | 'tip' | 'total'>): Partial<Record<ChoiceName, string>> {
  return {
    ...(amountCents !== null && { part: majorUnits({ amountCents, currency }) }),
    ...(tip !== null && { tip: String(tip.percent) }),
  };
}

/** The choice in a form, to show it again on the next page. */
export function requestedIn(fields: ReadonlyMap<string, string>): Partial<Record<ChoiceName, string>> {
  return Object.fromEntries(CHOICES.flatMap((name) => (fields.has(name) ? [[name, fields.get(name) ?? '']] : [])));
}
