/** Where a payer is: the page, to which a bank can send the payer back, and the payer's own address. */
import { isIP } from 'node:net';
import type { ChargeRequest } from '../../payments/port/charges.ts';

/** IPv4 addresses of a socket that takes both. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** @param pageUrl null if the service does not know its own address. @returns undefined without one of both */
export function payerAt(pageUrl: string | null, ip: string): ChargeRequest['payer'] {
  return pageUrl === null || isIP(ip) === 0 ? undefined : { pageUrl, ip: ip.replace(MAPPED, '') };
}
