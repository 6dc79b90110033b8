/** Checks what a processor says about a dispute, before it is stored. */
import type { DisputeFacts } from '../../domain/dispute.ts';
import type { Money } from '../../domain/money.ts';
import { codeOrNull } from '../shared/checked-answers.ts';

const MAX_CENTS = 1_000_000_000_000;
/** ISO 4217. */
const CURRENCY = /^[A-Z]{3}$/;
const UNREADABLE = '';

/** Drops what may not be stored. A malformed currency becomes empty. */
export function checkedDispute<Facts extends DisputeFacts>(dispute: Facts): Facts {
  const currency = dispute.currency.toUpperCase();
  return {
    ...dispute,
    processorReason: codeOrNull(dispute.processorReason),
    amountCents: Math.min(Math.max(Math.trunc(dispute.amountCents), 0), MAX_CENTS),
    currency: CURRENCY.test(currency) ? currency : UNREADABLE,
  };
}

/** @returns `isGuess`: the processor's currency is unreadable, so the whole charge counts as disputed */
export function disputedAmount(
  { amountCents, currency }: Pick<DisputeFacts, 'amountCents' | 'currency'>,
  charge: { amount: Money },
): Pick<DisputeFacts, 'amountCents' | 'currency'> & { isGuess: boolean } {
  if (currency !== UNREADABLE) return { amountCents, currency, isGuess: false };
  return { amountCents: charge.amount.amountCents, currency: charge.amount.currency, isGuess: true };
}
