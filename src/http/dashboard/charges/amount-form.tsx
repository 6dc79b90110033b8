/** The first step of a refund or a capture: the amount, by GET. The second step names it and asks to confirm. */

import type { ComponentChildren } from 'preact';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import { formWords } from '../form/words/index.ts';
import { ATTEMPT_FIELD } from '../page/attempts.ts';
import type { Visit } from '../page/visit.ts';
import { chargeWords } from './words/index.ts';

interface AmountFormProps {
  visit: Visit;
  charge: ListedChargeResource;
  /** As typed. */
  amount: string;
  /** The most that is possible. */
  hint: string;
  /** Why the amount is not taken; null if none was sent. */
  fault: string | null;
  /** Of the charge, within the mode. */
  back: string;
  /** Carries the visit's attempt to the second step. */
  isOnce?: boolean;
  /** Other ways to enter the amount. */
  instead?: ComponentChildren;
  children?: ComponentChildren;
}

export function AmountForm({
  visit,
  charge,
  amount,
  hint,
  fault,
  back,
  isOnce = false,
  instead,
  children,
}: AmountFormProps) {
  const w = chargeWords();
  return (
    <form class="form" method="get" action={visit.path}>
      {isOnce && <input type="hidden" name={ATTEMPT_FIELD} value={visit.attempt} />}
      <div>
        <label for="amount">{w.amountIn(charge.currency)}</label>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          maxlength={14}
          autofocus
          value={amount}
          aria-describedby="amount-most amount-fault"
          aria-invalid={fault === null ? undefined : true}
        />
        <p class="hint" id="amount-most">
          {hint}
        </p>
        {instead}
        <p class="fault" id="amount-fault" role={fault === null ? undefined : 'alert'}>
          {fault}
        </p>
      </div>
      {children}
      <div class="actions">
        <button type="submit" class="first">
          {w.next}
        </button>
        <a class="button" href={visit.base + back}>
          {formWords().cancel}
        </a>
      </div>
    </form>
  );
}
