/** Texts the pay link to a caller on the phone, by `send_link`, and returns what the line may say about it. */

import { ApiError } from '../contract/errors.ts';
import { findFailedLinkText, findRecentLinkText } from '../db/pay-links/link-texts.ts';
import type { Scope } from '../domain/account.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import { isTextRefusal } from '../notifications/sms/text-limits.ts';
import { type SendLinkDeps, sendLink } from './send-link.ts';

export type LinkTextResult =
  /** A text was sent now or within the last minute. `lastTwo`: the last two digits of its number. */
  | { result: 'sent'; lastTwo: string }
  | { result: 'not_sent'; reason: 'opted_out' | 'too_often' | 'unavailable' }
  /** The session cannot be paid any more. */
  | { result: 'expired' };

/** @throws if the database cannot be reached */
export async function textLinkToCaller(
  deps: SendLinkDeps,
  { id, ...scope }: { id: CheckoutSessionId } & Scope,
): Promise<LinkTextResult> {
  try {
    const { session, isSent } = await sendLink(deps, scope, id);
    if (isSent && session.textsTo !== null) return { result: 'sent', lastTwo: session.textsTo.slice(-2) };
    if (session.hasOptedOut) return { result: 'not_sent', reason: 'opted_out' };
    const recent = await findRecentLinkText(deps.database, id);
    if (recent !== null) return { result: 'sent', ...recent };
    const failed = await findFailedLinkText(deps.database, id);
    return { result: 'not_sent', reason: failed === null ? 'too_often' : 'unavailable' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isTextRefusal(error)) return { result: 'not_sent', reason: 'too_often' };
    // A call learns of a payment of its session in another way. Other errors are for the merchant or the operator to
    // fix.
    return error.code === 'session_expired' ? { result: 'expired' } : { result: 'not_sent', reason: 'unavailable' };
  }
}
