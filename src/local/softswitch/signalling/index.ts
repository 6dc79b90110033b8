/**
 * The signalling half: a SIP server that applications drive by drachtio-server's protocol, so that drachtio-srf works
 * on it unchanged. It knows only what SIP says about the media half.
 */
import { createServer, type Server } from 'node:net';
import type { SignallingOptions } from '../options.ts';
import { createSipAgent, type SipAgent, type SipAgentOptions, type SipTimers } from '../sip/index.ts';
import { AppConnection, Routes } from './app-connection.ts';
import { Calls } from './calls.ts';
import { FromApp } from './from-app.ts';
import { FromNetwork } from './from-network.ts';
import { SessionTimers } from './session-timers.ts';
import type { Frame } from './wire.ts';

/** The drachtio-server release that is imitated. The client sends pings from v0.8.2 on. */
const VERSION = 'v0.9.10';
/** Methods passed to the application even for an unknown dialog, because it handles subscriptions. */
const STRAY_METHODS = ['REGISTER', 'MESSAGE', 'OPTIONS', 'INFO', 'NOTIFY', 'SUBSCRIBE', 'PUBLISH'];

export interface Signalling {
  sipPort: number;
  drachtioPort: number;
  /** Number of incoming calls that have not ended. */
  readonly callCount: number;
  close(): Promise<void>;
}

/** A socket could not be bound. `setting` is the invalid option of `SignallingOptions`: the address or the port. */
class ListenError extends Error {
  readonly setting: string;

  constructor(half: 'sip' | 'drachtio', cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    const addressAtFault = cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND';
    this.setting = addressAtFault ? `${half}Address` : `${half}Port`;
  }
}

/** Test settings that no operator needs. */
export interface SignallingTestOptions {
  timers?: Partial<SipTimers>;
  filter?: SipAgentOptions['filter'];
  /** The shortest session timer, in seconds. */
  minSessionSeconds?: number;
}

/** Binds both ports. Rejects with `ListenError`. */
export async function startSignalling(
  options: SignallingOptions,
  test: SignallingTestOptions = {},
): Promise<Signalling> {
  const agent = await createSipAgent({
    address: options.sipAddress,
    port: options.sipPort,
    externalAddress: options.externalAddress,
    strayMethods: STRAY_METHODS,
    lenientDialogs: true,
    maxCalls: options.maxCalls,
    ...test,
  }).catch((cause) => {
    throw new ListenError('sip', cause);
  });
  const server = new AppServer(agent, options.drachtioSecret, test.minSessionSeconds);
  try {
    await server.listen(options.drachtioAddress, options.drachtioPort);
  } catch (cause) {
    await agent.close();
    throw new ListenError('drachtio', cause as NodeJS.ErrnoException);
  }
  return {
    sipPort: agent.port,
    drachtioPort: server.port,
    get callCount() {
      return agent.callCount;
    },
    close: async () => {
      await server.close();
      await agent.close();
    },
  };
}

class AppServer {
  readonly #agent: SipAgent;
  readonly #secret: string;
  readonly #server: Server;
  readonly #connections = new Set<AppConnection>();
  readonly #routes = new Routes();
  readonly #app: FromApp;

  constructor(agent: SipAgent, secret: string, minSessionSeconds?: number) {
    this.#agent = agent;
    this.#secret = secret;
    const calls = new Calls();
    const timers = new SessionTimers(minSessionSeconds);
    const network = new FromNetwork(agent, calls, this.#routes, timers);
    this.#app = new FromApp(agent, calls, network, timers);
    agent.on('request', (transaction) => network.receive(transaction));
    this.#server = createServer((socket) => {
      const hooks = {
        secret: this.#secret,
        greeting: () => this.#greeting(),
        message: (connection: AppConnection, frame: Frame) => this.#message(connection, frame),
        closed: (connection: AppConnection) => this.#closed(connection),
      };
      this.#connections.add(new AppConnection(socket, hooks));
    });
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  listen(address: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, address, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of [...this.#connections]) connection.close();
    return closed;
  }

  #greeting(): string {
    const hostPort = this.#agent.hostPortFor(this.#agent.options.externalAddress ?? '127.0.0.1');
    const hostPorts = `tcp/${hostPort},udp/${hostPort}`;
    return `${hostPorts}|${VERSION}|${hostPorts}`;
  }

  #message(connection: AppConnection, { tokens, message }: Frame): void {
    const [id = '', verb = '', ...rest] = tokens;
    if (verb === 'route' || verb === 'remove_route') {
      if (verb === 'route') this.#routes.add(rest[0] ?? '', connection);
      else this.#routes.forget(connection);
      connection.answer(id, 'OK');
    } else if (verb === 'sip') this.#app.receive(connection, id, rest, message);
    else if (verb === 'proxy') connection.answer(id, 'NOK|proxying is not supported by the built-in engine');
    else connection.refuse(id, 'Unknown message type');
  }

  #closed(connection: AppConnection): void {
    this.#connections.delete(connection);
    this.#routes.forget(connection);
    this.#app.abandon(connection);
  }
}
