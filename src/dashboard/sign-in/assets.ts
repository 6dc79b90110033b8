/** The scripts of the sign-in pages: passkeys in the browser, by `@simplewebauthn/browser` from its package. */
import { type Asset, extraAsset } from '../assets.ts';

/** Read once in a process. */
let loaded: readonly Asset[] | undefined;

/** In the order in which they run. @throws where they were not built */
export function signInScripts(): readonly Asset[] {
  loaded ??= [
    extraAsset('webauthn.js', {
      package: '@simplewebauthn/browser',
      beside: '../dist/bundle/index.umd.min.js',
    }),
    extraAsset('sign-in.js', { own: 'browser/sign-in.js' }),
  ];
  return loaded;
}
