/** Chooses our address for each peer, and resolves URIs (RFC 3263 without SRV and NAPTR, because it is one machine). */
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Peer, Transport } from './types.ts';
import type { SipUri } from './uri.ts';

const LOOKUP_CACHE_MS = 5_000;
const LOOKUP_CACHE_ENTRIES = 256;
/** TEST-NET-1: never contacted, only used to find the interface that leads there. */
const OUTSIDE_ADDRESS = '192.0.2.1';

export class LocalAddresses {
  readonly #bound: string;
  readonly #external: string | undefined;
  #defaultRoute = '127.0.0.1';

  constructor(bound: string, external: string | undefined) {
    this.#bound = bound;
    this.#external = external;
  }

  /** Finds the address of the default route; needed once, and only if bound to every address. */
  async start(): Promise<void> {
    if (this.#bound === '0.0.0.0') this.#defaultRoute = await addressTowards(OUTSIDE_ADDRESS);
  }

  /** Our address in Via and Contact for a peer. */
  towards(remote: string): string {
    if (this.#bound !== '0.0.0.0') return this.#bound;
    if (remote.startsWith('127.') || remote === 'localhost') return '127.0.0.1';
    for (const addresses of Object.values(networkInterfaces())) {
      for (const own of addresses ?? []) {
        if (own.family === 'IPv4' && sameNetwork(own.address, remote, own.netmask)) return own.address;
      }
    }
    return this.#external ?? this.#defaultRoute;
  }
}

function sameNetwork(one: string, other: string, netmask: string): boolean {
  const mask = toNumber(netmask);
  return isIP(other) === 4 && (toNumber(one) & mask) === (toNumber(other) & mask);
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) | 0;
}

/** The local address the kernel would send from; 127.0.0.1 on a machine without a route. */
function addressTowards(remote: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const finish = (address: string) => {
      socket.close();
      resolve(address);
    };
    socket.once('error', () => finish('127.0.0.1'));
    socket.connect(9, remote, () => finish(socket.address().address));
  });
}

/** The URI requires a transport that is not supported. */
export class UnsupportedTransport extends Error {}

/**
 * Resolves hosts, with one system call per name within a few seconds, which also keeps requests to one host in order.
 */
export class Resolver {
  readonly #cache = new Map<string, { answer: Promise<string>; at: number }>();

  /** Rejects with the system's error if the name does not resolve, and if the URI requires a transport such as TLS. */
  async target(uri: SipUri, preferred: Transport = 'udp'): Promise<Peer> {
    if (!isSpoken(uri)) throw new UnsupportedTransport();
    const transport = uri.params.transport === undefined ? preferred : transportOf(uri);
    const port = uri.port ?? 5060;
    const address = isIP(uri.host) ? uri.host : await this.#lookup(uri.host.toLowerCase());
    return { transport, address, port };
  }

  #lookup(host: string): Promise<string> {
    const now = Date.now();
    const cached = this.#cache.get(host);
    if (cached && now - cached.at < LOOKUP_CACHE_MS) return cached.answer;
    if (this.#cache.size >= LOOKUP_CACHE_ENTRIES) this.#cache.clear();
    const answer = lookup(host, { family: 4 }).then((found) => found.address);
    this.#cache.set(host, { answer, at: now });
    return answer;
  }
}

/** Refuses sips: and TLS, which are not supported, instead of sending the request unencrypted. */
function isSpoken(uri: SipUri): boolean {
  const named = uri.params.transport?.toLowerCase();
  return uri.scheme === 'sip' && (named === undefined || named === 'udp' || named === 'tcp');
}

function transportOf(uri: SipUri): Transport {
  return uri.params.transport?.toLowerCase() === 'tcp' ? 'tcp' : 'udp';
}
