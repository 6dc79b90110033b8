/** SSRF guard: integrators' URLs must not lead our requests into our own network. */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Mode } from '../../domain/session.ts';

/** The host is not allowed. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('the host is not at a public address');
    this.name = 'ForbiddenAddress';
  }
}

/**
 * Whether an integrator's URL can lead to public addresses only: always in live mode; in test mode unless the service
 * runs for its user alone (RINGKEY_PRIVATE_TARGETS). Otherwise anyone with a test key could make us read our own
 * network.
 */
export function isPublicOnly(mode: Mode, privateTargets: boolean): boolean {
  return mode === 'live' || !privateTargets;
}

/**
 * Whether the address is public: not loopback, private, link-local or reserved, nor an IPv6 address that wraps such an
 * IPv4 one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // `process` unwraps IPv4-mapped addresses; NAT64 and 6to4 ones are no `unicast` to the library.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  // To the library `unicast` is also what has not been assigned yet.
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

/** The IPv6 space assigned to networks: iana.org/assignments/ipv6-address-space. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** A URL's host without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** Whether the host can be public, as far as known without DNS. */
export function isPublicHost(host: string): boolean {
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}

/** Whether the host is this machine itself. */
export function isLoopbackHost(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'loopback';
  return /^(.+\.)?localhost$/i.test(host);
}

/**
 * `lookup` for a socket. The address checked is the address connected to, so a second DNS answer cannot replace it. One
 * forbidden address forbids the name.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  const all: LookupOptions & { all: true } = { ...options, all: true };
  lookup(host, all, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, []);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new ForbiddenAddress(), []);
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
