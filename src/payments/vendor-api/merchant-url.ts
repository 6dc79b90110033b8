/** Checks the address of a merchant's own payment server. */
import { hostOf, isPublicHost } from '../../lib/http-client/public-addresses.ts';

/**
 * A card is sent there, so it must be encrypted.
 * @param privateTargets for tests: allows private addresses, and no TLS
 */
export function isCardUrl(text: string, privateTargets: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isBare = url.username === '' && url.password === '' && url.hash === '';
  if (privateTargets) return isBare && /^https?:$/.test(url.protocol);
  return isBare && url.protocol === 'https:' && isPublicHost(hostOf(url));
}
