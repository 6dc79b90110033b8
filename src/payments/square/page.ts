/** What the pay page loads from Square, and the registration of the page's host. */
import type { Mode } from '../../domain/session.ts';
import type { LiveWallets, PageDomainRequest, ProcessorPage } from '../port/page.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';

/** developer.squareup.com/docs/web-payments/overview */
const SDK_ORIGINS: Readonly<Record<Mode, string>> = {
  test: 'https://sandbox.web.squarecdn.com',
  live: 'https://web.squarecdn.com',
};

/** Where tokens are created, and where 3-D Secure starts (developer.squareup.com/forums/t/11628). */
const API_ORIGINS: Readonly<Record<Mode, readonly string[]>> = {
  test: ['https://pci-connect.squareupsandbox.com', 'https://connect.squareupsandbox.com'],
  live: ['https://pci-connect.squareup.com', 'https://connect.squareup.com'],
};

/** Fonts of the fields, in both modes. */
const FONTS = ['https://square-fonts-production-f.squarecdn.com', 'https://d1g145x70srn7h.cloudfront.net'];
const ERROR_REPORTS = 'https://o160250.ingest.sentry.io';

/** The SDK loads Google's script for its button. Chromium requires the payment method's origin in `connect`, too. */
const GOOGLE_PAY = { script: 'https://pay.google.com', connect: ['https://pay.google.com', 'https://google.com'] };
const GOOGLE_PAY_IMAGES = 'https://www.gstatic.com';

/** developer.squareup.com/docs/web-payments/content-security-policy */
export function squarePage(mode: Mode): ProcessorPage {
  const origin = SDK_ORIGINS[mode];
  return {
    module: 'square',
    scripts: [
      {
        url: `${origin}/v1/square.js`,
        why: 'Square’s card field, wallets and 3-D Secure: the card goes from the browser to Square.',
      },
    ],
    sources: {
      script: [origin, GOOGLE_PAY.script],
      // 3-D Secure shows the bank's page in a frame, which can be from any host. Only this entry is so wide.
      frame: ['https:'],
      connect: [origin, ...API_ORIGINS[mode], ERROR_REPORTS, ...GOOGLE_PAY.connect],
      img: [origin, GOOGLE_PAY_IMAGES],
      // The SDK adds styles to the page, and supports no nonce for them.
      style: [origin, "'unsafe-inline'"],
      font: FONTS,
    },
  };
}

const GOOGLE_ONLY: LiveWallets = { applePay: false, googlePay: true };

/**
 * Registers the pay page's host (RegisterDomain). Apple checks that the host serves Square's association file:
 * app.squareup.com/digital-wallets/apple-pay/apple-developer-merchantid-domain-association. Google Pay needs no
 * registration.
 */
export async function registerSquareDomain(
  open: OpenSquare,
  request: PageDomainRequest,
  signal: AbortSignal,
): Promise<LiveWallets | null> {
  try {
    const { square } = await open(request, signal);
    const { status } = await square.applePay.registerDomain({ domainName: request.domain });
    return { ...GOOGLE_ONLY, applePay: status === 'VERIFIED' };
  } catch (error) {
    const { kind } = faultOf(error);
    // Rejected: Apple did not find the file.
    return kind === 'refused' || kind === 'declined' ? GOOGLE_ONLY : null;
  }
}
