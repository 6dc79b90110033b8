/** The address that a request came from, as far as it can be believed. */
import ipaddr from 'ipaddr.js';

/** Fastify resolved it: the peer, or what a trusted proxy says in `X-Forwarded-For`. */
interface Asking {
  ip: string;
  socket: { remoteAddress?: string | undefined };
}

const HOME_NETWORK_PARTS = 4;

/** What is counted as one caller: an IPv4 address, or an IPv6 network of 64 bits, which one caller has whole. */
export function rateLimitedAddress({ ip, socket }: Asking): string {
  const text = ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '');
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, HOME_NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
