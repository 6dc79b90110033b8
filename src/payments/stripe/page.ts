/** What the pay page loads from Stripe. */
import type { ProcessorPage } from '../ports.ts';
import { API_VERSION } from './client.ts';

/**
 * The release train of our API version. A train's Stripe.js supports its versions
 * (docs.stripe.com/sdks/stripejs-versioning).
 */
const TRAIN = API_VERSION.split('.')[1] ?? '';
const SCRIPT = `https://js.stripe.com/${TRAIN}/stripe.js`;

/** docs.stripe.com/security/guide#content-security-policy, without the entries for address maps. */
const OWN_FRAMES = ['https://*.js.stripe.com', 'https://js.stripe.com'];

const PAGE: ProcessorPage = {
  module: 'stripe',
  scripts: [
    { url: SCRIPT, why: 'Stripe’s card field, wallets and 3-D Secure: the card goes from the browser to Stripe.' },
  ],
  sources: {
    script: OWN_FRAMES,
    frame: [...OWN_FRAMES, 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com'],
    img: ['https://*.stripe.com'],
    style: [],
    font: [],
  },
};

/** Both modes use the same Stripe.js; the key decides. */
export const stripePage = (): ProcessorPage => PAGE;
