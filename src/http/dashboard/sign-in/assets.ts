/** The scripts of the sign-in pages: passkeys in the browser, by `@simplewebauthn/browser` from its package. */
import type { StaticAsset } from '../../shared/static-assets.ts';
import { ownScript, packagedAsset } from '../assets.ts';

/** Read once per process. */
let loaded: readonly StaticAsset[] | undefined;

/** In execution order. @throws if they were not built */
export function signInScripts(): readonly StaticAsset[] {
  loaded ??= [
    packagedAsset('webauthn.js', '@simplewebauthn/browser', '../dist/bundle/index.umd.min.js'),
    ownScript('sign-in'),
  ];
  return loaded;
}
