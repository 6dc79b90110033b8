/** A sample pay page that shows an account's branding. Its form is inactive. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import type { PageBranding } from '../../domain/branding.ts';
import { type AccountId, type CheckoutSessionId, type MerchantId, randomToken } from '../../domain/ids.ts';
import { MERCHANT_DEFAULTS, type Merchant } from '../../domain/merchant.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { NO_REACH } from '../../domain/texts.ts';
import { wholeAmount } from './chosen-amount.ts';
import { placeOf } from './errors.ts';
import { contentSecurityPolicy, NO_SOURCES, setPageHeaders } from './headers.ts';
import { NO_FIELDS } from './remembered-fields.ts';
import { renderPage } from './views/page.ts';

const LIFETIME_MS = 30 * 60_000;
const CAPABILITIES = {
  keypad: true,
  pageKeypad: true,
  pageTokens: false,
  savedCards: false,
  wallets: false,
  namesWallets: false,
};

/** @param businessName of a merchant, or the account's own */
export function sendPreview(
  request: FastifyRequest,
  reply: FastifyReply,
  { branding, businessName, now }: { branding: PageBranding; businessName: string; now: Date },
): FastifyReply {
  const place = placeOf(request);
  setPageHeaders(
    request,
    reply,
    contentSecurityPolicy(place.nonce, NO_SOURCES).replace(/form-action [^;]+/, "form-action 'none'"),
  );
  const reading = sampleReading(branding, businessName, now);
  const page = renderPage({
    ...place,
    reading,
    chosen: wholeAmount(reading),
    saving: null,
    isWrongPart: false,
    state: { kind: 'ready' },
    processor: { name: 'sandbox', can: CAPABILITIES, way: { kind: 'own_fields' }, keepsCards: false },
    faults: [],
    notice: null,
    attempt: randomToken(),
    action: null,
    scripts: [],
    saved: null,
    returnLink: null,
    promisesText: false,
    remembered: NO_FIELDS,
    now,
  });
  return reply.type('text/html; charset=utf-8').send(page);
}

/** In test mode, so that the page's banner says that it cannot be paid. */
function sampleReading(branding: PageBranding, businessName: string, now: Date): PayPageReading {
  const ids = { accountId: 'acct_preview' as AccountId, mode: 'test' } as const;
  const amount = { amountCents: 4_250, currency: 'USD' } as const;
  const merchant: Merchant = {
    ...MERCHANT_DEFAULTS,
    ...ids,
    id: 'mer_preview' as MerchantId,
    slug: 'preview',
    businessName,
    processor: 'sandbox',
  };
  const session: CheckoutSession = {
    ...ids,
    id: 'cs_preview' as CheckoutSessionId,
    merchantId: merchant.id,
    consumerId: null,
    amount,
    status: 'open',
    verdict: 'required',
    purpose: 'payment',
    amountSource: 'request',
    capture: 'automatic',
    payerName: null,
    callerPhone: null,
    orderId: 'A-1001',

    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    saving: null,
    lineItems: [],
    metadata: {},
    language: null,
    chosenLanguage: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
  };
  return {
    session,
    merchant,
    branding,
    isOver: false,
    credentials: null,
    charge: null,
    declines: 0,
    orderStatus: null,
    orderIsPart: false,
    callStage: null,
    hasCode: false,
    accountHasCards: false,
    isSteppedUp: false,
    textsTo: null,
    hasOptedOut: false,
    textReach: NO_REACH,
  };
}
