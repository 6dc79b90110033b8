/** A drachtio-server: one connection, which reconnects by itself, and the calls on it. */
import type { BaseLogger } from 'pino';
import type { CallLeg, DialOptions, HeldDialog, IncomingCall, SipEdge } from '../ports.ts';
import { dial, type EdgeConnection } from './dial.ts';
import { DialogLeg, type LegSession, type RefusesKeys } from './dialog-leg.ts';
import { incomingCall } from './incoming.ts';
import {
  canMakeDialog,
  createSrf,
  type Dialog,
  type ServerRequest,
  type ServerResponse,
  type SrfLibrary,
} from './library.ts';
import { LostDialog } from './lost-dialog.ts';
import { guardMessages } from './message-guard.ts';
import { CAPABILITIES, contactUri, hasAudioKeys, NO_SDP, OPEN_KEYS, sdpOf, unsupported } from './messages.ts';
import { SESSION_TIMER, type SessionTimerSettings, tooShort } from './session-timer.ts';

export interface EdgeOptions {
  host: string;
  port: number;
  secret: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** With RINGKEY_SRTP=required: refuses SRTP keys that arrive by SIP in the clear. */
  refusesOpenKeys?: boolean;
  /** Set only in tests. */
  sessionTimer?: SessionTimerSettings;
}

const PING_MS = 15_000;
const RECONNECT_MAX_MS = 2_000;
/**
 * How long calls continue without a connection to the server, which their audio does not pass through. A conversation
 * ends before that, because it ends by itself without keys.
 */
const AWAY_LIMIT_MS = 10 * 60_000;
/** How long a server can be away before its calls continue on another one. Longer than a reconnect takes. */
const MOVE_AFTER_MS = 3_000;
/** In seconds. */
const RETRY_AFTER = { 'Retry-After': '5' };
const NEW_CALL_METHODS = ['invite', 'options'];
/** Orphans are dialogs of a lost connection. They get a BYE after the reconnect, if the server still has them. */
const MAX_ORPHANS = 10_000;
const ORPHAN_AGE_MS = 10 * 60_000;

export class DrachtioEdge implements SipEdge {
  /** For the media adapter, which calls FreeSWITCH through the same server. */
  readonly srf: SrfLibrary = createSrf();
  readonly #log: EdgeOptions['log'];
  readonly #refusesOpenKeys: boolean;
  readonly #sessionTimer: SessionTimerSettings;
  readonly #legs = new Set<DialogLeg>();
  #orphans: (HeldDialog & { lostAt: number })[] = [];
  #handler: ((call: IncomingCall) => void) | null = null;
  #taking = false;
  #connected = false;
  #closed = false;
  #connection = new AbortController();
  /** Runs while the connection is lost. */
  #awayTimer: NodeJS.Timeout | null = null;
  #moveTimer: NodeJS.Timeout | undefined;
  #onMove: () => void = () => undefined;
  readonly #other: (edge: DrachtioEdge) => DrachtioEdge | null;
  /** Names this server among others. */
  readonly name: string;

