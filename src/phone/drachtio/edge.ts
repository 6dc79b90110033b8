/** The SIP edge on drachtio-server: one connection, which reconnects by itself, and the calls on it. */
import type { BaseLogger } from 'pino';
import type { CallLeg, DialOptions, IncomingCall, SipEdge } from '../ports.ts';
import { dial, type EdgeConnection } from './dial.ts';
import type { DialogLeg } from './dialog-leg.ts';
import { incomingCall } from './incoming.ts';
import { createSrf, type ServerRequest, type ServerResponse, type SrfLibrary } from './library.ts';
import { LostDialog } from './lost-dialog.ts';
import { CAPABILITIES, unsupported } from './messages.ts';
import { SESSION_TIMER, type SessionTimerSettings, tooShort } from './session-timer.ts';

export interface EdgeOptions {
  host: string;
  port: number;
  secret: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** Other values are for tests. */
  sessionTimer?: SessionTimerSettings;
}

const PING_MS = 15_000;
const RECONNECT_MAX_MS = 2_000;
/** How long calls go on without a connection to the server: it keeps them, and their audio does not pass through us. */
const LINK_LIMIT_MS = 5_000;
const NEW_CALL_METHODS = ['invite', 'options'];
/** Orphans: dialogs of a lost connection. They get a BYE after the reconnect, if the server still knows them. */
const MAX_ORPHANS = 10_000;
const ORPHAN_AGE_MS = 10 * 60_000;

export class DrachtioEdge implements SipEdge {
  /** For the media adapter, which calls FreeSWITCH through the same server. */
  readonly srf: SrfLibrary = createSrf();
  readonly #log: EdgeOptions['log'];
  readonly #sessionTimer: SessionTimerSettings;
  readonly #legs = new Set<DialogLeg>();
  #orphans: { dialogId: string; lostAt: number }[] = [];
  #handler: ((call: IncomingCall) => void) | null = null;
  #connected = false;
  #closed = false;
  #connection = new AbortController();
  /** Runs while the connection is broken and calls wait for the next one. */
  #linkTimer: NodeJS.Timeout | null = null;

