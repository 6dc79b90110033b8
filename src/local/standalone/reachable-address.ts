/** The address for other machines if Ringkey listens on all addresses. */
import { networkInterfaces } from 'node:os';

/**
 * `bound`, unless it means "every address": then this machine's first external IPv4 address, or loopback if there is
 * none.
 */
export function reachableAddress(bound: string): string {
  if (bound !== '0.0.0.0') return bound;
  const addresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
