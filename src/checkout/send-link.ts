/** `send_link`: texts the caller the session's pay link, at an integrator's request or on the phone. */
import { lookAtPage, type PageBarrier } from '../accounts/merchants/page-processor.ts';
import { ApiError, ofOtherMode } from '../contract/errors.ts';
import { statusOf } from '../contract/session-resource.ts';
import { findFailedLinkText, findRecentLinkText, queueLinkText } from '../db/pay-links/link-texts.ts';
import { findSealedCodes } from '../db/pay-links/pay-links.ts';
import { findSessionForLink, type SessionForLink } from '../db/pay-links/session-for-link.ts';
import type { Scope } from '../domain/account.ts';
import { type CheckoutSessionId, newId, type PayCodes } from '../domain/ids.ts';
import { takesTexts } from '../domain/texts.ts';
import { sealBody } from '../notifications/sms/sealed-body.ts';
import { countSegments } from '../notifications/sms/segments.ts';
import {
  isTextRefusal,
  requireWithinReach,
  type TextLimitDeps,
  withTextTurn,
} from '../notifications/sms/text-limits.ts';
import { linkTextOf } from '../notifications/sms/words.ts';
import type { Processor } from '../payments/port/processor.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/rules/velocity.ts';
import { orderTaken, refusal, sessionIdOf, sessionNotFound } from './charge.ts';
import {
  cannotMakeLinks,
  type LinkMaker,
  linkMakerFor,
  newPayLink,
  openCodes,
  type PayLinkDeps,
  type PayLinkUrls,
  payCodesOf,
  urlsOf,
} from './pay-link.ts';

export interface SendLinkDeps extends Omit<PayLinkDeps, 'database'>, TextLimitDeps {
  /** RINGKEY_SMS names a carrier, so live texts are sent. */
  hasSmsCarrier: boolean;
  processors: readonly Processor[];
  /** A text was queued and committed: wakes the workers of all processes. */
  onTextQueued?: () => void;
}

export interface SentLink extends PayLinkUrls {
  session: SessionForLink & { merchantId: NonNullable<SessionForLink['merchantId']> };
  /** Whether this request queued a text with the link. */
  isSent: boolean;
}

/**
 * @throws ApiError why the session cannot be paid; `not_configured` if links are not possible, or the page
 * takes no card for the merchant; `rate_limit` if the
 * number was texted too often, the account has sent too many texts, or must not text the number
 */
export async function sendLink(deps: SendLinkDeps, scope: Scope, sessionId: string): Promise<SentLink> {
  const session = await findSessionForLink(deps.database, scope.accountId, sessionIdOf(sessionId));
  if (session === null) throw sessionNotFound();
  if (session.mode !== scope.mode) throw ofOtherMode(scope.mode);
  const payable = requirePayable(session);
  const maker = linkMakerFor(deps, scope.mode);
  if (maker === null) throw cannotMakeLinks();
  requireTakenOnPage(deps, payable);
  const mayText = takesTexts(session, deps.hasSmsCarrier) && session.link?.mayText !== false;
  if (mayText) requireWithinReach(payable.textsTo, payable.textReach);
  const { codes, isSent } = await (mayText ? textLink(deps, maker, payable) : giveLink(deps, maker, payable));
  if (isSent) deps.onTextQueued?.();
  return { ...urlsOf(maker.base, codes), session: payable, isSent };
}

type PayableSession = SentLink['session'] & {
  textsTo: string;
  merchant: NonNullable<SessionForLink['merchant']>;
};

/** @throws ApiError why the session cannot be paid by link */
function requirePayable(session: SessionForLink): PayableSession {
  const { charge, orderCharge, declines, textsTo, merchant, merchantId } = session;
  if (charge !== null) {
    throw new ApiError('charge_details_mismatch', {
      charge: charge.id,
      message: 'A charge of this session is pending or succeeded, so there is nothing to pay by link.',
    });
  }
  if (statusOf({ session, isOver: session.isOver, charge }) !== 'open') throw refusal('expired');
  if (orderCharge !== null)
    throw orderTaken(orderCharge.status === 'succeeded' ? 'order_paid' : 'order_in_progress', orderCharge);
  if (declines >= MAX_DECLINES_A_SESSION) throw refusal('too_many_declines');
  if (textsTo === null) throw refusal('caller_unknown');
  if (session.verdict === 'none') throw refusal('nothing_to_pay');
  if (merchant === null || merchantId === null || merchant.processor === null) throw refusal('merchant_not_connected');
  return { ...session, textsTo, merchant, merchantId };
}

