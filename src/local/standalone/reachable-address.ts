/** The address that others dial when Ringkey listens on all addresses. */
import { networkInterfaces } from 'node:os';

/**
 * `bound` itself unless it means "every address": then the first outside IPv4 address of this machine, else loopback.
 */
export function reachableAddress(bound: string): string {
  if (bound !== '0.0.0.0') return bound;
  const addresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
