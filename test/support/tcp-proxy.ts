/** A TCP proxy before a server, to take the server away from a running product and give it back. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Puts the proxy before a server. @returns the server's URL by way of the proxy */
  forwardTo(url: string): string;
  /** Connections that came while it was cut. */
  readonly refused: number;
  /** Breaks every connection, and new ones at once, until {@link restore}. */
  cut(): void;
  /** Lets no byte through any more in either direction, and breaks nothing: a server that hangs. */
  stall(): void;
  /** New connections go through again; stalled ones go on where they stopped. */
  restore(): void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
}

/**
 * Listens at once; {@link TcpProxy.forwardTo} says for whom.
 * @param passes is asked of each packet in either direction; one that it refuses is lost
 */
export async function startTcpProxy(passes: () => boolean = () => true): Promise<TcpProxy> {
  let target = { host: '', port: 0 };
  const pairs = new Set<Pair>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
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
    join(pair, passes, () => pairs.delete(pair));
    if (state === 'stalled') pause(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const drop = () => {
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
      drop();
    },
    stall() {
      state = 'stalled';
      for (const pair of pairs) pause(pair);
    },
    restore() {
      state = 'open';
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
    },
    async close() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Bytes go both ways; the end of one side is the end of the other. */
function join({ near, far }: Pair, passes: () => boolean, ended: () => void): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('data', (data) => {
      if (passes()) to.write(data);
    });
    from.on('end', () => to.end());
    // A reset of one side is the other's end.
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
