/** The trunks whose calls to a number are believed: their calling number opens a session. */
import { BlockList, isIP } from 'node:net';
import { CannotStart } from '../start-error.ts';

/** RINGKEY_TRUNKS names something that is no address. */
export class BadTrunk extends CannotStart {
  constructor(text: string) {
    super(`RINGKEY_TRUNKS: not an address or CIDR block: ${text}`);
    this.name = 'BadTrunk';
  }
}

/** A test for source addresses. @param trunks `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. @throws BadTrunk */
export function trustedTrunks(trunks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const trunk of trunks) add(list, trunk);
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function add(list: BlockList, trunk: string): void {
  const [address = '', bits] = trunk.split('/');
  const family = isIP(address);
  const longest = family === 6 ? 128 : 32;
  const prefix = bits === undefined ? longest : Number(bits);
  const numeric = bits === undefined || /^\d{1,3}$/.test(bits);
  if (family === 0 || !numeric || prefix > longest || trunk.split('/').length > 2) throw new BadTrunk(trunk);
  list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
}
