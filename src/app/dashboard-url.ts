/**
 * The address of the dashboard, as its users' browsers reach it: for invitations, and the base of `request_log_url` in
 * errors.
 */
import type { Config } from '../config/settings.ts';
import { ownAddress } from './own-address.ts';

type Settings = Pick<Config, 'RINGKEY_PUBLIC_URL' | 'RINGKEY_HTTP_HOST' | 'RINGKEY_HTTP_PORT'>;

/** `/dashboard` of RINGKEY_PUBLIC_URL, else of the address that we listen on. Null where the port is not known yet. */
export function dashboardUrlOf(settings: Settings): string | null {
  const base = settings.RINGKEY_PUBLIC_URL ?? ownAddress(settings);
  return base === null ? null : `${base}/dashboard`;
}
