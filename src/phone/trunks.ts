/** The trunks whose calls to a number are believed: their calling number opens a session. */
import { BlockList, isIP } from 'node:net';

/** A test for source addresses. @param trunks `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
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
  const [type, longest] = isIP(address) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  list.addSubnet(address, bits === undefined ? longest : Number(bits), type);
}
