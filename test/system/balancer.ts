/** A load balancer for TCP: each connection goes to the next server that accepts it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Balancer {
  /** Base URL for clients. */
  url: string;
  close(): Promise<void>;
}

/** @param ports of the servers, on 127.0.0.1. Some may be down. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    open.add(near);
    near.on('error', () => near.destroy());
    near.on('close', () => open.delete(near));
    next += 1;
    void connectToFirst(ports.map((_, at) => ports[(next + at) % ports.length] ?? 0)).then((far) => join(near, far));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @returns null if no server accepts the connection */
async function connectToFirst(ports: readonly number[]): Promise<Socket | null> {
  for (const port of ports) {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isConnected) return socket;
  }
  return null;
}

/** A reset of one side closes the other. */
function join(near: Socket, far: Socket | null): void {
  if (far === null || near.destroyed) {
    near.destroy();
    far?.destroy();
    return;
  }
  far.on('error', () => far.destroy());
  far.on('close', () => near.destroy());
  near.on('close', () => far.destroy());
  near.pipe(far);
  far.pipe(near);
  near.resume();
}
