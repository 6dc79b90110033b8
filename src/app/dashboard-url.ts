/** The address of the dashboard, as its users' browsers reach it: for invitations, and the base of `request_log_url` in errors. */
import type { Config } from '../config.ts';
import { isLoopbackHost } from '../outgoing-http/public-addresses.ts';
import { ownAddress } from './own-address.ts';

type Settings = Pick<Config, 'RINGKEY_PUBLIC_URL' | 'RINGKEY_HTTP_HOST' | 'RINGKEY_HTTP_PORT'>;

/**
 * `/dashboard` of RINGKEY_PUBLIC_URL, else of the address that we listen on: on loopback by its name, because browsers make no
 * passkeys for addresses, and keep the cookie of one from the other. Null where the port is not known yet.
 */
export function dashboardUrlOf(settings: Settings): string | null {
  const { RINGKEY_PUBLIC_URL, RINGKEY_HTTP_HOST: host, RINGKEY_HTTP_PORT: port } = settings;
  if (RINGKEY_PUBLIC_URL !== undefined) return `${RINGKEY_PUBLIC_URL}/dashboard`;
  const address = ownAddress(settings);
  if (address === null) return null;
  return `${isLoopbackHost(host) ? `http://localhost:${port}` : address}/dashboard`;
}
