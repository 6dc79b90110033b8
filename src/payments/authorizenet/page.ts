/**
 * What the pay page loads from Authorize.net: Accept.js (developer.authorize.net/api/reference/features/acceptjs.html). It
 * has no fields, so the card is typed into inputs of the page, and sent from the browser to Authorize.net. The
 * alternative, AcceptUI, is a form in a dialog, in English only, which does not say that the payer closed it.
 */
import type { Mode } from '../../domain/session.ts';
import type { ProcessorPage } from '../port/page.ts';

const SCRIPT_ORIGINS: Readonly<Record<Mode, string>> = {
  test: 'https://jstest.authorize.net',
  live: 'https://js.authorize.net',
};

/** Where Accept.js exchanges the card for a token: `securePaymentContainerRequest` of the XML API's hosts. */
const API_ORIGINS: Readonly<Record<Mode, readonly string[]>> = {
  test: ['https://apitest.authorize.net'],
  live: ['https://api2.authorize.net', 'https://api.authorize.net'],
};

export function authorizeNetPage(mode: Mode): ProcessorPage {
  const origin = SCRIPT_ORIGINS[mode];
  return {
    module: 'authorizenet',
    scripts: [
      {
        url: `${origin}/v1/Accept.js`,
        why: 'Accept.js: exchanges the card for a token. The card goes from the browser to Authorize.net.',
      },
    ],
    template: 'inputs',
    sources: { script: [origin], frame: [], connect: API_ORIGINS[mode], img: [], style: [], font: [] },
  };
}
