/**
 * The types of the payment line's conversation: events (what happens on a call), effects (what the line does) and lines
 * (what it says). The table itself is in `table.ts`. Pure: no clock, no I/O, card data only inside Secret.
 */
import type { BankAccountType } from '../domain/bank-account.ts';
import type { ChargeDifference, DeclineCode } from '../domain/charge.ts';
import type { ChargeId, InstrumentId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { Secret } from '../domain/secret.ts';
import type { OfferedTip } from '../domain/tip.ts';

/** A field that the caller is asked for. `saved_card`: which of several saved cards. */
export type Field =
  | 'card_number'
  | 'expiry'
  | 'security_code'
  | 'postal_code'
  /** All or a part of the amount. */
  | 'part'
  /** The amount of the part. */
  | 'part_amount'
  | 'tip'
  | 'keep_card'
  | 'confirmation'
  | 'saved_card'
  /** Card or bank account. */
  | 'method'
  | 'routing_number'
  | 'account_number'
  /** The same number once more. */
  | 'account_number_again'
  | 'account_type'
  /** The terms of the bank debit, and the caller's yes. */
  | 'debit_terms';

/** A field that one key answers. */
export type ChoiceField = Extract<
  Field,
  'part' | 'tip' | 'keep_card' | 'confirmation' | 'saved_card' | 'method' | 'account_type' | 'debit_terms'
>;
/** The digits of a bank account. */
export type AccountField = Extract<Field, 'routing_number' | 'account_number' | 'account_number_again'>;

/** Partial payments, in minor units of the amount due. */
export interface PartTerms {
  minimumCents: number;
  totalCents: number;
  /** Of the currency. */
  decimals: number;
}

/** The terms of a call, fixed when it is answered. */
export interface Terms {
  asksPostalCode: boolean;
  asksConfirmation: boolean;
  /** The caller may pay a part, chosen before the tip and the confirmation. Absent: only all. */
  part?: PartTerms;
  /** Tips on offer, each on its own key from 1 on, before the confirmation. Empty: the line asks for none. */
  tips: readonly OfferedTip[];
  /** True if the merchant asks for it, the caller's number is known, and the processor can keep cards. */
  asksToKeepCard: boolean;
  /** The call only saves the card: the caller must agree, and nothing is paid. */
  savesOnly?: boolean;
  /** It asks in the merchant's own words: in a question of its own, and a yes counts only after its last word. */
  keepsByOwnWords?: boolean;
  /** credit-card-type ids: `visa`, `mastercard`, `american-express`, `discover`. */
  acceptedBrands: readonly string[];
  /** The merchant's processor accepts cards entered on the keypad. */
  takesKeypad: boolean;
  /** The caller can also pay from a US bank account. Only if a text can confirm the debit's terms. */
  offersBankAccount?: true;
  /** A text with the pay link can be sent to the caller. Only then does the line offer one. */
  canTextLink: boolean;
  /** For the expiry check: the month, 1 … 12, and the four-digit year before which a card has expired. */
  today: { month: number; year: number };
  /** Whether the session has a `return_to` that a call can be sent to. */
  returns: boolean;
  /** The greeting offers a second language, on key 9. */
  offersLanguage: boolean;
  /** Set if the session had an earlier call: the line welcomes the caller back. Null on the first call. */
  back: CallingBack | null;
  /** The caller's saved cards, newest first, at most MAX_SAVED_CARDS. Key 1 offers them until a charge is ordered. */
  savedCards: readonly OfferedCard[];
}

/** The part of a saved card that the line may say. */
export interface SpokenCard {
  /** `CardBrand.label`, or the processor's name for it. */
  brand: string;
  lastFour: string;
}

/** A saved card on offer. */
export interface OfferedCard extends SpokenCard {
  id: InstrumentId;
}

/** A merchant that the caller may choose, with the amount due there. */
export interface SpokenMerchant {
  businessName: string;
  /** The line says it if two merchants have the same name. */
  amount: Money;
}

/** The language of a call: the one of the greeting, or the other one that the greeting offers. */
export type CallLanguage = 'first' | 'second';

/** A caller who calls again. `link_texted`: the pay link has been texted since. */
export type CallingBack = 'after_call' | 'link_texted';

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

/**
 * Who else may pay the call's session: `page` is the payer on the pay page, `other` an agent with a saved card or an
 * earlier call.
 */
export type ElsewherePayer = 'page' | 'other';

/** Why no pay link was texted. */
type LinkRefusal =
  /** The number has opted out of texts (STOP). */
  | 'opted_out'
  /** The limit of links for this number or session is reached for now. */
  | 'too_often'
  /** No number, no carrier, nothing to pay by link, or no answer in time. */
  | 'unavailable';

/** Something that happens on a call. */
export type FlowEvent =
  /** The call is answered: the caller can hear us. */
  | { type: 'answered' }
  /** One key, `0`-`9`, `*` or `#`, in a Secret of length one. `step` wipes it. */
  | { type: 'key'; key: Secret }
  /**
   * The last `say` has ended, or could not be played. Every `say` is answered by this event, unless another `say`,
   * `stop_speaking` or `media_lost` comes first. Without it the conversation would stop.
   */
  | { type: 'prompt_ended' }
  /** The timer has run out. Timers that were replaced or canceled never raise it. */
  | { type: 'silence' }
  /**
   * `cardSaved`: the card is saved, as the caller agreed. False also if it may still be saved later.
   */
  | ({ type: 'paid'; chargeId: ChargeId; cardSaved?: boolean } & ChargeDifference)
  | { type: 'declined'; chargeId: ChargeId; code: DeclineCode }
  /** An answer to `charge_account`: the processor has accepted the debit, and the bank settles it in days. */
  | { type: 'debited'; chargeId: ChargeId }
  /**
   * An answer to `charge_saved`: nothing was charged, because the card can no longer be used. It was deleted or has
   * expired since it was offered, or the caller was stepped up. The session can be paid with another card.
   */
  | { type: 'saved_card_unusable' }
  /**
   * The processor's answer is unknown, and the charge is pending. With `elsewhere` it is not a charge of this call but
   * of an earlier call, the page, or another session of the same order. `textFollows`: a text will tell this caller the
   * outcome. Like `paying_elsewhere`, it may come before the call is answered, and at any time while this call has no
   * charge in flight.
   */
  | { type: 'unconfirmed'; chargeId: ChargeId; elsewhere?: { textFollows: boolean } }
  /**
   * This call charges nothing: the session has expired, was paid in another way (by `chargeId`, if known), was tried
   * too often, or payments are unavailable now. May come at any time, even instead of `answered`. If another charge of
   * the session is pending, the event is `paying_elsewhere` or `unconfirmed` instead.
   */
  | { type: 'refused'; reason: 'expired' | 'too_many_attempts' | 'unavailable' }
  | ({ type: 'refused'; reason: 'already_paid'; chargeId?: ChargeId } & ChargeDifference)
  /** Like `already_paid`, but the amount is only held. */
  | ({ type: 'refused'; reason: 'already_held'; chargeId: ChargeId } & ChargeDifference)
  /** The processor rejects payments for this merchant because of the merchant's setup. Another card would not help. */
  | { type: 'refused'; reason: 'merchant_fault'; chargeId?: ChargeId }
  /** The merchant's processor accepts no cards entered on the keypad. */
  | { type: 'refused'; reason: 'keypad_unavailable' }
  /**
   * An answer to `send_link`. `sent`: a text with the pay link is on its way; it was requested now or within the last
   * minute.
   * @param lastTwo last two digits of the number that gets the text
   */
  | { type: 'link'; result: 'sent'; lastTwo: string }
  | { type: 'link'; result: 'not_sent'; reason: LinkRefusal }
  /** The caller has opened the pay page. */
  | { type: 'page_opened' }
  /**
   * The session is being paid, but not with a card of this call: `chargeId` is pending. Also the answer to a charge of
   * this call that came second. `bankAsks`: the payer has to confirm the payment on the page; the event is raised again
   * when that becomes true. Like the next two events, it comes only while this call has no charge in flight.
   */
  | { type: 'paying_elsewhere'; by: ElsewherePayer; chargeId: ChargeId; bankAsks?: boolean }
  /** The session was paid by this charge. */
  | ({ type: 'paid_elsewhere'; chargeId: ChargeId } & ChargeDifference)
  /** The charge failed, and the session can be paid again. `code` is null if the card was not at fault. */
  | { type: 'declined_elsewhere'; by: ElsewherePayer; chargeId: ChargeId; code: DeclineCode | null }
  /**
   * An answer to `claim_session`: the call now belongs to this session. `answered`, or what the database knows about the
   * session, follows at once.
   */
  | { type: 'session_claimed'; terms: Terms }
  /**
   * The other answer to `claim_session`: another call has the session, it was called too often, or the database does not
   * answer.
   */
  | { type: 'session_not_claimed' }
  /**
   * A user of the account ends the call. The line first waits for a charge in progress, here or on the page, and says
   * its outcome; a paid session ends as paid. Ignored if the caller is already returning to the agent, or gone.
   */
  | { type: 'end_requested' }
  /** The caller is back with the agent: the REFER was accepted, or the bridge has ended. */
  | { type: 'returned' }
  /** Neither REFER nor bridge worked. */
  | { type: 'return_failed' }
  | { type: 'hung_up' }
  /** The media server or the caller's audio is gone. */
  | { type: 'media_lost' };

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

/** The question for a field. */
export type AskLine = Extract<Line, { name: 'ask' }>;

export type Attempt = 1 | 2 | 3;

/** The error of the last try at a field. */
export type FieldError =
  | 'nothing_keyed'
  | 'incomplete'
  | 'looks_wrong'
  | 'card_not_accepted'
  | 'in_the_past'
  /** The caller pressed `*`. */
  | 'started_over'
  /** The bank's decline makes this field doubtful. */
  | 'bank_doubts'
  /** The value was fine but was not kept: the security code, when another field is doubtful. */
  | 'needed_again'
  /** A part that is smaller than the merchant accepts. */
  | 'below_minimum'
  /** A part that is larger than the amount due. */
  | 'above_total'
  /** The two account numbers differ. */
  | 'numbers_differ'
  /** The caller pressed `##`, and no link can be texted. */
  | 'link_not_sent';

/** How the caller can pay besides the link: by keypad, or not at all. */
export type ByLink = 'or_keypad' | 'link_only';

/** A sentence of the line, by name and variant. `speech/` turns it into words and audio. */
export type Line =
  /**
   * `byLink`: without the question for a card number, because the link follows. `savedCards`: offered on key 1. `method`:
   * with the question whether to pay by card or from a bank account, instead of the one for a card number.
   */
  | { name: 'greeting'; byLink?: true; back?: CallingBack; savedCards?: readonly SpokenCard[]; method?: true }
  | {
      name: 'ask';
      field: Field;
      attempt: Attempt;
      error: FieldError | null;
      /** For `security_code`: 4 digits are on the front (American Express), 3 on the back. */
      codeLength?: number;
      /** For `confirmation` and `debit_terms`. Absent if a number is too short to say them. */
      lastFour?: string;
      /** For `confirmation`: what the part that the caller has chosen leaves to pay. Absent if it is all. */
      remainingCents?: number;
      /** For `confirmation`: the caller may press 4 to choose all or a part again. */
      offersPart?: true;
      /** For `confirmation`: the tip that the caller has chosen. */
      tip?: OfferedTip;
      /** For `tip`: each on its own key. */
      tips?: readonly OfferedTip[];
      /** For `debit_terms`. */
      accountType?: BankAccountType;
      /** For `debit_terms`: with the question for the yes, because the terms were heard before. */
      asksConsent?: true;
      /** For `confirmation`: the caller may press 3 to pay and save the card. */
      offersKeeping?: true;
      /** The caller may press `##` to get the pay link by text. */
      offersLink?: true;
      /** For `card_number`: offered on key 1. For `saved_card`: each on its own key. */
      savedCards?: readonly SpokenCard[];
    }
  /** After the terms of a bank debit: asks for the caller's yes. */
  | { name: 'debit_agree' }
  /** Says that the saved card can't be used, and asks for a card number. */
  | { name: 'saved_card_unusable' }
  /** Which of several payments the call is for. Each merchant has its own key, from 1 on. */
  | {
      name: 'choose_merchant';
      merchants: readonly SpokenMerchant[];
      attempt: Attempt;
      error: Extract<FieldError, 'nothing_keyed' | 'looks_wrong' | 'started_over'> | null;
    }
  /** The last sentence of a call without a session, when the caller wants to leave. */
  | { name: 'choice_left' }
  /** No payment can be taken on this call. */
  | { name: 'session_not_taken' }
  /** The only sentence for a caller without a waiting session. It is said outside of this table. */
  | { name: 'no_payment_waiting' }
  | { name: 'one_moment' }
  | { name: 'still_working' }
  /** The caller has opened the pay page, and may pay there or here. */
  | { name: 'page_opened' }
  /** No key for a while: the caller may be busy on the page. */
  | { name: 'page_patience' }
  /** The payment is being made elsewhere: the line asks for nothing and waits. */
  | { name: 'paying_elsewhere'; by: ElsewherePayer }
  /** `bankAsks`: the payer has to confirm the payment on the page. */
  | { name: 'waiting_elsewhere'; by: ElsewherePayer; bankAsks?: true }
  /**
   * The payment elsewhere failed: the caller may try there again or enter a card number. `byLink`: the line continues
   * to wait for the payment by link.
   */
  | { name: 'declined_elsewhere'; by: ElsewherePayer; byLink?: ByLink }
  /** The link was texted to the number ending in `lastTwo`, and the caller may pay there. */
  | { name: 'link_sent'; lastTwo: string; byLink: ByLink }
  /** The caller has opened the page, and the line continues to wait. */
  | { name: 'link_opened' }
  /** Repeated every 20 s until the link is paid. `choices`: says what else the caller can do. */
  | { name: 'link_waiting'; isOpened: boolean; choices: ByLink | null }
  /** Says that the card was declined, and asks for `next` in the same sentence. */
  | {
      name: 'declined';
      code: DeclineCode;
      next: Exclude<Field, ChoiceField | AccountField | 'part_amount'> | 'method';
      codeLength?: number;
      offersLink?: true;
      /** It was a saved card, so the caller keyed none of its fields. */
      wasSaved?: true;
    }
  /** This line and those below come last, before the return to the agent or the end. */
  | ({ name: 'succeeded'; cardSaved?: true } & ChargeDifference)
  /** The bank debit is on its way, and pending. */
  | { name: 'debited' }
  | ({ name: 'paid_elsewhere' } & ChargeDifference)
  /** `elsewhere`: not a payment of this call. No text is promised, because a page informs its payer itself. */
  | { name: 'unconfirmed'; elsewhere?: true }
  /**
   * A payment outside of this call has no outcome yet, and no payer is waiting for it. The caller must not pay again.
   */
  | { name: 'still_confirming'; textFollows: boolean }
  | { name: 'gave_up'; reason: 'no_input' | 'invalid_input' | 'no_choice' }
  /** The last try was declined with `code`. */
  | { name: 'gave_up'; reason: 'declined'; code: DeclineCode; wasSaved?: true; wasAccount?: true }
  | { name: 'canceled' }
  /**
   * A user of the account has ended the call, unpaid. `declined`: the outcome of the charge that was waited for, said
   * first. `hasLink`: the texted link is still valid.
   */
  | { name: 'call_ended'; declined?: DeclineCode; wasSaved?: true; wasAccount?: true; hasLink?: true }
  /**
   * The caller leaves without having paid; the link stays valid. `no_payment`: after five minutes. `asked`: after `**`,
   * or when the line shuts down. `ended`: a user of the account has ended the call.
   */
  | { name: 'link_stays'; reason: 'no_payment' | 'asked' | 'ended' }
  | { name: 'expired' }
  /** `remainingCents`: what is left to pay, if only a part was paid. */
  | { name: 'already_paid'; remainingCents?: number }
  | { name: 'already_held' }
  /** Declined too often: no card is tried for a while. */
  | { name: 'too_many_attempts' }
  /** Payments are unavailable now: an apology. */
  | { name: 'unavailable' }
  /** The payment is impossible, and the card is not the reason. */
  | { name: 'merchant_fault' }
  /** The merchant accepts no cards by keypad. */
  | { name: 'keypad_unavailable' }
  /** After `return_failed`: the agent cannot be reached. */
  | { name: 'goodbye'; outcome: CallOutcome['kind'] };
