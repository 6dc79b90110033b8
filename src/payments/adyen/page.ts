/**
 * What the pay page loads from Adyen: Adyen Web, in the version that was read (github.com/Adyen/adyen-web, 6.44.0), and
 * the fields of its Custom Card in frames. The hosts are those of core/Environment/constants.ts; those of live mode differ
 * by region.
 */
import type { Mode } from '../../domain/session.ts';
import type { ProcessorPage } from '../port/page.ts';

const VERSION = '6.44.0';
const ENVIRONMENTS: Readonly<Record<Mode, readonly string[]>> = {
  test: ['test'],
  live: ['live', 'live-us', 'live-au', 'live-apse', 'live-in', 'live-nea'],
};

export function adyenPage(mode: Mode): ProcessorPage {
  const scripts = `https://checkoutshopper-${mode}.cdn.adyen.com`;
  const api = ENVIRONMENTS[mode].map((name) => `https://checkoutshopper-${name}.adyen.com`);
  // Translations and images.
  const assets = ENVIRONMENTS[mode].map((name) => `https://checkoutshopper-${name}.cdn.adyen.com`);
  return {
    module: 'adyen',
    scripts: [
      {
        url: `${scripts}/checkoutshopper/sdk/${VERSION}/adyen.js`,
        why: 'Adyen’s card fields, in frames: they encrypt the card for Adyen in the browser.',
      },
    ],
    template: 'boxes',
    sources: { script: [scripts], frame: api, connect: [...api, ...assets], img: assets, style: [], font: [] },
  };
}
