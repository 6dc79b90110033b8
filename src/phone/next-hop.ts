/**
 * Resolves a SIP URI (RFC 3263 without NAPTR: SRV, then A and AAAA), and decides whether we may send a call there. The
 * INVITE then goes to the address that was checked, because a second DNS answer could be different.
 */
import { lookup, resolveSrv } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import { isPublicAddress } from '../lib/http-client/public-addresses.ts';

/** The DNS queries of this module; tests replace them. Both reject if the name does not exist. */
export interface HostResolver {
  addresses(host: string): Promise<string[]>;
  srv(name: string): Promise<{ name: string; port: number; priority: number }[]>;
}

const SYSTEM_RESOLVER: HostResolver = {
  addresses: async (host) => (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address),
  srv: resolveSrv,
};

/**
 * `uris`: its addresses, in the order to try them. `forbidden`: one of them is ours or not public. `unknown`: the name
 * does not resolve in time.
 */
type NextHop = { uris: string[] } | { refused: 'forbidden' | 'unknown' };

const RESOLVE_LIMIT_MS = 3_000;
const TLS_PORT = 5061;
const SIP_PORT = 5060;
/** The caller waits for each attempt. */
const MAX_HOPS = 4;

/**
 * @param uri sip: or sips:, without headers
 * @param isAllowedAddress whether RINGKEY_RETURN_ALLOWED lists an address that is not public
 */
export async function nextHopOf(
  uri: string,
  isAllowedAddress: (address: string) => boolean,
  resolver: HostResolver = SYSTEM_RESOLVER,
): Promise<NextHop> {
  const target = parseTarget(uri);
  const found = await waitAtMost(
    RESOLVE_LIMIT_MS,
    resolveTarget(target, resolver).catch(() => []),
  );
  if (found === null || found.length === 0) return { refused: 'unknown' };
  const isReachable = (address: string) => isAllowedAddress(address) || (isPublicAddress(address) && !isOwn(address));
  if (!found.every(({ address }) => isReachable(address))) return { refused: 'forbidden' };
  const hosts = found.map(({ address, port }) => `${isIP(address) === 6 ? `[${address}]` : address}:${port}`);
  return { uris: [...new Set(hosts)].slice(0, MAX_HOPS).map((host) => `sip:${host};transport=${target.transport}`) };
}

interface Target {
  host: string;
  port: number | null;
  transport: 'udp' | 'tcp' | 'tls';
}

function parseTarget(uri: string): Target {
  const afterUser = uri.slice(uri.indexOf('@') === -1 ? uri.indexOf(':') + 1 : uri.indexOf('@') + 1);
  const { name, ipv6, port } =
    /^(?:\[(?<ipv6>[^\]]+)\]|(?<name>[^:;?]+))(?::(?<port>\d+))?/.exec(afterUser)?.groups ?? {};
  const named = /;transport=(udp|tcp|tls)\b/i.exec(afterUser)?.[1]?.toLowerCase() as Target['transport'] | undefined;
  const transport = /^sips:/i.test(uri) ? 'tls' : (named ?? 'udp');
  return { host: ipv6 ?? name ?? '', port: port === undefined ? null : Number(port), transport };
}

/** IPv4 first: the SIP server may have no IPv6 address to send from. */
async function addressesOf(name: string, resolver: HostResolver): Promise<string[]> {
  return (await resolver.addresses(name)).toSorted((one, other) => isIP(one) - isIP(other));
}

/** All addresses of the name, in the order to use them. */
async function resolveTarget(target: Target, resolver: HostResolver): Promise<{ address: string; port: number }[]> {
  const { host, port, transport } = target;
  if (isIP(host) === 0 && port === null) {
    const service = transport === 'tls' ? '_sips._tcp' : `_sip._${transport}`;
    const records = await resolver.srv(`${service}.${host}`).catch(() => []);
    const byPriority = records.filter(({ name }) => name !== '').sort((one, other) => one.priority - other.priority);
    const found = byPriority.map(async (record) =>
      (await addressesOf(record.name, resolver)).map((address) => ({ address, port: record.port })),
    );
    if (found.length > 0) return (await Promise.all(found)).flat();
  }
  const addresses = isIP(host) === 0 ? await addressesOf(host, resolver) : [host];
  return addresses.map((address) => ({ address, port: port ?? (transport === 'tls' ? TLS_PORT : SIP_PORT) }));
}

function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === address));
}
