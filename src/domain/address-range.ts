/** IP addresses and CIDR blocks as settings name them. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether the text is an address or a CIDR block: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  // The library alone would take `127.1` for an address, which Fastify's parser does not.
  return isIP(text.split('/', 1)[0] ?? '') !== 0 && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text));
}
