/** What the line says: each sentence by name and variant. `speech/` turns it into words and audio. */
import type { BankAccountType } from '../domain/bank-account.ts';
import type { ChargeDifference, DeclineCode } from '../domain/charge.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { OfferedTip } from '../domain/tip.ts';
import type {
  AccountField,
  CallingBack,
  ChoiceField,
  ElsewherePayer,
  Field,
  SpokenCard,
  SpokenMerchant,
} from './terms.ts';

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
