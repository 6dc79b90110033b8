/** Reads what `send_link` needs of a session: one statement. */
import type { AccountId, ChargeId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { Mode, SessionStatus, Verdict } from '../../domain/session.ts';
import type { TextRecipient } from '../../domain/text-promise.ts';
import { CHARGE_OF_ORDER, type ChargeOfOrder, isLiveCharge } from '../charges/charge-facts.ts';
import { jsonOf, moneyOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';
import { callerLanguage } from '../sessions/languages.ts';
import { DECLINES } from '../sessions/session-state.ts';
import { IS_OVER, TEXT_RECIPIENT } from '../sessions/sessions.ts';
import { mayText } from './link-texts.ts';

export interface SessionForLink extends TextRecipient {
  id: CheckoutSessionId;
  accountId: AccountId;
  mode: Mode;
  status: SessionStatus;
  verdict: Verdict;
  amount: Money;
  orderId: string | null;
  platformCallId: string | null;
  merchantId: MerchantId | null;
  /** Its time is over, by the clock of the database. */
  isOver: boolean;
  /** Null for a session without a merchant, or whose merchant was deleted. */
  merchant: { processor: string | null; businessName: string /** The caller's. */; language: string } | null;
  /** The one that is pending or succeeded; null: none is. */
  charge: { id: ChargeId; status: 'pending' | 'succeeded' } | null;
  /** How many charges were declined. */
  declines: number;
  /** By whichever session; null also where the order may be paid again. */
  orderCharge: ChargeOfOrder | null;
  /** The link that it has already. */
  link: {
    codesSealed: string;
    /** No text with it went out so lately, or so often, that another must wait. */
    mayText: boolean;
  } | null;
}

const SESSION_FOR_LINK = `
  select checkout_sessions.id, checkout_sessions.account_id as "accountId", mode, status, verdict,
         ${moneyOf('checkout_sessions')} as amount, order_id as "orderId", platform_call_id as "platformCallId",
         merchant_id as "merchantId", ${IS_OVER} as "isOver", ${TEXT_RECIPIENT},
         ${jsonOf(`select processor, business_name as "businessName", ${callerLanguage('merchants')} as language from merchants
                    where id = checkout_sessions.merchant_id`)} as merchant,
         ${jsonOf(`select id, status from charges
                    where session_id = checkout_sessions.id and ${isLiveCharge('charges')}`)} as charge,
         ${DECLINES} as declines, ${CHARGE_OF_ORDER} as "orderCharge",
         ${jsonOf(`select codes_sealed as "codesSealed", ${mayText('pay_links')} as "mayText" from pay_links
                    where session_id = checkout_sessions.id`)} as link
    from checkout_sessions
   where checkout_sessions.id = $1 and account_id = $2`;

/** The account's session, in either mode. */
export function findSessionForLink(
  sql: Sql,
  accountId: AccountId,
  id: CheckoutSessionId,
): Promise<SessionForLink | null> {
  return readFirst(sql, { name: 'session_for_link', text: SESSION_FOR_LINK, values: [id, accountId] });
}
