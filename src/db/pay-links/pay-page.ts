/** Reads everything that the pay page shows of a session, by the code of its link, in one statement. */
import type { PageBranding } from '../../domain/branding.ts';
import type { CallStage } from '../../domain/call.ts';
import type { Charge, LiveStatus } from '../../domain/charge.ts';
import type { ShownLogo } from '../../domain/logo.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { isSteppedUp, type ScreenFacts } from '../../domain/screening.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import type { TextRecipient } from '../../domain/texts.ts';
import { isLiveCharge, orderCharge, REFUND_PENDING_CENTS } from '../charges/charge-facts.ts';
import { jsonOf } from '../columns.ts';
import { SHOWN_LOGO } from '../merchants/logos.ts';
import { MERCHANT, merchantBranding } from '../merchants/merchants.ts';
import { readFirst, type Sql } from '../pool.ts';
import { screenFacts } from '../screening/screen-facts.ts';
import { CALL_STAGE, DECLINES, outcomeIsUnknown } from '../sessions/session-state.ts';
import { IS_OVER, SESSION, TEXT_RECIPIENT } from '../sessions/sessions.ts';
import { HAS_CODE } from './page-codes.ts';
import { hashPayCode } from './pay-links.ts';

/** The session's charge as the page shows it. */
export interface ChargeAtPage
  extends Pick<
    Charge,
    | 'id'
    | 'status'
    | 'source'
    | 'declineCode'
    | 'paymentMethod'
    | 'brand'
    | 'lastFour'
    | 'capturedCents'
    | 'tipCents'
    | 'remainingCents'
  > {
  /** The tip included. */
  amountCents: number;
  /** Milliseconds as of `Date.now()`; null while pending. */
  settledAtMs: number | null;
  /** Pending until the payer completes what the bank asks for. */
  awaitsPayer: boolean;
  /** Pending, but the payer's time is over: the charge is about to be canceled, or its processor cannot be reached. */
  isLate: boolean;
  /** Pending with an unknown outcome: it is looked up, and a text will report the result. */
  isUnknown: boolean;
  /** Refunded or being refunded, in minor units. */
  refundedCents: number;
  /** The part of it that the processor has not confirmed. */
  refundPendingCents: number;
}

/** The data of a page. */
export interface PayPageReading extends Omit<TextRecipient, 'mode'> {
  session: CheckoutSession;
  /** The session has expired, by the database's clock. */
  isOver: boolean;
  /** Null if the session has no merchant, or the merchant was deleted. */
  merchant: Merchant | null;
  /** The merchant's, otherwise the account's in the session's mode. */
  branding: PageBranding;
  /** Of the merchant. Null: none. */
  logo: ShownLogo | null;
  /** Encrypted credentials of the merchant's processor; null if none are stored. */
  credentials: string | null;
  /** The pending or succeeded charge, otherwise the last failed one. */
  charge: ChargeAtPage | null;
  /** The number of declined charges. */
  declines: number;
  /** Status of the charge that pays for the order, in whichever session. Null also if the order can be paid again. */
  orderStatus: LiveStatus | null;
  /** That charge paid a part. */
  orderIsPart: boolean;
  /** Stage of the session's live call; null if there is none. */
  callStage: CallStage | null;
  /** The caller was texted a code that is still valid. */
  hasCode: boolean;
  /**
   * Any payer of the account has a saved card at the merchant's processor. Reveals nothing about this session's caller.
   */
  accountHasCards: boolean;
  /** Screening found a risk: no saved cards are offered. */
  isSteppedUp: boolean;
}

const CHARGE_AT_PAGE = `
  select id, status, source, decline_code as "declineCode", payment_method as "paymentMethod", brand,
         last_four as "lastFour", captured_cents as "capturedCents", amount_cents as "amountCents", tip_cents as "tipCents", remaining_cents as "remainingCents",
         (extract(epoch from settled_at) * 1000)::double precision as "settledAtMs",
         status = 'pending' and coalesce(action_deadline > now(), false) as "awaitsPayer",
         status = 'pending' and coalesce(action_deadline <= now(), false) as "isLate",
         ${outcomeIsUnknown('charges')} as "isUnknown",
         refunded_cents as "refundedCents", ${REFUND_PENDING_CENTS} as "refundPendingCents"
    from charges where session_id = checkout_sessions.id
   order by (${isLiveCharge('charges')}) desc, created_at desc limit 1`;

/** Checked per account, not per caller, so that the page looks the same with or without saved cards. */
const ACCOUNT_HAS_CARDS = `exists (
  select from instruments i
   where i.account_id = checkout_sessions.account_id and i.mode = checkout_sessions.mode
     and i.processor = merchants.processor and i.deleted_at is null)`;

const READING = `
  select ${SESSION}, ${IS_OVER} as "isOver", ${TEXT_RECIPIENT}, p.credentials,
         ${jsonOf(`select ${MERCHANT} where merchants.id is not null`)} as merchant,
         ${merchantBranding('checkout_sessions.mode')} as branding, ${SHOWN_LOGO} as logo,
         ${jsonOf(CHARGE_AT_PAGE)} as charge,
         ${DECLINES} as declines,
         case when checkout_sessions.allow_repeat or checkout_sessions.order_id is null then null
              else (${orderCharge('charges.status', 'checkout_sessions.merchant_id', 'checkout_sessions.order_id')})
          end as "orderStatus",
         case when checkout_sessions.allow_repeat or checkout_sessions.order_id is null then false
              else coalesce((${orderCharge('charges.remaining_cents > 0', 'checkout_sessions.merchant_id', 'checkout_sessions.order_id')}), false)
          end as "orderIsPart",
         ${CALL_STAGE} as "callStage", ${HAS_CODE} as "hasCode", ${ACCOUNT_HAS_CARDS} as "accountHasCards",
         ${screenFacts()} as screening
    from pay_links
    join checkout_sessions on checkout_sessions.id = pay_links.session_id
    join accounts on accounts.id = checkout_sessions.account_id
    left join merchants on merchants.id = checkout_sessions.merchant_id
    left join merchant_processors p on p.merchant_id = merchants.id and p.processor = merchants.processor`;

type Row = CheckoutSession & Omit<PayPageReading, 'session' | 'isSteppedUp'> & { screening: ScreenFacts };

/** @param form which of the link's two codes it is. @returns null for an unknown code */
export async function readPayPage(sql: Sql, form: 'short' | 'long', code: string): Promise<PayPageReading | null> {
  const row = await readFirst<Row>(sql, {
    name: `read_pay_page_${form}`,
    text: `${READING} where pay_links.${form}_hash = $1`,
    values: [hashPayCode(code)],
  });
  if (row === null) return null;
  const { isOver, textsTo, hasOptedOut, textReach, credentials, merchant, branding, logo, ...others } = row;
  const { charge, declines, orderStatus, orderIsPart, callStage, hasCode, accountHasCards, ...more } = others;
  const { screening, ...session } = more;
  const shown = { isOver, charge, declines, orderStatus, orderIsPart, callStage, isSteppedUp: isSteppedUp(screening) };
  const texts = { textsTo, hasOptedOut, textReach };
  return { session, ...texts, credentials, merchant, branding, logo, hasCode, accountHasCards, ...shown };
}
