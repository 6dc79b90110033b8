/** Reads the session data that `send_link` needs, in one statement. */
import type { LiveStatus } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { Mode, Purpose, SessionStatus, Verdict } from '../../domain/session.ts';
import type { TextRecipient } from '../../domain/texts.ts';
import { CHARGE_OF_ORDER, type ChargeOfOrder, isLiveCharge } from '../charges/charge-facts.ts';
import { jsonOf, moneyOf } from '../columns.ts';
import { PROCESSOR_CREDENTIALS } from '../merchants/merchant-processors.ts';
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
  purpose: Purpose;
  amount: Money;
  orderId: string | null;
  platformCallId: string | null;
  merchantId: MerchantId | null;
  /** The session has expired, by the database's clock. */
  isOver: boolean;
  /** Null if the session has no merchant, or the merchant was deleted. */
  merchant: {
    processor: string | null;
    /** Encrypted credentials of the processor; null if none are stored. */
    credentials: string | null;
    businessName: string;
    /** The caller's. */
    language: string;
  } | null;
  /** The pending or succeeded charge; null if there is none. */
  charge: { id: ChargeId; status: LiveStatus } | null;
  /** The number of declined charges. */
  declines: number;
  /** In whichever session; null also if the order can be paid again. */
  orderCharge: ChargeOfOrder | null;
  /** The existing link. */
  link: {
    codesSealed: string;
    /** Whether another text with the link is allowed now. */
    mayText: boolean;
  } | null;
}

const SESSION_FOR_LINK = `
  select checkout_sessions.id, checkout_sessions.account_id as "accountId", mode, status, verdict, purpose,
         ${moneyOf('checkout_sessions')} as amount, order_id as "orderId", platform_call_id as "platformCallId",
         merchant_id as "merchantId", ${IS_OVER} as "isOver", ${TEXT_RECIPIENT},
         ${jsonOf(`select processor, ${PROCESSOR_CREDENTIALS} as credentials, business_name as "businessName",
                          ${callerLanguage('merchants')} as language from merchants
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
