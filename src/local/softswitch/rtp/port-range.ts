/** RTP/RTCP socket pairs from a bounded range: RTP on an even port, RTCP on the next (RFC 3550, 11). */
import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';

/** The parts of a UDP socket that a stream needs. */
export interface DatagramSocket {
  on(event: 'message', listener: (datagram: Buffer, from: RemoteInfo) => void): unknown;
  send(datagram: Buffer, port: number, address: string): unknown;
}

/** A bound pair. `release` closes both sockets and returns the ports; it is idempotent. */
export interface PortPair {
  rtp: DatagramSocket;
  /** The address of both sockets. */
  address: string;
  /** Port of the RTP socket; RTCP uses the next one. */
  port: number;
  release(): void;
}

/** Each leg uses two of the ports. */
interface PortRangeOptions {
  /** Address to bind, which is also in the session descriptions: an address of this machine, not 0.0.0.0. */
  address: string;
  /** First and last port of the range, inclusive. */
  firstPort: number;
  lastPort: number;
}

/** Every port of the range is in use, by this process or another one. */
export class NoFreePort extends Error {
  override readonly name = 'NoFreePort';
}

/** Other programs may use ports of the range: `acquire` tries this many before it gives up. */
const MAX_BIND_ATTEMPTS = 64;
/** Ample space for a burst of 0.1 s of 20 ms packets. */
const RECEIVE_BUFFER_BYTES = 256 * 1024;

/** Assigns pairs round-robin, so that a late packet of a past call seldom reaches the next one. */
export class PortRange {
  readonly #options: PortRangeOptions;
  readonly #taken = new Set<number>();
  readonly #first: number;
  readonly #pairs: number;
  #cursor: number;

  constructor(options: PortRangeOptions) {
    this.#options = options;
    this.#first = options.firstPort + (options.firstPort % 2);
    this.#pairs = Math.floor((options.lastPort - this.#first + 1) / 2);
    // Start at a random port: a peer of an earlier process may still send to the first ones.
    this.#cursor = randomInt(Math.max(1, this.#pairs));
    if (this.#pairs < 1) throw new RangeError(`No RTP port pair in ${options.firstPort}–${options.lastPort}`);
  }

  /** Number of pairs in use. */
  get inUse(): number {
    return this.#taken.size;
  }

  /**
   * Binds the next free pair.
   * @throws {NoFreePort}
   */
  async acquire(): Promise<PortPair> {
    for (let attempt = 0; attempt < Math.min(MAX_BIND_ATTEMPTS, this.#pairs); attempt++) {
      const port = this.#reserve();
      if (port === null) break;
      const pair = await this.#bind(port);
      if (pair) return pair;
      this.#taken.delete(port);
    }
    throw new NoFreePort('No free RTP port');
  }

  #reserve(): number | null {
    for (let tried = 0; tried < this.#pairs; tried++) {
      const port = this.#first + 2 * this.#cursor;
      this.#cursor = (this.#cursor + 1) % this.#pairs;
      if (this.#taken.has(port)) continue;
      this.#taken.add(port);
      return port;
    }
    return null;
  }

  async #bind(port: number): Promise<PortPair | null> {
    const { address } = this.#options;
    const rtp = await bindUdp(address, port);
    if (!rtp) return null;
    const rtcp = await bindUdp(address, port + 1);
    if (!rtcp) {
      rtp.close();
      return null;
    }
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      rtp.close();
      rtcp.close();
      this.#taken.delete(port);
    };
    return { rtp, address, port, release };
  }
}

/** Resolves to null if the port is in use or may not be bound. */
function bindUdp(address: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    // The peer's address is already numeric; the default lookup costs a microtask and an allocation per packet.
    const socket = createSocket({
      type: 'udp4',
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      lookup: (host, _options, callback) => callback(null, host, 4),
    });
    const onBindError = (): void => {
      socket.close();
      resolve(null);
    };
    socket.once('error', onBindError);
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', onBindError);
      // ICMP "port unreachable" of a vanished peer arrives here; the media timeout deals with it.
      socket.on('error', () => undefined);
      socket.unref();
      resolve(socket);
    });
  });
}
