/** Reads what the phone app itself has to know of a session description (SDP, RFC 4566). The rest is the media server's. Pure. */
import { isIP } from 'node:net';

/**
 * Whether the far end is on hold: it takes no sound of ours, or sends none until it comes back. `a=sendonly` or `a=inactive`
 * (RFC 3264, 8.4), or the address 0.0.0.0 of older phones (RFC 2543, B.5).
 */
export function isOnHold(sdp: string): boolean {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m);
  const audio = media.find((section) => /^m=audio [1-9]/.test(section)) ?? '';
  const direction = directionOf(audio) ?? directionOf(session) ?? 'sendrecv';
  const address = addressesOf(audio)[0] ?? addressesOf(session)[0];
  return direction === 'sendonly' || direction === 'inactive' || address === '0.0.0.0';
}

/** Whether sound would have to go to a host by name. Names are not looked up: whoever calls could have us ask for any. */
export function namesHost(sdp: string): boolean {
  return addressesOf(sdp).some((address) => isIP(address) === 0);
}

function directionOf(section: string): string | undefined {
  return /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(section)?.[1];
}

function addressesOf(section: string): string[] {
  return [...section.matchAll(/^c=\S+ \S+ ([^\s/]*)/gm)].map(([, address = '']) => address);
}
