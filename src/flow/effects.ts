/** What the line does: the effects of the payment line's conversation. Card data is only in Secrets. */
import type { BankAccountType } from '../domain/bank-account.ts';
import type { InstrumentId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { Secret } from '../domain/secret.ts';
import type { AskLine, Line } from './lines.ts';
import type { CallLanguage } from './terms.ts';

/**
 * A keyed card, copied for the payment. The payment wipes it: `securityCode` as soon as the authorization is sent, the
 * rest when the processor has answered. The conversation keeps its own card for another try, but never the code.
 */
export interface KeyedCard {
  number: Secret;
  /** `MMYY`. */
  expiry: Secret;
  securityCode: Secret;
  /** Null if the merchant does not ask for it. */
  postalCode: Secret | null;
}

/** A keyed bank account, moved into the payment, which wipes it. */
export interface KeyedAccount {
  routingNumber: Secret;
  accountNumber: Secret;
  type: BankAccountType;
}

/** The caller's choice, in minor units. */
export interface ChargedAmount {
  /** Instead of the amount due. Null: all of it. */
  partCents: number | null;
  /** In addition. */
  tipCents: number;
}

/** An action of the line. At most one `say` and one timer are active; a new one replaces the old one. */
export type Effect =
  /** Speak. A key does not stop it: the table orders `stop_speaking`. */
  | { type: 'say'; line: Line }
  | { type: 'stop_speaking' }
  /** Every `say` from now on is in this language. */
  | { type: 'change_language'; to: CallLanguage }
  /** Raise `silence` after `ms`, unless another `start_timer` or `cancel_timer` comes first. */
  | { type: 'start_timer'; ms: number }
  | { type: 'cancel_timer' }
  /** `agreedTo`: the question to which the caller answered yes, to save this card; null if there was no yes. */
  | ({ type: 'charge'; card: KeyedCard; agreedTo: AskLine | null } & ChargedAmount)
  /** Charge the saved card that the caller chose. Answered like `charge`, or by `saved_card_unusable`. */
  | ({ type: 'charge_saved'; cardId: InstrumentId } & ChargedAmount)
  /**
   * Debit the bank account. Answered like `charge`, or by `debited`. `agreedTo`: the terms to which the caller answered
   * yes.
   */
  | { type: 'charge_account'; account: KeyedAccount; agreedTo: AskLine }
  /**
   * Text the session's pay link to the caller. Answered by `link`, or by `refused` if the session can no longer be
   * paid.
   */
  | { type: 'send_link' }
  /**
   * Claim the session of the merchant at this place in the question. Answered by `session_claimed` or
   * `session_not_claimed`.
   */
  | { type: 'claim_session'; place: number }
  /** Return the caller to the agent with this outcome. Answered by `returned` or `return_failed`. */
  | { type: 'return'; outcome: CallOutcome }
  /** End the call with this outcome. The last effect of every call, exactly once, also after `hung_up`. */
  /**
   * `brokeOff`: the caller or the audio was lost before the end, nothing was paid, and no link was texted on this call.
   */
  | { type: 'hang_up'; outcome: CallOutcome; brokeOff?: true }
  /** A step for the call's timeline. Never a digit. */
  | { type: 'note'; step: string };
