/** One FreeSWITCH of the pool: probed, connected, checked while it is up, and reconnected. */
import type { ConnectOptions, Endpoint, MediaServer } from 'drachtio-fsmrf';
import Mrf from 'drachtio-fsmrf';
import type { BaseLogger } from 'pino';
import { waitAtMost } from '../../concurrency/time-limit.ts';
import { NoMedia } from '../ports.ts';
import { namesHost, withoutNeedlessOpus } from '../session-description.ts';
import { registerApp, unregisterApp } from './app-address.ts';
import { tolerateFailedByes } from './bye-failures.ts';
import {
  audioOffered,
  EncryptedOffers,
  offerOfAnswer,
  PLAIN_PLACEHOLDER,
  withoutIdleKeys,
} from './encrypted-offers.ts';
import { EndpointLeg } from './endpoint-leg.ts';
import { isLogLevelSet, probeServer, SET_LOG_LEVEL } from './probe.ts';
import { hasToneDetector } from './tone-detector.ts';

export interface ServerOptions extends ConnectOptions {
  /** `forbidden` where not given. */
  srtp?: SrtpPolicy;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
}

/** Whether encrypted audio (SRTP, with keys in the SDP) is taken, and plain audio. */
export type SrtpPolicy = 'forbidden' | 'optional' | 'required';

const PROBE_LIMIT_MS = 3_000;
const CONNECT_LIMIT_MS = 5_000;
const CREATE_LIMIT_MS = 6_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3_000;
const CHECK_EVERY_MS = 10_000;
const CHECK_LIMIT_MS = 3_000;
const UNREGISTER_LIMIT_MS = 1_000;
/** How long calls go on when this connection has broken: each has one of its own, which breaks as well if the server has died. */
const LINK_LIMIT_MS = 5_000;

/** The server while it is up, and the headers of our INVITEs to it. */
interface Connected {
  server: MediaServer;
  headers: Record<string, string>;
  canDetectTones: boolean;
}

export class FreeswitchServer {
  readonly #mrf: Mrf;
  readonly #options: ServerOptions;
  readonly #onChange: () => void;
  readonly #offers = new EncryptedOffers();
  readonly #legs = new Set<EndpointLeg>();
  #connected: Connected | null = null;
  /** Legs being created; they count as load. */
  #creating = 0;
  #closed = false;
  #pauseMs = FIRST_PAUSE_MS;
  #pause: NodeJS.Timeout | null = null;
  #check: NodeJS.Timeout | null = null;
  /** Runs while the connection is broken and calls wait for the next one. */
  #linkTimer: NodeJS.Timeout | null = null;
  #lastFault: string | null = null;
  /** Registrations that a lost connection has left behind. */
  #left: Record<string, string>[] = [];

  /** Starts connecting. `srf`: the SIP edge's library object. `onChange`: {@link up} has changed. */
  constructor(srf: object, options: ServerOptions, onChange: () => void) {
    this.#onChange = onChange;
    this.#mrf = new Mrf(this.#offers.wrap(tolerateFailedByes(srf)));
    this.#options = options;
    void this.#connect();
  }

  get up(): boolean {
    return this.#connected !== null;
  }

  get load(): number {
    return this.#legs.size + this.#creating;
  }

  /**
   * A leg for this offer, or one that makes an offer, of plain audio if `plain` says so. @throws NoMedia
   */
  async createLeg(offerSdp: string | null, plain = false): Promise<EndpointLeg> {
    const connected = this.#connected;
    const acceptedSdp = offerSdp === null ? null : this.#acceptedSdp(offerSdp);
    if (connected === null) throw new NoMedia('no_server');
    this.#creating += 1;
    try {
      const leg = await this.#endpoint(connected, acceptedSdp, plain);
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
    this.#stopLinkTimer();
    await Promise.all([...this.#legs].map((leg) => leg.destroy()));
    if (this.#connected !== null) {
      const { server, headers } = this.#connected;
      await waitAtMost(UNREGISTER_LIMIT_MS, unregisterApp(server, headers));
    }
    this.#disconnect();
  }

  async #endpoint(connected: Connected, offerSdp: string | null, plain: boolean): Promise<EndpointLeg> {
    let late = false;
    const isPlaceheld = plain && this.#options.srtp === 'optional';
    const made = this.#create(connected, isPlaceheld ? PLAIN_PLACEHOLDER : offerSdp).then((endpoint) => {
      if (late) void endpoint.destroy().catch(() => undefined);
      return endpoint;
    });
    try {
      const endpoint = await waitAtMost(CREATE_LIMIT_MS, made);
      if (endpoint?.dialog) {
        const { sdp } = endpoint.dialog.remote;
        return new EndpointLeg(endpoint, endpoint.dialog, {
          acceptedSdp: (theirs) => this.#acceptedSdp(theirs),
          localSdp: isPlaceheld ? offerOfAnswer(sdp) : sdp,
          canDetectTones: connected.canDetectTones,
        });
      }
    } catch (error) {
      throw new NoMedia(reasonOf(error));
    }
    late = true;
    throw new NoMedia('no_server');
  }

