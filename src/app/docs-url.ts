/** The base of `doc_url` in errors. */
import type { Config } from '../config/settings.ts';
import { ownAddress } from './own-address.ts';

type Settings = Pick<Config, 'RINGKEY_DOCS_URL' | 'RINGKEY_PUBLIC_URL' | 'RINGKEY_HTTP_HOST' | 'RINGKEY_HTTP_PORT'>;

/** As set, or `/docs` of the public URL, or of the address that we listen on; null where the port is not known yet. */
export function docsUrlOf(settings: Settings): string | null {
  const { RINGKEY_DOCS_URL, RINGKEY_PUBLIC_URL } = settings;
  if (RINGKEY_DOCS_URL !== undefined) return RINGKEY_DOCS_URL;
  const base = RINGKEY_PUBLIC_URL ?? ownAddress(settings);
  return base === null ? null : `${base}/docs`;
}
