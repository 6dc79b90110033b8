/**
 * Scripts and styles of the dashboard: its own, and htmx with its extension for server-sent events from their packages.
 */

import { BRAND } from '../../domain/page-colors.ts';
import { hashedAsset, readBuilt, readFromPackage, type StaticAsset } from '../shared/static-assets.ts';
import { BASE, lightDark, NEUTRALS } from '../shared/tokens.ts';

const TOKENS = Buffer.from(lightDark({ ...BRAND, ...NEUTRALS }) + BASE);
/** In cascade order, after the shared tokens. */
const STYLES = [
  'base',
  'frame',
  'forms',
  'parts',
  'sign-in',
  'try',
  'overview',
  'attention',
  'wall',
  'palette',
  'tail',
  'setup',
  'reports',
  'story',
  'density',
  'print',
];
/** The scripts of every page, in this order; all deferred. */
const SCRIPTS = {
  htmx: 'htmx.org/dist/htmx.min.js',
  sse: 'htmx-ext-sse/dist/sse.min.js',
  dashboard: null,
  palette: null,
  keys: null,
} as const;

const FOLDER = '/dashboard/assets';

/** Read once per process. */
let loaded: { style: StaticAsset; scripts: readonly StaticAsset[] } | undefined;

/** @throws if the script was not built */
export function dashboardAssets(): { style: StaticAsset; scripts: readonly StaticAsset[] } {
  loaded ??= {
    style: hashedAsset(
      FOLDER,
      'style.css',
      Buffer.concat([TOKENS, ...STYLES.map((name) => readOwn(`styles/${name}.css`))]),
    ),
    scripts: Object.entries(SCRIPTS).map(([name, entry]) =>
      entry === null ? ownScript(name) : packagedAsset(`${name}.js`, entry),
    ),
  };
  return loaded;
}

/** A script of the dashboard's own `browser/`. */
export const ownScript = (name: string) => hashedAsset(FOLDER, `${name}.js`, readOwn(`browser/${name}.js`));

/** A script or style of an npm package; {@link readFromPackage} has the parameters. */
const packagedAsset = (file: string, entry: string, beside?: string) =>
  hashedAsset(FOLDER, file, readFromPackage(entry, beside));

const readOwn = (path: string) => readBuilt(`http/dashboard/${path}`);

/** Read once per process. */
let signIn: readonly StaticAsset[] | undefined;

/**
 * The scripts of the sign-in pages, in execution order: passkeys in the browser, by `@simplewebauthn/browser` from its
 * package.
 * @throws if they were not built
 */
export function signInScripts(): readonly StaticAsset[] {
  signIn ??= [
    packagedAsset('webauthn.js', '@simplewebauthn/browser', '../dist/bundle/index.umd.min.js'),
    ownScript('sign-in'),
  ];
  return signIn;
}
