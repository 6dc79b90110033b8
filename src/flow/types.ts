/**
 * The types of the payment line's conversation: what can happen on a call (events), what the line then does (effects)
 * and what it says (lines). The table itself is in `table.ts`. Pure: no clock, no I/O, card data only inside Secret.
 */
import type { DeclineCode } from '../domain/charge.ts';
import type { ChargeId, InstrumentId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { Secret } from '../domain/secret.ts';

/** What the caller is asked for. `saved_card`: which of several saved cards. */
export type Field =
  | 'card_number'
  | 'expiry'
  | 'security_code'
  | 'postal_code'
  | 'keep_card'
  | 'confirmation'
  | 'saved_card';

/** What is fixed for the whole call when it is answered. */
export interface Terms {
  asksPostalCode: boolean;
  asksConfirmation: boolean;
  /** The merchant wants it, the caller's number is known, and the processor can keep cards. */
  asksToKeepCard: boolean;
  /** credit-card-type ids: `visa`, `mastercard`, `american-express`, `discover`. */
  acceptedBrands: readonly string[];
  /** The merchant's processor takes cards that are keyed. */
  takesKeypad: boolean;
  /** A text with the pay link can go out to the caller: only then is one offered. */
  canTextLink: boolean;
  /** For the expiry check: the month, 1 … 12, and the four-digit year before which a card has expired. */
  today: { month: number; year: number };
  /** Whether the session has a return_to that a call can be sent to. */
  returns: boolean;
  /** The greeting offers a second language, by the key 9. */
  offersLanguage: boolean;
  /** The session had a call before: the caller is welcomed back. Null: this is its first. */
  back: CallingBack | null;
  /**
   * The caller's saved cards, newest first, MAX_SAVED_CARDS at most: on offer by the key 1 until a charge is ordered.
   */
  savedCards: readonly OfferedCard[];
}

/** What may be said of a saved card. */
export interface SpokenCard {
  /** `CardBrand.label`, or what the processor calls it. */
  brand: string;
  lastFour: string;
}

/** A saved card on offer. */
export interface OfferedCard extends SpokenCard {
  id: InstrumentId;
}

/** A merchant that the caller may choose, and what is to be paid there. */
export interface SpokenMerchant {
  businessName: string;
  /** Said where two merchants have the same name. */
  amount: Money;
}

/** The language of a call: the one that it was greeted in, or the other one that the greeting offers. */
export type CallLanguage = 'first' | 'second';

/** A caller who calls again; `link_texted`: the pay link went out to the caller meanwhile. */
export type CallingBack = 'after_call' | 'link_texted';

/**
 * A keyed card, handed to the payment. These are copies, and the payment wipes them: `securityCode` once the
 * authorization is sent, the rest when the answer is here. The conversation keeps its own card for another try, but
 * never the code.
 */
export interface KeyedCard {
  number: Secret;
  /** `MMYY`. */
  expiry: Secret;
  securityCode: Secret;
  /** Null where the merchant does not ask. */
  postalCode: Secret | null;
}

/**
 * Who else may pay the session of a call: the payer on the pay page; or an agent with a saved card, or an earlier call.
 */
export type ElsewherePayer = 'page' | 'other';

/** Why no pay link was texted. */
type LinkRefusal =
  /** The number wants no texts (STOP). */
  | 'opted_out'
  /** So many were texted that none is for a while. */
  | 'too_often'
  /** No number, no carrier, nothing to pay by link, or no answer in time. */
  | 'unavailable';

/** What can happen on a call. */
export type FlowEvent =
  /** The call is answered: the caller can hear us. */
  | { type: 'answered' }
  /** One key, `0`-`9`, `*` or `#`, in a Secret of length one. `step` wipes it. */
  | { type: 'key'; key: Secret }
  /**
   * The last `say` was played to its end, or could not be played. Every `say` is answered by this, unless another
   * `say`, `stop_speaking` or `media_lost` comes first; without it the call would stand still.
   */
  | { type: 'spoken' }
  /** The timer ran out; never one that was replaced or canceled. */
  | { type: 'silence' }
  /** `cardKept`: the card is kept, as the caller agreed. False also where it may still be kept later. */
  | { type: 'paid'; chargeId: ChargeId; cardKept?: boolean }
  | { type: 'declined'; chargeId: ChargeId; code: DeclineCode }
  /**
   * The answer to `charge_saved` where nothing was charged because the card may not be used any more: deleted or
   * expired since it was offered, or the caller was stepped up. The session can be paid with another card.
   */
  | { type: 'saved_card_unusable' }
  /**
   * The processor's answer is not known: the charge is pending. `elsewhere`: it is not this call's but an earlier
   * call's, the page's, or another session's of the same order; `textFollows`: a text to this caller will tell of it.
   * Like `paying_elsewhere` it may come before the call is answered, and at any time while no charge of this call is in
   * flight.
   */
  | { type: 'unconfirmed'; chargeId: ChargeId; elsewhere?: { textFollows: boolean } }
  /**
   * This call charges nothing: the session expired, was paid another way (by `chargeId`, where known), was tried too
   * often, or payments can't be taken now. May come at any time, even instead of `answered`. A session with another
   * charge still pending is `paying_elsewhere` or `unconfirmed`.
   */
  | { type: 'refused'; reason: 'expired' | 'too_many_attempts' | 'unavailable' }
  | { type: 'refused'; reason: 'already_paid'; chargeId?: ChargeId }
  /** The processor does not take payments of this merchant as it is set up: no card would help. */
  | { type: 'refused'; reason: 'merchant_fault'; chargeId?: ChargeId }
  /** The merchant's processor takes no card that is keyed. */
  | { type: 'refused'; reason: 'keypad_unavailable' }
  /**
   * The answer to `send_link`. `sent`: a text with the pay link is on its way, asked for now or within the last minute.
   * @param lastTwo last two digits of the number that it goes to
   */
  | { type: 'link'; result: 'sent'; lastTwo: string }
  | { type: 'link'; result: 'not_sent'; reason: LinkRefusal }
  /** The caller has opened the pay page. */
  | { type: 'page_opened' }
  /**
   * The session is being paid, not with a card of this call: `chargeId` is pending. Also the answer to a charge of this
   * call that came second. `bankAsks`: its payer is to confirm it on the page; told again once that is so. Like the two
   * after it, it comes when no charge of this call is in flight.
   */
  | { type: 'paying_elsewhere'; by: ElsewherePayer; chargeId: ChargeId; bankAsks?: boolean }
  /** The session is paid, by this charge. */
  | { type: 'paid_elsewhere'; chargeId: ChargeId }
  /** That charge failed, and the session can be paid again. `code`: null where the card was not at fault. */
  | { type: 'declined_elsewhere'; by: ElsewherePayer; chargeId: ChargeId; code: DeclineCode | null }
  /**
   * The answer to `take_session`: the call is for this session now. `answered`, or what the database knows of it,
   * follows at once.
   */
  | { type: 'session_taken'; terms: Terms }
  /** The other answer: another call has the session, or it was called too often, or the database does not answer. */
  | { type: 'session_not_taken' }
  /**
   * Somebody of the account ends the call. A charge that is under way is waited for, here or on the page, and its
   * outcome told; what is paid ends as paid. A caller who is on the way back to the agent, or gone, is left alone.
   */
  | { type: 'end_requested' }
  /** The caller is back with the agent and our part is over: the REFER was accepted, or the bridge has ended. */
  | { type: 'returned' }
  /** Neither REFER nor bridge worked. */
  | { type: 'return_failed' }
  | { type: 'hung_up' }
  /** The media server or the caller's audio is gone. */
  | { type: 'media_lost' };

/** What the line then does. At most one `say` and one timer are active; a new one replaces the old. */
export type Effect =
  /** Speak. It does not stop at a key by itself: the table orders `stop_speaking`. */
  | { type: 'say'; line: Line }
  | { type: 'stop_speaking' }
  /** Every `say` from now on is in this language. */
  | { type: 'change_language'; to: CallLanguage }
  /** Raise `silence` after `ms`, unless another `start_timer` or `cancel_timer` comes first. */
  | { type: 'start_timer'; ms: number }
  | { type: 'cancel_timer' }
  /** `agreedTo`: the question to which the caller said yes, to have this card kept; null where there was no yes. */
  | { type: 'charge'; card: KeyedCard; agreedTo: AskLine | null }
  /** Charge the saved card that the caller chose. Answered like `charge`, or by `saved_card_unusable`. */
  | { type: 'charge_saved'; cardId: InstrumentId }
  /**
   * Text the caller the session's pay link. Answered by `link`, or by `refused` where the session can't be paid any
   * more.
   */
  | { type: 'send_link' }
  /**
   * Claim the session of the merchant at this place of the question for this call. Answered by `session_taken` or
   * `session_not_taken`.
   */
  | { type: 'take_session'; place: number }
  /** Return the caller to the agent with this outcome. Answered by `returned` or `return_failed`. */
  | { type: 'return'; outcome: CallOutcome }
  /** End the call with this outcome. The last effect of every call, exactly once, also after `hung_up`. */
  /** `brokeOff`: the caller or the audio was gone in the middle, unpaid, and no link was texted on this call. */
  | { type: 'hang_up'; outcome: CallOutcome; brokeOff?: true }
  /** A step for the call's timeline. Never a digit. */
  | { type: 'note'; step: string };

/** The question for a field. */
export type AskLine = Extract<Line, { name: 'ask' }>;

export type Attempt = 1 | 2 | 3;

/** What was wrong with the last try at a field. */
export type FieldError =
  | 'nothing_keyed'
  | 'incomplete'
  | 'looks_wrong'
  | 'card_not_accepted'
  | 'in_the_past'
  /** The caller pressed `*`. */
  | 'started_over'
  /** The bank's decline puts this field in doubt. */
  | 'bank_doubts'
  /** Nothing was wrong with it, but it was not kept: the security code, when another field is in doubt. */
  | 'needed_again'
  /** The caller pressed `##`, and no link can be texted. */
  | 'link_not_sent';

/** How else the caller can pay while the line stays with the link: by keypad, or not at all. */
export type ByLink = 'or_keypad' | 'link_only';

/** What the line says, by name and variant. `speech/` turns it into words and audio. */
export type Line =
  /** `byLink`: without the question for a card number; the link follows. `savedCards`: by the key 1. */
  | { name: 'greeting'; byLink?: true; back?: CallingBack; savedCards?: readonly SpokenCard[] }
  | {
      name: 'ask';
      field: Field;
      attempt: Attempt;
      error: FieldError | null;
      /** For `security_code`: 4 is on the front (American Express), 3 on the back. */
      codeLength?: number;
      /** For `confirmation`. */
      lastFour?: string;
      /** For `confirmation`: the caller may press 3 to pay and have the card kept. */
      offersKeeping?: true;
      /** The caller may press `##` to be texted the pay link. */
      offersLink?: true;
      /** For `card_number`: on offer by the key 1. For `saved_card`: each by its own key. */
      savedCards?: readonly SpokenCard[];
    }
  /** Says that the saved card can't be used, and asks for a card number. */
  | { name: 'saved_card_unusable' }
  /** Which of several payments the call is for: each merchant by its own key, from 1 on. */
  | {
      name: 'choose_merchant';
      merchants: readonly SpokenMerchant[];
      attempt: Attempt;
      error: Extract<FieldError, 'nothing_keyed' | 'looks_wrong' | 'started_over'> | null;
    }
  /** The last words of a call that has no session: the caller wants to leave. */
  | { name: 'choice_left' }
  /** No payment can be taken on this call. */
  | { name: 'session_not_taken' }
  /** All that a caller hears who has nothing to pay; said outside of this table. */
  | { name: 'no_payment_waiting' }
  | { name: 'one_moment' }
  | { name: 'still_working' }
  /** The caller has opened the pay page, and may pay there or here. */
  | { name: 'page_opened' }
  /** Nothing was keyed for a while: the caller may be busy on the page. */
  | { name: 'page_patience' }
  /** The payment is being made elsewhere: the line asks for nothing and waits. */
  | { name: 'paying_elsewhere'; by: ElsewherePayer }
  /** `bankAsks`: the payer is to confirm the payment on the page. */
  | { name: 'waiting_elsewhere'; by: ElsewherePayer; bankAsks?: true }
  /**
   * That payment failed: the caller may try there again, or enter a card number. `byLink`: the line stays with the
   * link.
   */
  | { name: 'declined_elsewhere'; by: ElsewherePayer; byLink?: ByLink }
  /** The link is texted to the number ending in `lastTwo`: the caller may pay there. */
  | { name: 'link_sent'; lastTwo: string; byLink: ByLink }
  /** The caller has opened the page, and the line stays. */
  | { name: 'link_opened' }
  /** Renewed every 20 s while the link is not paid. `choices`: says what else the caller can do. */
  | { name: 'link_waiting'; isOpened: boolean; choices: ByLink | null }
  /** Tells of the decline and asks for `next` in one sentence. */
  | {
      name: 'declined';
      code: DeclineCode;
      next: Exclude<Field, 'keep_card' | 'confirmation' | 'saved_card'>;
      codeLength?: number;
      offersLink?: true;
      /** It was a saved card: nothing of it was keyed. */
      wasSaved?: true;
    }
  /** This and the following come last, before the return to the agent or the end. */
  | { name: 'succeeded'; cardKept?: true }
  | { name: 'paid_elsewhere' }
  /** `elsewhere`: a payment that is not of this call, of which no text is promised: a page tells its payer itself. */
  | { name: 'unconfirmed'; elsewhere?: true }
  /** A payment that is not of this call has no outcome yet, and nobody is making it: the caller must not pay again. */
  | { name: 'still_confirming'; textFollows: boolean }
  | { name: 'gave_up'; reason: 'no_input' | 'invalid_input' | 'no_choice' }
  /** The last try was declined, for `code`. */
  | { name: 'gave_up'; reason: 'declined'; code: DeclineCode; wasSaved?: true }
  | { name: 'canceled' }
  /**
   * Somebody has ended the call, unpaid. `declined`: what became of the charge that was waited for; told first.
   * `hasLink`: the link that was texted goes on.
   */
  | { name: 'call_ended'; declined?: DeclineCode; wasSaved?: true; hasLink?: true }
  /**
   * The caller goes, unpaid; the link goes on. `no_payment`: after five minutes; `asked`: after `**`, or when the line
   * stops; `ended`: somebody has ended the call.
   */
  | { name: 'link_stays'; reason: 'no_payment' | 'asked' | 'ended' }
  | { name: 'expired' }
  | { name: 'already_paid' }
  /** Declined so often that no card is tried for a while. */
  | { name: 'too_many_attempts' }
  /** The payment can't be taken now: an apology. */
  | { name: 'unavailable' }
  /** It can't be taken, and that is not the card's fault. */
  | { name: 'merchant_fault' }
  /** Nothing can be keyed here. */
  | { name: 'keypad_unavailable' }
  /** After `return_failed`: the agent can't be reached. */
  | { name: 'goodbye'; outcome: CallOutcome['kind'] };
