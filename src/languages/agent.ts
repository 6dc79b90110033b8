/** What the voice agent says, and what screens show to the caller: words for errors, declines and new checkouts. */
import type { DeclineCode } from '../domain/charge.ts';

/** One fact for the person on the call. */
export interface CallerWords {
  /** The agent says it word for word. */
  agentMessage: string;
  /** For a screen. */
  displayMessage: string;
}

/** The error codes of the API that concern the caller. */
export type CallerError =
  | 'card_declined'
  | 'instrument_not_found'
  | 'processor_mismatch'
  | 'merchant_credentials_invalid'
  | 'needs_enrollment'
  | 'processor_unavailable'
  | 'rate_limit'
  | 'order_lookup_failed'
  | 'card_save_failed';

/** The decline codes that the caller is told. For all others, the caller hears only that the card was declined. */
type SpokenDecline = Extract<
  DeclineCode,
  | 'insufficient_funds'
  | 'expired_card'
  | 'card_not_supported'
  | 'authentication_required'
  | 'incorrect_number'
  | 'incorrect_cvc'
  | 'incorrect_expiry'
  | 'incorrect_zip'
  | 'processing_error'
  | 'try_again_later'
>;

/** Words instead of a code's own, if those do not fit: they are about a payment, and this was a refund. */
export type OtherWordsName =
  | 'no_more_attempts'
  | 'order_paid'
  /** A part of the order was paid, so it is not said that nothing is left to pay. */
  | 'order_has_payment'
  | 'order_pending'
  | 'debit_declined'
  | 'outcome_by_text'
  | 'no_card_on_file'
  | 'card_not_usable'
  | 'link_not_texted'
  | 'refund_unavailable'
  | 'refund_unknown';

/** What the agent says after it created a checkout. `checkoutLine` (contract/agent-lines.ts) selects one. */
interface CheckoutLines {
  transfer: string;
  /** If the call only saves a card. */
  transferToSave: string;
  /** The same if no card can be entered on the keypad. */
  linkToSave: string;
  /** If no card can be entered on the keypad. The line texts a link if it can. */
  transferWithoutKeypad: string;
  cardOrLater: string;
  linkOrLater: string;
  later: string;
  nothingDue: string;
}

/**
 * What the agent says about the outcome of a checkout. `sessionLine` (contract/agent-lines.ts) selects one. Each is true
 * as long as the checkout is in that state.
 */
interface OutcomeLines {
  paid: string;
  /** A part was paid. @param remaining as in the line's sentences */
  paidPart: (remaining: string) => string;
  /** With manual capture: the amount is held and not taken. @param amount as in the line's sentences */
  held: (amount: string) => string;
  /** For a checkout that only saves a card: it is saved, its outcome is unknown, or it is not saved. */
  saved: string;
  savingPending: string;
  unsaved: string;
  /** The hold was released, and nothing was taken. */
  released: string;
  /** A charge is pending: on the page, at the bank, or without an answer. */
  confirming: string;
  /** The processor has accepted a bank debit. It is not paid, and the caller has nothing to do. */
  debited: string;
  /** The bank returned a paid bank debit. */
  returned: string;
  /** The processor could not take the amount of a payment that had succeeded. */
  notCollected: string;
  /** The checkout has expired. */
  expired: string;
  /** The pay link was texted and can still be used. */
  linkTexted: string;
  /** No attempt to pay so far. */
  unpaid: string;
  /** The call reached the payment line but was not connected. */
  notConnected: string;
  /** The caller pressed no key. */
  nothingKeyed: string;
  /** The caller's card details could not be used. */
  notUnderstood: string;
  /** The caller pressed star twice or hung up, or the merchant's side ended the call. */
  stopped: string;
  /** The merchant's processor accepts no cards entered on the keypad. */
  noKeypad: string;
  /** A fault of the service or the line. */
  lineFailed: string;
}

export interface AgentWords {
  errors: Record<CallerError, CallerWords>;
  declines: Record<SpokenDecline, CallerWords>;
  other: Record<OtherWordsName, CallerWords>;
  checkout: CheckoutLines;
  outcome: OutcomeLines;
}
