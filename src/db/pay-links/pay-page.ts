/** Reads all that the pay page shows of a session, by the code of its link: one statement. */
import type { PageBranding } from '../../domain/account.ts';
import type { CallStage } from '../../domain/call-stage.ts';
import type { Charge } from '../../domain/charge.ts';
import { isSteppedUp, type ScreenFacts } from '../../domain/screening.ts';
import type { CheckoutSession, Merchant } from '../../domain/session.ts';
import type { TextRecipient } from '../../domain/text-promise.ts';
import { isLiveCharge, orderCharge } from '../charges/charge-facts.ts';
import { jsonOf } from '../columns.ts';
import { pageBranding } from '../keys/accounts.ts';
import { MERCHANT } from '../merchants/merchants.ts';
import { readFirst, type Sql } from '../pool.ts';
import { screenFacts } from '../screening/screen-facts.ts';
import { CALL_STAGE, DECLINES, outcomeIsUnknown } from '../sessions/session-state.ts';
import { IS_OVER, SESSION, TEXT_RECIPIENT } from '../sessions/sessions.ts';
import { HAS_CODE } from './page-codes.ts';
import { hashPayCode } from './pay-links.ts';

/** The session's charge as the page shows it. */
export interface ChargeAtPage extends Pick<Charge, 'id' | 'status' | 'source' | 'declineCode' | 'brand' | 'lastFour'> {
  /** By `Date.now()`; null while it is pending. */
  settledAtMs: number | null;
  /** Pending until the payer has done what the bank asks. */
  awaitsPayer: boolean;
  /** Pending, and the payer's time to do that is over: it is about to be canceled, or can't be asked about. */
  isLate: boolean;
  /** Pending, and the processor did not say what became of it: it is being looked up, and a text tells how it ended. */
  isUnknown: boolean;
  /** What has gone back of it, or is on its way, in minor units. */
  refundedCents: number;
}

/** What a page is made of. */
export interface PayPageReading extends Omit<TextRecipient, 'mode'> {
  session: CheckoutSession;
  /** Its time is over, by the clock of the database. */
  isOver: boolean;
  /** Null for a session without a merchant, or whose merchant was deleted. */
  merchant: Merchant | null;
  /** Of the account, in the mode of the session. */
  branding: PageBranding;
  /** Encrypted credentials of the merchant's processor; null where none are stored. */
  credentials: string | null;
  /** The one that is pending or has succeeded, else the last that failed. */
  charge: ChargeAtPage | null;
  /** How many were declined. */
  declines: number;
  /** Of the charge that the order is paid with, by whichever session; null also where the order may be paid again. */
  orderStatus: 'pending' | 'succeeded' | null;
  /** Of the session's call that is on the payment line; null: there is none. */
  callStage: CallStage | null;
  /** A code was texted to the caller, and can still be typed in. */
  hasCode: boolean;
  /**
   * Some payer of the account has a card saved at the merchant's processor. It says nothing of this session's caller.
   */
  accountHasCards: boolean;
  /** Screening found a positive bad signal of the caller: no saved cards. */
  isSteppedUp: boolean;
}

const CHARGE_AT_PAGE = `
  select id, status, source, decline_code as "declineCode", brand, last_four as "lastFour",
         (extract(epoch from settled_at) * 1000)::double precision as "settledAtMs",
         status = 'pending' and coalesce(action_deadline > now(), false) as "awaitsPayer",
         status = 'pending' and coalesce(action_deadline <= now(), false) as "isLate",
         ${outcomeIsUnknown('charges')} as "isUnknown",
         refunded_cents as "refundedCents"
    from charges where session_id = checkout_sessions.id
   order by (${isLiveCharge('charges')}) desc, created_at desc limit 1`;

/** Of the account, not of the caller: the page looks the same to whoever opens the link, cards or none. */
const ACCOUNT_HAS_CARDS = `exists (
  select from instruments i
   where i.account_id = checkout_sessions.account_id and i.mode = checkout_sessions.mode
     and i.processor = merchants.processor and i.deleted_at is null)`;

const READING = `
  select ${SESSION}, ${IS_OVER} as "isOver", ${TEXT_RECIPIENT}, p.credentials,
         ${jsonOf(`select ${MERCHANT} where merchants.id is not null`)} as merchant,
         ${pageBranding('checkout_sessions.mode')} as branding,
         ${jsonOf(CHARGE_AT_PAGE)} as charge,
         ${DECLINES} as declines,
         case when checkout_sessions.allow_repeat or checkout_sessions.order_id is null then null
              else (${orderCharge('charges.status', 'checkout_sessions.merchant_id', 'checkout_sessions.order_id')})
          end as "orderStatus",
         ${CALL_STAGE} as "callStage", ${HAS_CODE} as "hasCode", ${ACCOUNT_HAS_CARDS} as "accountHasCards",
         ${screenFacts()} as screening
    from pay_links
    join checkout_sessions on checkout_sessions.id = pay_links.session_id
    join accounts on accounts.id = checkout_sessions.account_id
    left join merchants on merchants.id = checkout_sessions.merchant_id
    left join merchant_processors p on p.merchant_id = merchants.id and p.processor = merchants.processor`;

type Row = CheckoutSession & Omit<PayPageReading, 'session' | 'isSteppedUp'> & { screening: ScreenFacts };

/** @param form which of the link's two codes it is. @returns null for a wrong code */
export async function readPayPage(sql: Sql, form: 'short' | 'long', code: string): Promise<PayPageReading | null> {
  const row = await readFirst<Row>(sql, {
    name: `read_pay_page_${form}`,
    text: `${READING} where pay_links.${form}_hash = $1`,
    values: [hashPayCode(code)],
  });
  if (row === null) return null;
  const { isOver, textsTo, hasOptedOut, textReach, credentials, merchant, branding, charge, declines, ...more } = row;
  const { orderStatus, callStage, hasCode, accountHasCards, screening, ...session } = more;
  const shown = { isOver, charge, declines, orderStatus, callStage, isSteppedUp: isSteppedUp(screening) };
  const texts = { textsTo, hasOptedOut, textReach };
  return { session, ...texts, credentials, merchant, branding, hasCode, accountHasCards, ...shown };
}
