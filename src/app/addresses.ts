/** The URLs under which others reach the service: its own address, the docs, the dashboard, pay links. */

import type { Config } from '../config/settings.ts';
import type { Mode } from '../domain/session.ts';
import { browserHost } from '../lib/http-client/loopback-name.ts';
import { hostOf, isLoopbackHost } from '../lib/http-client/public-addresses.ts';
import { reachableAddress } from '../local/standalone/reachable-address.ts';

type Settings = Pick<
  Config,
  | 'RINGKEY_DOCS_URL'
  | 'RINGKEY_PUBLIC_URL'
  | 'RINGKEY_LINK_URL'
  | 'RINGKEY_DEMO'
  | 'RINGKEY_HTTP_HOST'
  | 'RINGKEY_HTTP_PORT'
>;

/**
 * The address that REST listens on, as browsers on this network reach it: without a slash at the end, loopback as
 * `localhost`. Null while the port is unknown.
 */
function ownAddress({ RINGKEY_HTTP_HOST: host, RINGKEY_HTTP_PORT: port }: Settings): string | null {
  if (port === 0) return null;
  return `http://${browserHost(reachableAddress(host === '::' ? '0.0.0.0' : host))}:${port}`;
}

/**
 * The base of `doc_url` in errors: RINGKEY_DOCS_URL, or `/docs` of RINGKEY_PUBLIC_URL, or of the own address. Null while
 * the port is unknown.
 */
export function docsUrlOf(settings: Settings): string | null {
  const { RINGKEY_DOCS_URL, RINGKEY_PUBLIC_URL } = settings;
  if (RINGKEY_DOCS_URL !== undefined) return RINGKEY_DOCS_URL;
  const base = RINGKEY_PUBLIC_URL ?? ownAddress(settings);
  return base === null ? null : `${base}/docs`;
}

/**
 * The dashboard, for invitations and `request_log_url` in errors: `/dashboard` of RINGKEY_PUBLIC_URL, or of the own
 * address. Null while the port is unknown.
 */
export function dashboardUrlOf(settings: Settings): string | null {
  const base = settings.RINGKEY_PUBLIC_URL ?? ownAddress(settings);
  return base === null ? null : `${base}/dashboard`;
}

/**
 * The base of pay links: RINGKEY_LINK_URL, or RINGKEY_PUBLIC_URL, or, in a demo, the own address. Live mode needs https
 * or loopback, because real cards are entered there. Null if the mode has no base.
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
