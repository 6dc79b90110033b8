/** The address that we listen on, as browsers on our network reach it. */
import type { Config } from '../config/settings.ts';
import { browserHost } from '../lib/http-client/loopback-name.ts';
import { reachableAddress } from '../local/standalone/reachable-address.ts';

/** Without a slash at the end; loopback by its name. Null where the port is not known yet. */
export function ownAddress({
  RINGKEY_HTTP_HOST: host,
  RINGKEY_HTTP_PORT: port,
}: Pick<Config, 'RINGKEY_HTTP_HOST' | 'RINGKEY_HTTP_PORT'>): string | null {
  if (port === 0) return null;
  return `http://${browserHost(reachableAddress(host === '::' ? '0.0.0.0' : host))}:${port}`;
}
