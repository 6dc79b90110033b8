/** What the pay page loads of Stripe. */
import type { ProcessorPage } from '../ports.ts';
import { API_VERSION } from './client.ts';

/**
 * The release train of our API version: Stripe.js of a train speaks its versions
 * (docs.stripe.com/sdks/stripejs-versioning).
 */
const TRAIN = API_VERSION.split('.')[1] ?? '';
const SCRIPT = `https://js.stripe.com/${TRAIN}/stripe.js`;

/** docs.stripe.com/security/guide#content-security-policy, without what is for addresses on maps only. */
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

/** Stripe.js is the same in both modes; the key tells them apart. */
export const stripePage = (): ProcessorPage => PAGE;
