/** The address that pay links begin with. */
import type { Config } from '../config/settings.ts';
import type { Mode } from '../domain/session.ts';
import { hostOf, isLoopbackHost } from '../lib/http-client/public-addresses.ts';
import { ownAddress } from './own-address.ts';

type Settings = Pick<
  Config,
  'RINGKEY_LINK_URL' | 'RINGKEY_PUBLIC_URL' | 'RINGKEY_DEMO' | 'RINGKEY_HTTP_HOST' | 'RINGKEY_HTTP_PORT'
>;

/**
 * RINGKEY_LINK_URL, else RINGKEY_PUBLIC_URL, else, in a demo, the address that we listen on. Real cards are typed on
 * https only, or on this machine. Null where there is none for the mode.
 */
export function linkBaseOf(settings: Settings): (mode: Mode) => string | null {
  const { RINGKEY_LINK_URL, RINGKEY_PUBLIC_URL, RINGKEY_DEMO } = settings;
  const base = RINGKEY_LINK_URL ?? RINGKEY_PUBLIC_URL ?? (RINGKEY_DEMO ? ownAddress(settings) : null);
  return (mode) => (base !== null && (mode === 'test' || isSafe(base)) ? base : null);
}

function isSafe(base: string): boolean {
  const url = new URL(base);
  return url.protocol === 'https:' || isLoopbackHost(hostOf(url));
}
