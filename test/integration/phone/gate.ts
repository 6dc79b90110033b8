/** A TCP relay that can be shut: the server behind it is then away for whoever goes through here. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Gate {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #open = true;

  private constructor(server: Server, port: number, target: { host: string; port: number }) {
    this.#server = server;
    this.port = port;
    server.on('connection', (near) => {
      if (!this.#open) {
        near.destroy();
        return;
      }
      const far = connect(target);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.setNoDelay(true);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async to(target: { host: string; port: number }): Promise<Gate> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return new Gate(server, typeof address === 'object' && address ? address.port : 0, target);
  }

  /** Breaks every connection and takes no new ones. */
  shut(): void {
    this.#open = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  reopen(): void {
    this.#open = true;
  }

  close(): void {
    this.shut();
    this.#server.close();
  }
}
