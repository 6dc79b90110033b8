/** One FreeSWITCH of the pool: probed, connected, checked periodically, and reconnected. */
import type { ConnectOptions, Endpoint, EslConnection, MediaServer } from 'drachtio-fsmrf';
import Mrf from 'drachtio-fsmrf';
import type { BaseLogger } from 'pino';
import { waitAtMost } from '../../lib/concurrency/time-limit.ts';
import { ResponseTime } from '../load/response-time.ts';
import { type KeySink, NoMedia, SERVER_HEADER } from '../ports.ts';
import { asciiOnly, namesHost, withoutNeedlessOpus } from '../session-description.ts';
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
import { EventFault } from './event-reader.ts';
import { replaceEventSocket } from './event-socket.ts';
import { hasToneDetector, isLogLevelSet, probeServer, SET_LOG_LEVEL } from './probe.ts';

export interface ServerOptions extends ConnectOptions {
  /** Default: `forbidden`. */
  srtp?: SrtpPolicy;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
}

/** Whether to accept encrypted audio (SRTP, with keys in the SDP), and plain audio. */
export type SrtpPolicy = 'forbidden' | 'optional' | 'required';

const PROBE_LIMIT_MS = 3_000;
const CONNECT_LIMIT_MS = 5_000;
const CREATE_LIMIT_MS = 6_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3_000;
const CHECK_EVERY_MS = 10_000;
const CHECK_LIMIT_MS = 3_000;
const UNREGISTER_LIMIT_MS = 1_000;
/**
 * How long calls continue after this connection was lost. Each call has its own, which breaks as well if the server has
 * died.
 */
const LINK_LIMIT_MS = 5_000;

export interface LegOptions {
  onKey: KeySink | null;
  /** Whether it will be bridged to another leg. Its offer is plain audio, so RINGKEY_SRTP=required forbids it. */
  isBeside?: boolean;
  /** Whether to recognize a telephone-event at its second packet and not at its end. */
  takesUnendedKeys?: boolean;
  /** The SIP server to dial it through. */
  sipServer?: string | undefined;
}

/**
 * Read by the dialplan (sip/freeswitch/freeswitch.xml), which sets `rtp_manual_rtp_bugs=IGNORE_DTMF_DURATION`.
 * FreeSWITCH reads that variable when it opens a channel's RTP, and not at a re-INVITE (switch_core_media_activate_rtp,
 * 1.11.2). So it takes a new channel, and one that answers an offer, because a channel that makes an offer opens its
 * RTP before the dialplan. It is not set on every channel: with it, an event of which only the end arrives is no key,
 * nor one whose timestamp increases (handle_rfc2833 in switch_rtp.c).
 */
const UNENDED_KEYS = { 'X-Ringkey-Keys': 'without-end' };

/** The connected server, and the headers of our INVITEs to it. */
interface Connected {
  server: MediaServer;
  headers: Record<string, string>;
  canDetectTones: boolean;
}

export class FreeswitchServer {
  /** Response times to our INVITEs, and to commands of calls on the event socket. */
  readonly answerTime = new ResponseTime();
  readonly replyTime = new ResponseTime();
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
  /** Runs while the connection is lost and calls wait for the next one. */
  #linkTimer: NodeJS.Timeout | null = null;
  #lastFault: string | null = null;
  /** Registrations from a lost connection, to be removed. */
  #left: Record<string, string>[] = [];