  constructor(options: EdgeOptions) {
    this.#log = options.log;
    this.#sessionTimer = options.sessionTimer ?? SESSION_TIMER;
    this.srf.on('connect', (error, hostPorts, version) => this.#onConnect(error, hostPorts, version));
    this.srf.on('error', (error) => this.#log.warn({ err: error }, 'SIP server connection failed'));
    this.srf.on('close', () => this.#onClose());
    this.srf.invite((req, res) => this.#onInvite(req, res));
    this.srf.options((_req, res) => res.send(200, { headers: CAPABILITIES }));
    this.srf.connect({
      ...{ host: options.host, port: options.port, secret: options.secret },
      ...{ enablePing: true, pingInterval: PING_MS, reconnect: { retryMaxDelay: RECONNECT_MAX_MS } },
    });
    // The library would register at once.
    this.srf.app.client.verbs.clear();
  }

  get connected(): boolean {
    return this.#connected;
  }

  onCall(handler: (call: IncomingCall) => void): void {
    this.#handler = handler;
  }

  /**
   * Registers with the SIP server for INVITE and OPTIONS together: drachtio-server forgets both when one is withdrawn, and a
   * probe of a trunk is to be answered by a process that takes calls.
   */
  takeCalls(taking: boolean): void {
    const agent = this.srf.app.client;
    if (taking === agent.verbs.size > 0) return;
    if (taking) {
      // `route` sends all methods: once for all of them, or the server would count this process twice.
      const [last = '', ...others] = NEW_CALL_METHODS;
      for (const method of others) agent.verbs.set(method, { sent: false });
      agent.route(last);
    } else {
      for (const method of [...agent.verbs.keys()]) agent.removeRoute(method);
      // What is left when there is no connection would be registered on the next one.
      agent.verbs.clear();
    }
    this.#log.info({ taking }, 'registration for new calls changed');
  }

  dial(uri: string, sdp: string, headers: Record<string, string>, options: DialOptions): Promise<CallLeg> {
    return dial(this.srf, { uri, sdp, headers }, options, this.#edgeConnection());
  }

  lostDialog(dialogId: string, localContact: string): LostDialog {
    return new LostDialog(this.srf, dialogId, localContact, () => this.#connected);
  }

  endDialogs(dialogIds: readonly string[]): void {
    const lostAt = Date.now();
    this.#orphans.push(...dialogIds.map((dialogId) => ({ dialogId, lostAt })));
    if (this.#connected) this.#endOrphans();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([...this.#legs].map((leg) => leg.hangUp()));
    this.#disconnect();
    this.#break();
    this.#giveUpLegs();
  }

  #onInvite(req: ServerRequest, res: ServerResponse): void {
    // Without a Contact there can be no dialog (RFC 3261, 8.1.1.8).
    const extension = unsupported(req.get('Require'));
    const shortTimer = tooShort(req, this.#sessionTimer);
    if (req.get('Contact') === undefined) res.send(400);
    else if (extension !== null) res.send(420, { headers: { Unsupported: extension } });
    else if (shortTimer !== null) res.send(422, { headers: shortTimer });
    else if (this.#handler === null || this.#closed) res.send(503, { headers: { 'Retry-After': '5' } });
    else this.#handler(incomingCall(this.srf, req, res, this.#edgeConnection()));
  }

  #edgeConnection(): EdgeConnection {
    const { signal: lost } = this.#connection;
    return { track: (leg) => this.#track(leg), lost, sessionTimer: this.#sessionTimer };
  }

  #track(leg: DialogLeg): void {
    this.#legs.add(leg);
    void leg.ended.then(({ by }) => {
      this.#legs.delete(leg);
      // The BYE could not be sent.
      if (by === 'us' && !this.#connected) this.#orphans.push({ dialogId: leg.dialogId, lostAt: Date.now() });
    });
  }

  #onConnect(error: Error | null, hostPorts: string, version: string): void {
    if (error) {
      this.#log.error({ err: error }, 'SIP server refuses our secret');
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
    this.#log.info({ hostPorts, version }, 'SIP server connected');
    if (this.#linkTimer !== null) clearTimeout(this.#linkTimer);
    this.#linkTimer = null;
    for (const leg of this.#legs) {
      leg.resume(() => this.#log.info({ sipCallId: leg.sipCallId }, 'call goes on after a lost connection'));
    }
    this.#endOrphans();
  }

  #onClose(): void {
    if (!this.#connected) return;
    this.#log.error({ legs: this.#legs.size }, 'SIP server connection lost');
    this.#break();
    this.#linkTimer = setTimeout(() => this.#giveUpLegs(), LINK_LIMIT_MS);
  }

  /** Ends what waits for a response; calls that are up may go on. */
  #break(): void {
    this.#connected = false;
    this.#connection.abort();
  }

  #giveUpLegs(): void {
    if (this.#linkTimer !== null) clearTimeout(this.#linkTimer);
    const lostAt = Date.now();
    for (const leg of this.#legs) {
      this.#orphans.push({ dialogId: leg.dialogId, lostAt });
      leg.lost();
    }
    this.#orphans.splice(0, Math.max(0, this.#orphans.length - MAX_ORPHANS));
  }

  /** When only our connection broke, the server still holds the calls, and their callers would wait in silence. */
  #endOrphans(): void {
    const orphans = this.#orphans.filter(({ lostAt }) => Date.now() - lostAt < ORPHAN_AGE_MS);
    this.#orphans = [];
    for (const { dialogId } of orphans) {
      const bye = { method: 'BYE', stackDialogId: dialogId, headers: {} };
      this.srf.request('sip:placeholder', bye, (error) => {
        this.#log.info({ dialogId, known: !error }, 'call of a lost connection ended');
      });
    }
  }

  #disconnect(): void {
    const { mapServer, wp } = this.srf.app.client;
    if (mapServer.size > 0) this.srf.disconnect();
    // Without a connection drachtio-srf's disconnect throws and its retries go on.
    wp.closing = true;
    if (wp.reconnectVars.retryTimer !== null) clearTimeout(wp.reconnectVars.retryTimer);
  }
}
