/** The base of `doc_url` in errors. */
import type { Config } from '../config.ts';
import { reachableAddress } from '../standalone/reachable-address.ts';

type Settings = Pick<Config, 'RINGKEY_DOCS_URL' | 'RINGKEY_PUBLIC_URL' | 'RINGKEY_HTTP_HOST' | 'RINGKEY_HTTP_PORT'>;

/** As set, or `/docs` of the public URL, or of the address that we listen on; null where the port is not known yet. */
export function docsUrlOf(settings: Settings): string | null {
  const { RINGKEY_DOCS_URL, RINGKEY_PUBLIC_URL, RINGKEY_HTTP_HOST: host, RINGKEY_HTTP_PORT: port } = settings;
  if (RINGKEY_DOCS_URL !== undefined) return RINGKEY_DOCS_URL;
  if (RINGKEY_PUBLIC_URL !== undefined) return `${RINGKEY_PUBLIC_URL}/docs`;
  if (port === 0) return null;
  const address = reachableAddress(host === '::' ? '0.0.0.0' : host);
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/docs`;
}
