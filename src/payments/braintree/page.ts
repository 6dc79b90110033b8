/**
 * What the pay page loads from Braintree: its client and Hosted Fields, in the version that was read
 * (github.com/braintree/braintree-web, 3.136.0).
 */
import type { Mode } from '../../domain/session.ts';
import type { ProcessorPage } from '../port/page.ts';

const SCRIPTS = 'https://js.braintreegateway.com';
const ASSETS = 'https://assets.braintreegateway.com';
const VERSION = '3.136.0';

const API_HOSTS: Readonly<Record<Mode, string>> = {
  test: 'sandbox.braintreegateway.com',
  live: 'braintreegateway.com',
};

/**
 * braintree.github.io/braintree-web/current/#content-security-policy, the basic directives. Its script sets a style
 * attribute on inputs of no size, for software keyboards. That is blocked, so the page's style has the class.
 */
export function braintreePage(mode: Mode): ProcessorPage {
  const host = API_HOSTS[mode];
  return {
    module: 'braintree',
    scripts: [
      { url: `${SCRIPTS}/web/${VERSION}/js/client.min.js`, why: 'Braintree’s client, which Hosted Fields needs.' },
      {
        url: `${SCRIPTS}/web/${VERSION}/js/hosted-fields.min.js`,
        why: 'Braintree’s card fields, in frames: the card goes from the browser to Braintree.',
      },
    ],
    template: 'boxes',
    sources: {
      script: [SCRIPTS, ASSETS],
      frame: [ASSETS],
      connect: [`https://api.${host}`, `https://client-analytics.${host}`, 'https://*.braintree-api.com'],
      img: [ASSETS],
      style: [],
      font: [],
    },
  };
}
