/** The event socket: accepts inbound connections, and connects outbound to the application that controls a channel. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Channel } from './channel.ts';
import type { Engine } from './engine.ts';
import { EslConnection } from './esl-connection.ts';

interface EslServerOptions {
  engine: Engine;
  address: string;
  /** 0 picks a free port. */
  port: number;
  password: string;
}

const MAX_CLIENTS = 100;
const DIAL_LIMIT_MS = 4000;

export class EslServer {
  readonly #options: EslServerOptions;
  readonly #server: Server;
  readonly #connections = new Set<EslConnection>();
  readonly #dialing = new Set<Socket>();
  #clients = 0;

  private constructor(options: EslServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Rejects with the system's error if the port is in use. */
  static async start(options: EslServerOptions): Promise<EslServer> {
    const server = new EslServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(options.port, options.address, () => {
        server.#server.off('error', reject);
        resolve();
      });
    });
    return server;
  }

  get port(): number {
    const bound = this.#server.address();
    return typeof bound === 'object' && bound ? bound.port : 0;
  }

  /**
   * Runs the `socket` application: the app at `host:port` controls the channel. The channel hangs up if the app can't
   * be reached or disconnects.
   */
  handOver(channel: Channel, target: string): void {
    const { host, port } = splitTarget(target);
    channel.variables.set('socket_host', host);
    channel.execute({ app: 'socket', data: `${target} async full` });
    const socket = connect({ host, port, noDelay: true });
    this.#dialing.add(socket);
    socket.setTimeout(DIAL_LIMIT_MS, () => socket.destroy());
    socket.once('close', () => {
      this.#dialing.delete(socket);
      abandon(channel);
    });
    socket.on('error', () => socket.destroy());
    socket.once('connect', () => {
      this.#dialing.delete(socket);
      socket.setTimeout(0);
      if (channel.up) this.#control(socket, channel);
      else socket.destroy();
    });
  }

  #control(socket: Socket, channel: Channel): void {
    const connection = new EslConnection(socket, {
      engine: this.#options.engine,
      channel,
      closed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
  }

  #accept(socket: Socket): void {
    if (this.#clients >= MAX_CLIENTS) {
      socket.destroy();
      return;
    }
    this.#clients++;
    const connection = new EslConnection(socket, {
      engine: this.#options.engine,
      password: this.#options.password,
      closed: () => {
        this.#clients--;
        this.#connections.delete(connection);
      },
    });
    this.#connections.add(connection);
  }

  /** Sends FreeSWITCH's disconnect notice on every connection. Idempotent. */
  async close(): Promise<void> {
    for (const socket of this.#dialing) socket.destroy();
    for (const connection of [...this.#connections]) connection.close();
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/**
 * The app of a channel has disconnected. Like FreeSWITCH with `socket_resume`, hangs up a channel that still runs the
 * `socket` application or is the first leg of a bridge. A channel that is parked or the second leg of a bridge
 * continues until its peer or the media timeout ends it.
 */
function abandon(channel: Channel): void {
  const controlled = channel.dialplan === 'XML' && channel.state === 'CS_EXECUTE';
  if (channel.up && (controlled || channel.state === 'CS_SOFT_EXECUTE')) channel.hangup('NORMAL_CLEARING');
}

function splitTarget(target: string): { host: string; port: number } {
  const colon = target.lastIndexOf(':');
  return { host: target.slice(0, colon), port: Number(target.slice(colon + 1)) };
}
