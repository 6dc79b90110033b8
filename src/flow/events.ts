/** What happens on a call: the events of the payment line's conversation. The table is in `table.ts`. */
import type { ChargeDifference, DeclineCode } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { Secret } from '../domain/secret.ts';
import type { ElsewherePayer, Terms } from './terms.ts';

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