  /** @param other another server that is connected, if there is one */
  constructor(options: EdgeOptions, other: (edge: DrachtioEdge) => DrachtioEdge | null = () => null) {
    this.name = `${options.host}:${options.port}`;
    this.#other = other;
    this.#log = options.log;
    this.#refusesOpenKeys = options.refusesOpenKeys ?? false;
    this.#sessionTimer = options.sessionTimer ?? SESSION_TIMER;
    this.srf.on('connect', (error, hostPorts, version) => this.#onConnect(error, hostPorts, version));
    this.srf.on('error', (error) => this.#log.warn({ server: this.name, err: error }, 'SIP server connection failed'));
    this.srf.on('close', () => this.#onClose());
    this.srf.invite((req, res) => this.#onInvite(req, res));
    this.srf.options((_req, res) => {
      if (this.#taking) res.send(200, { headers: CAPABILITIES });
      else res.send(503, { headers: RETRY_AFTER });
    });
    this.srf.connect({
      host: options.host,
      port: options.port,
      secret: options.secret,
      enablePing: true,
      pingInterval: PING_MS,
      reconnect: { retryMaxDelay: RECONNECT_MAX_MS },
    });
    guardMessages(this.srf.app.client.wp, {
      notHandled: (error, ids) => {
        const leg = [...this.#legs].find(({ dialogId }) => ids.includes(dialogId));
        this.#logFault(error, leg);
        void leg?.hangUp();
      },
      notParsed: ([, , source, , protocol, address]) =>
        this.#log.warn({ source, protocol, address }, 'message of the SIP server could not be parsed: dropped'),
      notReadable: () => this.#log.error({}, 'SIP server sent malformed data: reconnecting'),
    });
    // Otherwise the library would register at once.
    this.srf.app.client.verbs.clear();
  }

  get connected(): boolean {
    return this.#connected;
  }

  get missing(): number {
    return this.#connected ? 0 : 1;
  }

  onCall(handler: (call: IncomingCall) => void): void {
    this.#handler = handler;
  }

  /** Sets the handler, once, of connects, and of connections that are lost for a while: time to {@link moveLegs}. */
  onMove(handler: () => void): void {
    this.#onMove = handler;
  }

  /**
   * Registers with the SIP server for INVITE and OPTIONS together: drachtio-server drops both when one is withdrawn,
   * and a trunk's probe must reach a process that takes calls.
   */
  takeCalls(taking: boolean, refuses = false): void {
    const agent = this.srf.app.client;
    const isRegistered = agent.verbs.size > 0;
    if (taking !== this.#taking) this.#log.info({ taking }, 'registration for new calls changed');
    this.#taking = taking;
    if (isRegistered === (taking || refuses)) return;
    if (!isRegistered) {
      // `route` sends all methods, so it is called only once. Otherwise the server would count this process twice.
      const [last = '', ...others] = NEW_CALL_METHODS;
      for (const method of others) agent.verbs.set(method, { sent: false });
      agent.route(last);
    } else {
      for (const method of [...agent.verbs.keys()]) agent.removeRoute(method);
      // A method that remains while there is no connection would be registered on the next one.
      agent.verbs.clear();
    }
  }

  dial(uri: string, sdp: string, headers: Record<string, string>, options: DialOptions): Promise<CallLeg> {
    return dial(this.srf, { uri, sdp, headers }, options, this.#edgeConnection());
  }

  lostDialog(dialog: HeldDialog & { localContact: string }): LostDialog {
    const { dialogId: id, localContact: contact, facts } = dialog;
    return new LostDialog(this.srf, { id, contact, facts }, () => this.#connected);
  }

  endDialogs(dialogs: readonly HeldDialog[]): void {
    const lostAt = Date.now();
    this.#orphans.push(...dialogs.map(({ dialogId, facts }) => ({ dialogId, facts, lostAt })));
    if (this.#connected) this.#endOrphans();
    else if (this.#awayTimer !== null) this.#moveOrphans();
  }

  /** Continues calls whose server is away on another one, if there is one. */
  moveLegs(): void {
    const next = this.#connected ? this : this.#other(this);
    if (next === null || this.#closed) return;
    for (const leg of this.#legs) {
      const fields = { sipCallId: leg.sipCallId, server: next.name };
      const goesOn = () => this.#log.info(fields, 'call continues on another SIP server');
      leg.moveTo(next.srf, () => next.connected, goesOn);
    }
    if (next !== this) this.#moveOrphans();
  }

  #moveOrphans(): void {
    const other = this.#other(this);
    if (other === null) return;
    other.endDialogs(this.#orphans.filter(({ facts }) => facts !== null));
    // Only this server can end the others.
    this.#orphans = this.#orphans.filter(({ facts }) => facts === null);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([...this.#legs].map((leg) => leg.hangUp()));
    this.#disconnect();
    this.#break();
    this.#giveUpLegs();
  }

  /** A message that cannot be handled ends its call, and no other. */
  #logFault(error: unknown, leg: DialogLeg | undefined): void {
    this.#log.error({ err: error, sipCallId: leg?.sipCallId }, 'message of the SIP server could not be handled');
  }

  #onInvite(req: ServerRequest, res: ServerResponse): void {
    const extension = unsupported(req.get('Require'));
    const shortTimer = tooShort(req, this.#sessionTimer);
    const sdp = sdpOf(req.body, req.get('Content-Type'));
    if (contactUri(req.get('Contact')) === null || !canMakeDialog(req)) res.send(400);
    else if (sdp === null) res.send(415, { headers: NO_SDP });
    else if (this.#refusesKeys(req, sdp)) res.send(488, { headers: OPEN_KEYS });
    else if (extension !== null) res.send(420, { headers: { Unsupported: extension } });
    else if (shortTimer !== null) res.send(422, { headers: shortTimer });
    else if (this.#handler === null || this.#closed) res.send(503, { headers: RETRY_AFTER });
    else this.#handler(incomingCall(this.srf, req, res, this.#edgeConnection()));
  }

  /** Without an offer the keys would be in ours, over the same connection. */
  #refusesKeys({ method, protocol }: Parameters<RefusesKeys>[0], sdp: string): boolean {
    if (!this.#refusesOpenKeys || /^(?:tls|wss)$/i.test(protocol)) return false;
    return hasAudioKeys(sdp) || (method === 'INVITE' && sdp === '');
  }

  #edgeConnection(): EdgeConnection {
    const { signal: lost } = this.#connection;
    return {
      server: this.name,
      newLeg: (dialog, session) => this.#newLeg(dialog, session),
      endDialog: (dialogId) => this.endDialogs([{ dialogId, facts: null }]),
      isConnected: () => this.#connected,
      lost,
      sessionTimer: this.#sessionTimer,
      refusesKeys: (message, sdp) => this.#refusesKeys(message, sdp),
    };
  }

  #newLeg(dialog: Dialog, session: Pick<LegSession, 'onKey' | 'timer' | 'minSeconds'>): DialogLeg {
    const leg: DialogLeg = new DialogLeg(this.srf, dialog, {
      ...session,
      server: this.name,
      refusesKeys: (message, sdp) => this.#refusesKeys(message, sdp),
      isConnected: () => this.#connected,
      onFault: (error) => this.#logFault(error, leg),
    });
    this.#legs.add(leg);
    if (!this.#connected) leg.detach();
    void leg.ended.then(({ by }) => {
      this.#legs.delete(leg);
      // The BYE could not be sent.
      if (by === 'us' && leg.away) this.endDialogs([leg]);
    });
    return leg;
  }

  #onConnect(error: Error | null, hostPorts: string, version: string): void {
    if (error) {
      this.#log.error({ server: this.name, err: error }, 'SIP server rejects DRACHTIO_SECRET');
      return;
    }
    if (this.#closed) {
      this.#disconnect();
      return;
    }
    for (const socket of this.srf.app.client.mapServer.keys()) {
      // drachtio-srf does this for its first connection only.
      socket.setNoDelay(true);
      socket.setKeepAlive(true, PING_MS);
      for (const dialog of this.srf._dialogs.values()) dialog.req.socket = socket;
    }
    this.#connection = new AbortController();
    this.#connected = true;
    this.#log.info({ server: this.name, hostPorts, version }, 'SIP server connected');
    this.#stopTimers();
    for (const leg of this.#legs) {
      leg.resume(() => this.#log.info({ sipCallId: leg.sipCallId }, 'call continues after a lost connection'));
    }
    this.#endOrphans();
    this.#onMove();
  }

  #stopTimers(): void {
    clearTimeout(this.#moveTimer);
    if (this.#awayTimer !== null) clearTimeout(this.#awayTimer);
    this.#awayTimer = null;
  }

  #onClose(): void {
    if (!this.#connected) return;
    this.#log.error({ server: this.name, legs: this.#legs.size }, 'SIP server connection lost');
    this.#break();
    for (const leg of this.#legs) leg.detach();
    this.#awayTimer = setTimeout(() => this.#giveUpLegs(), AWAY_LIMIT_MS);
    this.#moveTimer = setTimeout(() => this.#onMove(), MOVE_AFTER_MS);
  }

  /** Ends everything that waits for a response. Live calls may continue. */
  #break(): void {
    this.#connected = false;
    this.#connection.abort();
  }

  #giveUpLegs(): void {
    const away = [...this.#legs].filter((leg) => leg.away);
    this.endDialogs(away);
    this.#stopTimers();
    for (const leg of away) leg.lost();
    this.#orphans.splice(0, Math.max(0, this.#orphans.length - MAX_ORPHANS));
  }

  /**
   * Sends a BYE in dialogs of a lost connection, which the server still has or has forgotten. Otherwise their callers
   * would wait in silence.
   */
  #endOrphans(): void {
    const orphans = this.#orphans.filter(({ lostAt }) => Date.now() - lostAt < ORPHAN_AGE_MS);
    this.#orphans = [];
    for (const { dialogId, facts } of orphans) {
      const dialog = this.lostDialog({ dialogId, facts, localContact: facts?.contact ?? '' });
      dialog.hangUp((known) => this.#log.info({ dialogId, known }, 'call of a lost connection ended'));
    }
  }

  #disconnect(): void {
    const { mapServer, wp } = this.srf.app.client;
    if (mapServer.size > 0) this.srf.disconnect();
    // Without a connection, drachtio-srf's disconnect throws, and its retries continue.
    wp.closing = true;
    if (wp.reconnectVars.retryTimer !== null) clearTimeout(wp.reconnectVars.retryTimer);
  }
}
