/** The part and the tip of a saved card's charge, as far as the merchant offers them. */
import { ApiError } from '../contract/errors.ts';
import type { Sql } from '../db/pool.ts';
import { type AmountTerms, findAmountTerms } from '../db/sessions/amount-terms.ts';
import type { Scope } from '../domain/account.ts';
import type { Charge } from '../domain/charge.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import { partFault, smallestPart } from '../domain/part.ts';
import { largestTip } from '../domain/tip.ts';

/** In minor units. Absent: all of the amount, and no tip. */
export interface RequestedAmount {
  partCents?: number | undefined;
  tipCents?: number | undefined;
}

/** The request's amounts. @throws ApiError `invalid_value` if the merchant does not offer them */
export async function requireOffered(
  sql: Sql,
  scope: Scope,
  sessionId: CheckoutSessionId,
  { partCents, tipCents }: RequestedAmount,
): Promise<{ partCents?: number; tipCents?: number }> {
  if (partCents === undefined && tipCents === undefined) return {};
  const terms = await findAmountTerms(sql, scope, sessionId);
  // The payment finds out why.
  if (terms === null) return {};
  const why = whyNotPart(terms, partCents);
  if (why !== null) throw new ApiError('invalid_value', { param: 'part_cents', message: why });
  const dueCents = partCents ?? terms.amount.amountCents;
  const whyNoTip = whyNotTip(terms, dueCents, tipCents);
  if (whyNoTip !== null) throw new ApiError('invalid_value', { param: 'tip_cents', message: whyNoTip });
  return { partCents: dueCents, tipCents: tipCents ?? 0 };
}

function whyNotPart(terms: AmountTerms, partCents: number | undefined): string | null {
  const { amountCents } = terms.amount;
  if (partCents === undefined || partCents === amountCents) return null;
  const minimum = smallestPart(terms, terms);
  if (minimum === null)
    return 'Only the whole amount of this checkout can be paid: see `partial_minimum_cents` of the merchant. Omit `part_cents`.';
  if (partFault(partCents, minimum, amountCents) === null) return null;
  return `\`part_cents\` must be from ${minimum} to ${amountCents}.`;
}

function whyNotTip(terms: AmountTerms, dueCents: number, tipCents = 0): string | null {
  if (tipCents === 0) return null;
  if (terms.tipPercentages.length === 0 || terms.purpose === 'save_card')
    return 'The merchant offers no tips: see `tip_percentages`. Omit `tip_cents`.';
  const most = largestTip(dueCents);
  return tipCents > most ? `\`tip_cents\` must be at most ${most}.` : null;
}

/** Whether an earlier charge has what the request names. */
export function hasAmount(
  { amount, tipCents, remainingCents }: Pick<Charge, 'amount' | 'tipCents' | 'remainingCents'>,
  requested: RequestedAmount,
): boolean {
  const dueCents = amount.amountCents - tipCents;
  const wholeCents = dueCents + remainingCents;
  const isPart = requested.partCents === undefined || Math.min(requested.partCents, wholeCents) === dueCents;
  return isPart && (requested.tipCents === undefined || requested.tipCents === tipCents);
}
