/** SSRF guard: an integrator's URL must not lead our own requests into our network. */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Mode } from '../../domain/session.ts';

/** The host is not one that we send to. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('the host is not at a public address');
    this.name = 'ForbiddenAddress';
  }
}

/**
 * Whether an integrator's URL may lead to public addresses only: in live mode always, in test mode unless the service
 * is its user's own (RINGKEY_PRIVATE_TARGETS). Else anybody with a test key could have us read the network that we
 * stand in.
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

/** All of IPv6 that is assigned to networks: iana.org/assignments/ipv6-address-space. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** A URL's host without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** Whether the host may be public, as far as it says without asking DNS. */
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
 * `lookup` for a socket: the address that is connected to is the address that was checked, so no second DNS answer can
 * slip in between. One forbidden address among several forbids the name.
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