  /** What the media server is given of an SDP of theirs. @throws NoMedia */
  #acceptedSdp(sdp: string): string {
    if (namesHost(sdp)) throw new NoMedia('host_name');
    if (!this.#isTaken(sdp)) throw new NoMedia('encryption');
    return withoutNeedlessOpus(withoutIdleKeys(sdp));
  }

  #isTaken(offerSdp: string): boolean {
    const { plain, sdes } = audioOffered(offerSdp);
    const { srtp = 'forbidden' } = this.#options;
    // No audio at all is the media server's to refuse.
    if (!plain && !/SAVP/.test(offerSdp)) return srtp !== 'required';
    return (plain && srtp !== 'required') || (sdes && srtp !== 'forbidden');
  }

  async #create({ server, headers }: Connected, offerSdp: string | null): Promise<Endpoint> {
    if (offerSdp === null) return server.createEndpoint({ headers: { ...headers } });
    // The library adds headers of its own to the object.
    if (!/SAVP/.test(offerSdp)) return server.createEndpoint({ headers: { ...headers }, remoteSdp: offerSdp });
    return server.createEndpoint({ headers: { ...headers, ...this.#offers.hide(offerSdp) } });
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
    } else if (fault === 'wrong_srtp') {
      log.error(fields, 'media server refused: its FREESWITCH_SRTP does not fit RINGKEY_SRTP');
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
    const headers = server.connected() ? await waitAtMost(CONNECT_LIMIT_MS, registerApp(server)) : null;
    if (headers === null || !server.connected()) {
      server.disconnect();
      return 'not_registered';
    }
    const [fits, canDetectTones] = await Promise.all([
      this.#fitsPolicy(server),
      hasToneDetector(server, this.#options),
    ]);
    if (!fits) {
      server.disconnect();
      return 'wrong_srtp';
    }
    this.#connected = { server, headers, canDetectTones };
    this.#stopLinkTimer();
    this.#onChange();
    void this.#clearLeft(server);
    this.#lastFault = null;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#check = setInterval(() => void this.#checkHealth(server), CHECK_EVERY_MS);
    this.#options.log.info({ address: this.#options.address, port: this.#options.port }, 'media server connected');
    return null;
  }

  /**
   * What the media server offers follows its own setting, so it must be ours. The built-in engine, which encrypts nothing, has
   * none; FreeSWITCH, too, answers a variable that is not set with `-ERR no reply`.
   */
  async #fitsPolicy(server: MediaServer): Promise<boolean> {
    const { srtp = 'forbidden' } = this.#options;
    const setting = (await waitAtMost(CHECK_LIMIT_MS, server.api('global_getvar rtp_secure_media')))?.trim();
    if (srtp === 'forbidden') return setting === 'forbidden' || /^(?:-ERR.*)?$/.test(setting ?? 'no answer');
    return setting === (srtp === 'required' ? 'mandatory' : 'optional');
  }

  /** Detects a half-open connection, and resets the log level if an operator has raised it. */
  async #checkHealth(server: MediaServer): Promise<void> {
    const answer = await waitAtMost(CHECK_LIMIT_MS, server.api(SET_LOG_LEVEL));
    if (answer === null) this.#lose(server, 'timeout');
    else if (!isLogLevelSet(answer)) this.#lose(server, 'chatty_log');
  }

  #lose(server: MediaServer, fault: string): void {
    if (this.#connected?.server !== server) return;
    this.#options.log.error({ legs: this.#legs.size, fault }, 'media server lost');
    this.#left.push(this.#connected.headers);
    this.#disconnect();
    if (fault === 'chatty_log') this.#logFault(fault);
    this.#lastFault = fault;
    if (fault === 'connection_lost') this.#linkTimer ??= setTimeout(() => this.#abandonLegs(), LINK_LIMIT_MS);
    else this.#abandonLegs();
    if (!this.#closed) void this.#connect();
  }

  #abandonLegs(): void {
    for (const leg of [...this.#legs]) leg.abandon();
  }

  #stopLinkTimer(): void {
    if (this.#linkTimer !== null) clearTimeout(this.#linkTimer);
    this.#linkTimer = null;
  }

  /** A token is good until it is taken back, or FreeSWITCH restarts. */
  async #clearLeft(server: MediaServer): Promise<void> {
    for (const headers of this.#left.splice(0)) await waitAtMost(UNREGISTER_LIMIT_MS, unregisterApp(server, headers));
  }

  #disconnect(): void {
    if (this.#check !== null) clearInterval(this.#check);
    this.#check = null;
    this.#connected?.server.disconnect();
    this.#connected = null;
    this.#onChange();
  }
}

/** From FreeSWITCH's response to the INVITE: 488 no common codec, 503 `max-sessions` reached (or, by drachtio, unreachable). */
function reasonOf(error: unknown): NoMedia['reason'] {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  if (status === 488 || status === 415) return 'no_common_codec';
  return status === 503 ? 'full' : 'no_server';
}