  /** Starts connecting. `srf`: dials through the SIP edge. `onChange`: called when {@link up} changes. */
  constructor(srf: object, options: ServerOptions, onChange: () => void) {
    replaceEventSocket();
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

  /** A leg for this offer, or one that makes an offer. @throws NoMedia */
  async createLeg(offerSdp: string | null, options: LegOptions): Promise<EndpointLeg> {
    if (options.isBeside && this.#options.srtp === 'required') throw new NoMedia('encryption');
    const connected = this.#connected;
    const acceptedSdp = offerSdp === null ? null : this.#acceptedSdp(offerSdp);
    if (connected === null) throw new NoMedia('no_server');
    this.#creating += 1;
    try {
      const leg = await this.answerTime.track(this.#endpoint(connected, acceptedSdp, options));
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

  async #endpoint(
    connected: Connected,
    offerSdp: string | null,
    { onKey, isBeside = false, takesUnendedKeys = false, sipServer }: LegOptions,
  ): Promise<EndpointLeg> {
    let late = false;
    const isPlaceheld = isBeside && this.#options.srtp === 'optional';
    const headers = {
      ...connected.headers,
      ...(takesUnendedKeys && UNENDED_KEYS),
      ...(sipServer !== undefined && { [SERVER_HEADER]: sipServer }),
    };
    const made = this.#create({ ...connected, headers }, isPlaceheld ? PLAIN_PLACEHOLDER : offerSdp).then(
      (endpoint) => {
        if (late) void endpoint.destroy().catch(() => undefined);
        return endpoint;
      },
    );
    try {
      const endpoint = await waitAtMost(CREATE_LIMIT_MS, made);
      if (endpoint?.dialog) {
        const { sdp } = endpoint.dialog.remote;
        return new EndpointLeg(endpoint, endpoint.dialog, {
          onKey,
          acceptedSdp: (theirs) => this.#acceptedSdp(theirs),
          localSdp: isPlaceheld ? offerOfAnswer(sdp) : sdp,
          canDetectTones: connected.canDetectTones,
          onReply: (ms) => this.replyTime.note(ms),
        });
      }
    } catch (error) {
      throw new NoMedia(reasonOf(error));
    }
    late = true;
    throw new NoMedia('no_server');
  }

  /** The part of their SDP for the media server. @throws NoMedia */
  #acceptedSdp(sdp: string): string {
    // The library would send an SDP that it does not recognize without a type, or not at all.
    if (!/^v=0\r?\n/.test(sdp)) throw new NoMedia('no_common_codec');
    if (namesHost(sdp)) throw new NoMedia('host_name');
    if (!this.#isTaken(sdp)) throw new NoMedia('encryption');
    return withoutNeedlessOpus(withoutIdleKeys(asciiOnly(sdp)));
  }

  #isTaken(offerSdp: string): boolean {
    const { plain, sdes } = audioOffered(offerSdp);
    const { srtp = 'forbidden' } = this.#options;
    // An offer without audio is refused by the media server.
    if (!plain && !/SAVP/.test(offerSdp)) return srtp !== 'required';
    return (plain && srtp !== 'required') || (sdes && srtp !== 'forbidden');
  }

  async #create({ server, headers }: Connected, offerSdp: string | null): Promise<Endpoint> {
    if (offerSdp === null) return server.createEndpoint({ headers: { ...headers } });
    // The library adds its own headers to the object.
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
        'media server refused: its log would contain callers’ key presses, because it rejects "fsctl loglevel warning"',
      );
    } else if (fault === 'wrong_srtp') {
      log.error(fields, 'media server refused: its FREESWITCH_SRTP does not match RINGKEY_SRTP');
    } else log.warn(fields, 'media server not available');
  }

  /** @returns what went wrong, or null */
  async #openConnection(): Promise<string | null> {
    const connecting = this.#mrf.connect(this.#options).catch(() => null);
    const server = await waitAtMost(CONNECT_LIMIT_MS, connecting);
    if (server === null) return 'not_connected';
    // The library must not reconnect: a lost server is probed again first.
    server.conn.reconnectOpts.maxAttempts = 1;
    // With Nagle's algorithm, a command waits up to 40 ms for the acknowledgment of the one before it.
    server.conn.socket?.setNoDelay(true);
    server._server.server.prependListener('connection', (socket) => socket.setNoDelay(true));
    server.conn.on('error', (error) => this.#logEventFault(error));
    server._server.on('connection::open', (connection) => this.#endOnFault(connection));
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

  /** A leg's connection: an event that cannot be handled ends that leg, and no other. */
  #endOnFault(connection: EslConnection): void {
    connection.on('error', (error) => {
      if (this.#logEventFault(error)) connection.socket?.destroy();
    });
  }

  #logEventFault(error: Error): boolean {
    if (!(error instanceof EventFault)) return false;
    this.#options.log.error({ err: error }, 'event of the media server could not be handled');
    return true;
  }

  /**
   * The media server's offers follow its own setting, which must match ours. The built-in engine, which does not
   * encrypt, has no such setting. FreeSWITCH also answers `-ERR no reply` for an unset variable.
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
    const { address, port, log } = this.#options;
    log.error({ address, port, legs: this.#legs.size, fault }, 'media server lost');
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

  /** A token is valid until it is unregistered, or FreeSWITCH restarts. */
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

/**
 * From FreeSWITCH's response to the INVITE: 400 for an unreadable SDP, 488 for no common codec, 503 at `max-sessions`
 * (or, from drachtio, if it is unreachable).
 */
function reasonOf(error: unknown): NoMedia['reason'] {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  if (status === 400 || status === 415 || status === 488) return 'no_common_codec';
  return status === 503 ? 'full' : 'no_server';
}
