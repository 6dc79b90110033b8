/** A sample pay page that shows an account's branding. Its form is inactive. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import type { PageBranding } from '../../domain/branding.ts';
import { type AccountId, type CheckoutSessionId, type MerchantId, randomToken } from '../../domain/ids.ts';
import type { ShownLogo } from '../../domain/logo.ts';
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

/** The settings of a merchant that its page shows. All but the name have defaults. */
type ShownMerchant = Pick<Merchant, 'businessName'> &
  Partial<Pick<Merchant, 'currency' | 'language' | 'tipPercentages' | 'partialMinimumCents'>>;

interface PreviewedPage {
  branding: PageBranding;
  logo?: ShownLogo | null;
  merchant: ShownMerchant;
  now: Date;
}

/** Its page can be framed by the dashboard's own pages. */
export function sendPreview(
  request: FastifyRequest,
  reply: FastifyReply,
  { branding, logo = null, merchant, now }: PreviewedPage,
): FastifyReply {
  const place = placeOf(request, merchant.language ?? null);
  const policy = contentSecurityPolicy(place.nonce, NO_SOURCES)
    .replace(/form-action [^;]+/, "form-action 'none'")
    .replace(/frame-ancestors [^;]+/, "frame-ancestors 'self'");
  setPageHeaders(request, reply, policy);
  reply.header('x-frame-options', 'SAMEORIGIN');
  const reading = sampleReading({ branding, logo, merchant, now });
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
    result: null,
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
function sampleReading({ branding, logo, merchant: shown, now }: Required<PreviewedPage>): PayPageReading {
  const ids = { accountId: 'acct_preview' as AccountId, mode: 'test' } as const;
  const merchant: Merchant = {
    ...MERCHANT_DEFAULTS,
    ...shown,
    ...ids,
    id: 'mer_preview' as MerchantId,
    slug: 'preview',
    processor: 'sandbox',
  };
  const session: CheckoutSession = {
    ...ids,
    id: 'cs_preview' as CheckoutSessionId,
    merchantId: merchant.id,
    consumerId: null,
    amount: { amountCents: 4_250, currency: merchant.currency },
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
    logo,
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
