/** The source address that a rate is counted by. */
import ipaddr from 'ipaddr.js';

/** Fastify's request: `ip` is the peer, or what a trusted proxy says in `X-Forwarded-For`. */
interface Source {
  ip: string;
  socket: { remoteAddress?: string | undefined };
}

const NETWORK_PARTS = 4;

/**
 * An IPv4 address, or an IPv6 network of 64 bits, because one caller has all of that. `unknown` where there is neither.
 */
export function rateLimitedAddress({ ip, socket }: Source): string {
  const text = ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '');
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
