/** The address of the dashboard, as its users' browsers reach it. */
import type { Config } from '../config.ts';
import { isLoopbackHost } from '../outgoing-http/public-addresses.ts';
import { ownAddress } from './own-address.ts';

type Settings = Pick<Config, 'RINGKEY_PUBLIC_URL' | 'RINGKEY_HTTP_HOST' | 'RINGKEY_HTTP_PORT'>;

/**
 * RINGKEY_PUBLIC_URL, else the address that we listen on: on loopback by its name, because browsers make no passkeys for
 * addresses. Without a slash at the end.
 */
export function dashboardUrl(settings: Settings): string {
  const { RINGKEY_PUBLIC_URL, RINGKEY_HTTP_HOST: host, RINGKEY_HTTP_PORT: port } = settings;
  if (RINGKEY_PUBLIC_URL !== undefined) return RINGKEY_PUBLIC_URL;
  return isLoopbackHost(host) ? `http://localhost:${port}` : (ownAddress(settings) ?? `http://${host}`);
}

/** @param base from {@link dashboardUrl} */
export function invitationUrl(base: string, token: string): string {
  return `${base}/dashboard/invitation/${token}`;
}
