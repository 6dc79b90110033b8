/**
 * The payment line's conversation in words: what can happen on a call (events), what the line then does (effects), and
 * what it says (lines). The table itself is `step` in `table.ts`. Pure: no clock, no I/O; card data only inside Secret.
 */
import type { DeclineCode } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { Secret } from '../domain/secret.ts';

/** What the caller is asked for, in this order. */
export type Field = 'card_number' | 'expiry' | 'security_code' | 'postal_code' | 'keep_card' | 'confirmation';

/** What is fixed for the whole call when it is answered. */
export interface Terms {
  asksPostalCode: boolean;
  asksConfirmation: boolean;
  /** The merchant wants it, there is a caller to keep the card for, and the processor can. */
  asksToKeepCard: boolean;
  /** credit-card-type ids: `visa`, `mastercard`, `american-express`, `discover`. */
  acceptedBrands: readonly string[];
  /** For "not past": the current month at the merchant, 1 … 12, and the four-digit year. */
  today: { month: number; year: number };
  /** Whether there is a return_to the caller can be sent back to. */
  returns: boolean;
}

/**
 * A keyed card, handed to the payment: copies of its own, which the receiver wipes, `securityCode` once the
 * authorization is sent and the rest when the answer is in. The conversation keeps its own for a next try, but no code.
 */
export interface KeyedCard {
  number: Secret;
  /** `MMYY`. */
  expiry: Secret;
  securityCode: Secret;
  /** Null where the merchant does not ask. */
  postalCode: Secret | null;
}

/** Facts. */
export type FlowEvent =
  /** Media is up: the caller can hear us. */
  | { type: 'answered' }
  /** One key, `0`-`9`, `*` or `#`, in a Secret of length one; `step` wipes it. */
  | { type: 'key'; key: Secret }
  /**
   * The last `say` was heard to its end, or could not be played; not when it was hushed or replaced. Every `say` that
   * is not followed by another, by `hush` or by `media_lost` is answered by this, or the call would stand still.
   */
  | { type: 'spoken' }
  /** The last `wait` ran out; never one that was replaced or taken back. */
  | { type: 'silence' }
  /** `cardKept`: as the caller agreed to; false as well where it may still be kept later. */
  | { type: 'paid'; chargeId: ChargeId; cardKept?: boolean }
  | { type: 'declined'; chargeId: ChargeId; code: DeclineCode }
  /** The processor's answer is not known: the charge is pending. */
  | { type: 'unconfirmed'; chargeId: ChargeId }
  /**
   * Nothing was or will be charged by us: the session expired, was paid another way (by `chargeId`, where known), was tried
   * too often (payments/velocity.ts), or we can't take payments now. May come at any time, even instead of `answered`. A
   * session with another charge still pending is `unconfirmed`.
   */
  | { type: 'refused'; reason: 'expired' | 'too_many_attempts' | 'unavailable' }
  | { type: 'refused'; reason: 'already_paid'; chargeId?: ChargeId }
  /** The caller is back with the agent and our part is over: the REFER's NOTIFY said 2xx, or the bridge has ended. */
  | { type: 'returned' }
  /** No way back worked. */
  | { type: 'return_failed' }
  | { type: 'hung_up' }
  /** The media server or the caller's audio is gone. */
  | { type: 'media_lost' };

/** Orders. At most one `say` and one `wait` are under way; a new one replaces the old. */
export type Effect =
  /** Speak. Whether a key stops it is the table's business: it orders `hush`. */
  | { type: 'say'; line: Line }
  | { type: 'hush' }
  /** Raise `silence` after `ms`, unless another `wait` or `unwait` comes first. */
  | { type: 'wait'; ms: number }
  | { type: 'unwait' }
  /** `agreedTo`: the question that the caller answered with yes, to have this very card kept; null: no such answer. */
  | { type: 'charge'; card: KeyedCard; agreedTo: AskLine | null }
  /** Take the caller back to the agent with this outcome; answered by `returned` or `return_failed`. */
  | { type: 'return'; outcome: CallOutcome }
  /** End the call; the outcome goes into the record. The last effect of every call, once, also after `hung_up`. */
  | { type: 'hang_up'; outcome: CallOutcome }
  /** A step for the call's timeline. Never a digit. */
  | { type: 'note'; step: string };

/** The question for a field. */
export type AskLine = Extract<Line, { name: 'ask' }>;

export type Attempt = 1 | 2 | 3;

/** What was wrong with the last try at a field; null on the first. */
export type FieldError =
  | 'nothing_keyed'
  | 'incomplete'
  | 'looks_wrong'
  | 'card_not_accepted'
  | 'in_the_past'
  /** The caller pressed `*`. */
  | 'started_over'
  /** The bank put this field in doubt. */
  | 'bank_doubts'
  /** Nothing was wrong with it, but it may not be kept: the security code, when another field was in doubt. */
  | 'needed_again';

/** A sentence by name and variant; `speech/` turns it into words and audio. */
export type Line =
  | { name: 'greeting' }
  | {
      name: 'ask';
      field: Field;
      attempt: Attempt;
      error: FieldError | null;
      /** For `security_code`: 4 is on the front (American Express), 3 on the back. */
      codeLength?: number;
      /** For `confirmation`. */
      lastFour?: string;
      /** For `confirmation`: 3 pays and has the card kept. */
      offersKeeping?: true;
    }
  | { name: 'one_moment' }
  | { name: 'still_working' }
  /** Says so and asks for `next` in one breath. */
  | { name: 'declined'; code: DeclineCode; next: Exclude<Field, 'keep_card' | 'confirmation'>; codeLength?: number }
  /** From here on: before the hand-over or the end. */
  | { name: 'succeeded'; cardKept?: true }
  | { name: 'unconfirmed' }
  | { name: 'gave_up'; reason: 'no_input' | 'invalid_input' | 'declined' }
  | { name: 'canceled' }
  | { name: 'expired' }
  | { name: 'already_paid' }
  /** Declined so often that no card is tried for a while. */
  | { name: 'too_many_attempts' }
  /** We can't take the payment now: the spoken apology. */
  | { name: 'unavailable' }
  /** After `return_failed`: the agent can't be reached; nothing to return to. */
  | { name: 'goodbye'; outcome: CallOutcome['kind'] };
