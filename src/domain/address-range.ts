/** IP addresses and CIDR blocks as written in settings: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const bitsOf = (address: string) => (isIP(address) === 6 ? 128 : 32);

export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsOf(address));
}

/**
 * @param ranges each an {@link isAddressRange}
 * @returns whether a text is an address in one of them
 */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits ?? bitsOf(address)), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Whether one of `ranges` contains the whole range. All of them must be an {@link isAddressRange}. */
export function isWithinRanges(range: string, ranges: readonly string[]): boolean {
  const bitsIn = (text: string) => Number(text.split('/')[1] ?? bitsOf(text));
  const [address = ''] = range.split('/');
  return ranges.some((outer) => bitsIn(outer) <= bitsIn(range) && addressMatcher([outer])(address));
}