/** @throws ApiError if the page of the link would take no card */
function requireTakenOnPage(deps: SendLinkDeps, session: PayableSession): void {
  const { merchantId, mode, merchant } = session;
  const { credentials, processor } = merchant;
  const found = lookAtPage(deps, { merchant: { id: merchantId, mode, processor }, credentials, session });
  if (typeof found !== 'string') return;
  const message = `${BARRIERS[found]} Transfer the call to the payment line.`;
  if (found !== 'saves_on_line') throw new ApiError('not_configured', { message });
  throw new ApiError('invalid_value', { param: 'checkout_session_id', message });
}

const BARRIERS: Readonly<Record<PageBarrier, string>> = {
  no_fields: "The merchant's processor has no card fields on the pay page, so no link was created or texted.",
  saves_on_line: "The merchant's processor cannot save a card on the pay page without a payment.",
  no_public_key:
    "The merchant's processor is connected without the public key for card fields on the pay page, or its credentials cannot be decrypted. No link was created or texted. Connect the processor again with that key.",
};

interface LinkGiven {
  codes: PayCodes;
  isSent: boolean;
}

async function giveLink({ database }: SendLinkDeps, { vault }: LinkMaker, session: PayableSession): Promise<LinkGiven> {
  const { id, link } = session;
  const codes = link === null ? await payCodesOf(database, vault, session) : openCodes(vault, id, link.codesSealed);
  return { codes, isSent: false };
}

async function textLink(
  deps: SendLinkDeps,
  maker: LinkMaker,
  session: PayableSession,
  codesSealed = session.link?.codesSealed ?? null,
): Promise<LinkGiven> {
  const { id, accountId, mode } = session;
  const scope = { accountId, mode };
  const link =
    codesSealed === null
      ? newPayLink(maker.vault, id, scope)
      : { sessionId: id, scope, codes: openCodes(maker.vault, id, codesSealed), codesSealed };
  const text = textWith(link.codes, maker, session);
  const turn = { ...scope, recipient: session.textsTo };
  try {
    const isSent = await withTextTurn(deps, turn, (sql) => queueLinkText(sql, link, text));
    if (isSent || codesSealed !== null) return { codes: link.codes, isSent };
  } catch (error) {
    // Another request has texted the session's link meanwhile and reached the limit. This request is its repeat.
    const now = isTextRefusal(error) ? await findSessionForLink(deps.database, accountId, id) : null;
    if (now?.link?.mayText !== false) throw error;
    return giveLink(deps, maker, { ...session, link: now.link });
  }
  // Another request has created the session's link meanwhile.
  return textLink(deps, maker, session, await findSealedCodes(deps.database, id));
}

function textWith(codes: PayCodes, { vault, base }: LinkMaker, { merchant, amount, textsTo, purpose }: PayableSession) {
  const { businessName, language } = merchant;
  const body = linkTextOf({ businessName, amount, language, purpose, link: urlsOf(base, codes).shortUrl });
  const id = newId('Text');
  return { id, recipient: textsTo, sealedBody: sealBody(vault, id, body), segments: countSegments(body).segments };
}

/** What the line may say about the text. */
export type LinkTextResult =
  /** A text was sent now or within the last minute. `lastTwo`: the last two digits of its number. */
  | { result: 'sent'; lastTwo: string }
  | { result: 'not_sent'; reason: 'opted_out' | 'too_often' | 'unavailable' }
  /** The session cannot be paid any more. */
  | { result: 'expired' };

/** Texts the pay link to a caller on the phone. @throws if the database cannot be reached */
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
