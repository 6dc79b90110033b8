/** One FreeSWITCH of the pool: probed, connected, checked while it is up, and reconnected. */
import type { ConnectOptions, Endpoint, MediaServer } from 'drachtio-fsmrf';
import Mrf from 'drachtio-fsmrf';
import type { BaseLogger } from 'pino';
import { waitAtMost } from '../../concurrency/time-limit.ts';
import { NoMedia } from '../ports.ts';
import { EndpointLeg } from './endpoint-leg.ts';
import { isLogLevelSet, probeServer, SET_LOG_LEVEL } from './probe.ts';
import { tolerateFailedByes } from './bye-failures.ts';

export interface ServerOptions extends ConnectOptions {
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
}

const PROBE_LIMIT_MS = 3_000;
const CONNECT_LIMIT_MS = 5_000;
const CREATE_LIMIT_MS = 6_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3_000;
const CHECK_EVERY_MS = 10_000;
const CHECK_LIMIT_MS = 3_000;

export class FreeswitchServer {
  readonly #mrf: Mrf;
  readonly #options: ServerOptions;
  readonly #legs = new Set<EndpointLeg>();
  #server: MediaServer | null = null;
  /** Legs being created; they count as load. */
  #creating = 0;
  #closed = false;
  #pauseMs = FIRST_PAUSE_MS;
  #pause: NodeJS.Timeout | null = null;
  #check: NodeJS.Timeout | null = null;
  #lastFault: string | null = null;

  /** Starts connecting. `srf`: the SIP edge's library object. */
  constructor(srf: object, options: ServerOptions) {
    this.#mrf = new Mrf(tolerateFailedByes(srf));
    this.#options = options;
    void this.#connect();
  }

  get up(): boolean {
    return this.#server !== null;
  }

  get load(): number {
    return this.#legs.size + this.#creating;
  }

  /** A leg for this offer, or one that makes an offer. @throws NoMedia */
  async createLeg(offerSdp: string | null): Promise<EndpointLeg> {
    const server = this.#server;
    // SRTP: drachtio-fsmrf would treat every such offer as DTLS, which the profile does not have.
    if (offerSdp !== null && /^m=audio .*SAVP/m.test(offerSdp)) throw new NoMedia('no_common_codec');
    if (server === null) throw new NoMedia('no_server');
    this.#creating += 1;
    try {
      const leg = await this.#endpoint(server, offerSdp);
      this.#legs.add(leg);
      void leg.lost.then(() => this.#legs.delete(leg));
      return leg;
    } finally {
      this.#creating -= 1;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#pause !== null) clearTimeout(this.#pause);
    await Promise.all([...this.#legs].map((leg) => leg.destroy()));
    this.#disconnect();
  }

  async #endpoint(server: MediaServer, offerSdp: string | null): Promise<EndpointLeg> {
    let late = false;
    const made = create(server, offerSdp).then((endpoint) => {
      if (late) void endpoint.destroy().catch(() => undefined);
      return endpoint;
    });
    try {
      const endpoint = await waitAtMost(CREATE_LIMIT_MS, made);
      if (endpoint?.dialog) return new EndpointLeg(endpoint, endpoint.dialog);
    } catch (error) {
      throw new NoMedia(reasonOf(error));
    }
    late = true;
    throw new NoMedia('no_server');
  }

  async #connect(): Promise<void> {
    const { address, port, secret } = this.#options;
    const fault = (await probeServer(address, port, secret, PROBE_LIMIT_MS)) ?? (await this.#openConnection());
    if (this.#closed) return this.#disconnect();
    if (fault === null) return;
    if (fault !== this.#lastFault) this.#logFault(fault);
    this.#lastFault = fault;
    this.#pause = setTimeout(() => void this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #logFault(fault: string): void {
    const { address, port, log } = this.#options;
    const fields = { address, port, fault };
    if (fault === 'chatty_log') {
      log.error(
        fields,
        'media server refused: its log would hold the keys callers press, and it does not take "fsctl loglevel warning"',
      );
    } else log.warn(fields, 'media server not available');
  }

  /** @returns what went wrong, or null */
  async #openConnection(): Promise<string | null> {
    const connecting = this.#mrf.connect(this.#options).catch(() => null);
    const server = await waitAtMost(CONNECT_LIMIT_MS, connecting);
    if (server === null) return 'not_connected';
    // No reconnect by the library: after a loss the server is probed again.
    server.conn.reconnectOpts.maxAttempts = 1;
    // The library writes in small pieces; with Nagle's algorithm every command takes 40 ms.
    server.conn.socket?.setNoDelay(true);
    server._server.server.prependListener('connection', (socket) => socket.setNoDelay(true));
    server.on('end', () => this.#lose(server, 'connection_lost'));
    if (!server.connected()) return 'connection_lost';
    this.#server = server;
    this.#lastFault = null;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#check = setInterval(() => void this.#checkHealth(server), CHECK_EVERY_MS);
    this.#options.log.info({ address: this.#options.address, port: this.#options.port }, 'media server connected');
    return null;
  }

  /** Detects a half-open connection, and resets the log level if an operator has raised it. */
  async #checkHealth(server: MediaServer): Promise<void> {
    const answer = await waitAtMost(CHECK_LIMIT_MS, server.api(SET_LOG_LEVEL));
    if (answer === null) this.#lose(server, 'timeout');
    else if (!isLogLevelSet(answer)) this.#lose(server, 'chatty_log');
  }

  #lose(server: MediaServer, fault: string): void {
    if (this.#server !== server) return;
    this.#options.log.error({ legs: this.#legs.size, fault }, 'media server lost');
    this.#disconnect();
    if (fault === 'chatty_log') this.#logFault(fault);
    this.#lastFault = fault;
    for (const leg of [...this.#legs]) leg.abandon();
    if (!this.#closed) void this.#connect();
  }

  #disconnect(): void {
    if (this.#check !== null) clearInterval(this.#check);
    this.#check = null;
    this.#server?.disconnect();
    this.#server = null;
  }
}

async function create(server: MediaServer, offerSdp: string | null): Promise<Endpoint> {
  return server.createEndpoint(offerSdp === null ? {} : { remoteSdp: offerSdp });
}

/** From FreeSWITCH's response to the INVITE: 488 no common codec, 503 `max-sessions` reached (or, by drachtio, unreachable). */
function reasonOf(error: unknown): NoMedia['reason'] {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  if (status === 488 || status === 415) return 'no_common_codec';
  return status === 503 ? 'full' : 'no_server';
}
