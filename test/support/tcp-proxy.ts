/** A TCP proxy that can cut or stall the connections between a running product and a server. */
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Sets the server behind the proxy. @returns the server's URL through the proxy */
  forwardTo(url: string): string;
  /** Connections refused while it was cut. */
  readonly refused: number;
  /** Breaks every connection and refuses new ones, until {@link restore}. */
  cut(): void;
  /** Stops all traffic without closing connections, like a server that hangs. */
  stall(): void;
  /** Drops all packets until {@link restore}. Resolves at the first packet to the server. */
  drop(): Promise<void>;
  /** Accepts connections again and resumes stalled ones. */
  restore(): void;
  /** Accepts connections again, but keeps the stalled ones silent, like a server that has taken over for a lost one. */
  failOver(): void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
}

/**
 * Starts listening; {@link TcpProxy.forwardTo} sets the server.
 * @param passes called for each packet in either direction; the packet is dropped if it returns false
 */
export async function startTcpProxy(passes: () => boolean = () => true): Promise<TcpProxy> {
  let target = { host: '', port: 0 };
  const pairs = new Set<Pair>();
  let state: 'open' | 'cut' | 'stalled' | 'dropping' = 'open';
  const dropped = new EventEmitter();
  let refused = 0;
  const server = createServer({ noDelay: true }, (near) => {
    if (state === 'cut') {
      refused += 1;
      near.on('error', () => near.destroy());
      near.resetAndDestroy();
      return;
    }
    const pair = { near, far: connect({ ...target, noDelay: true }) };
    pairs.add(pair);
    const isDropped = (to: Socket) => {
      if (state === 'dropping' && to === pair.far) dropped.emit('packet');
      return state === 'dropping' || !passes();
    };
    join(pair, isDropped, () => pairs.delete(pair));
    if (state === 'stalled') pause(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const breakAll = () => {
    for (const { near } of pairs) near.resetAndDestroy();
  };
  return {
    port: own,
    get refused() {
      return refused;
    },
    forwardTo(url) {
      const changed = new URL(url);
      target = { host: changed.hostname, port: Number(changed.port) };
      changed.host = `127.0.0.1:${own}`;
      return changed.href;
    },
    cut() {
      state = 'cut';
      breakAll();
    },
    stall() {
      state = 'stalled';
      for (const pair of pairs) pause(pair);
    },
    async drop() {
      state = 'dropping';
      await once(dropped, 'packet');
    },
    restore() {
      state = 'open';
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
    },
    failOver() {
      state = 'open';
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Forwards bytes both ways; when one side closes, the other is closed. */
function join({ near, far }: Pair, isDropped: (to: Socket) => boolean, ended: () => void): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('data', (data) => {
      if (!isDropped(to)) to.write(data);
    });
    from.on('end', () => to.end());
    // A reset of one side closes the other.
    from.on('error', () => from.destroy());
    from.on('close', () => {
      to.destroy();
      ended();
    });
  }
}

function pause({ near, far }: Pair): void {
  near.pause();
  far.pause();
}
