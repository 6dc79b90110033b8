/** What the pay page loads of Square. */
import type { Mode } from '../../domain/session.ts';
import type { ProcessorPage } from '../ports.ts';

/** developer.squareup.com/docs/web-payments/overview */
const SDK_ORIGINS: Readonly<Record<Mode, string>> = {
  test: 'https://sandbox.web.squarecdn.com',
  live: 'https://web.squarecdn.com',
};

/** Where tokens are made, and where 3-D Secure is begun (developer.squareup.com/forums/t/11628). */
const API_ORIGINS: Readonly<Record<Mode, readonly string[]>> = {
  test: ['https://pci-connect.squareupsandbox.com', 'https://connect.squareupsandbox.com'],
  live: ['https://pci-connect.squareup.com', 'https://connect.squareup.com'],
};

/** The fonts of its fields, in either mode. */
const FONTS = ['https://square-fonts-production-f.squarecdn.com', 'https://d1g145x70srn7h.cloudfront.net'];
const ERROR_REPORTS = 'https://o160250.ingest.sentry.io';

/**
 * The SDK loads Google's script for its button; Chromium wants the payment method's origin among the connections, too.
 */
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
      // The bank's page of 3-D Secure is in a frame, and may be anybody's. This is the only thing that is so wide.
      frame: ['https:'],
      connect: [origin, ...API_ORIGINS[mode], ERROR_REPORTS, ...GOOGLE_PAY.connect],
      img: [origin, GOOGLE_PAY_IMAGES],
      // The SDK writes styles into the page, and takes no nonce for them.
      style: [origin, "'unsafe-inline'"],
      font: FONTS,
    },
  };
}
