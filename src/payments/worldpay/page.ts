/**
 * What the pay page loads from Worldpay: the Access Checkout SDK (docs.worldpay.com/access/products/checkout/web). Worldpay
 * publishes no Content-Security-Policy for it. All of its addresses are on one host, also those of the API.
 */
import type { Mode } from '../../domain/session.ts';
import type { ProcessorPage } from '../port/page.ts';

const ORIGINS: Readonly<Record<Mode, string>> = {
  test: 'https://try.access.worldpay.com',
  live: 'https://access.worldpay.com',
};

export function worldpayPage(mode: Mode): ProcessorPage {
  const origin = ORIGINS[mode];
  return {
    module: 'worldpay',
    scripts: [
      {
        url: `${origin}/access-checkout/v2/checkout.js`,
        why: 'Worldpay’s card fields, in frames: the card goes from the browser to Worldpay.',
      },
    ],
    template: 'boxes',
    sources: { script: [origin], frame: [origin], connect: [origin], img: [origin], style: [], font: [] },
  };
}
