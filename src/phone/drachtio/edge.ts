/** The SIP edge on drachtio-server: one connection, which reconnects by itself, and the calls on it. */
import type { BaseLogger } from 'pino';
import type { CallLeg, DialOptions, IncomingCall, SipEdge } from '../ports.ts';
import { dial, type EdgeConnection } from './dial.ts';
import type { DialogLeg } from './dialog-leg.ts';
import { incomingCall } from './incoming.ts';
import { createSrf, type ServerRequest, type ServerResponse, type SrfLibrary } from './library.ts';
import { unsupported } from './messages.ts';

export interface EdgeOptions {
  host: string;
  port: number;
  secret: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
}

const PING_MS = 15_000;
const RECONNECT_MAX_MS = 2_000;
/** Orphans: dialogs of a lost connection. They get a BYE after the reconnect, if the server still knows them. */
const MAX_ORPHANS = 10_000;
const ORPHAN_AGE_MS = 10 * 60_000;

export class DrachtioEdge implements SipEdge {
  /** For the media adapter, which calls FreeSWITCH through the same server. */
  readonly srf: SrfLibrary = createSrf();
  readonly #log: EdgeOptions['log'];
  readonly #legs = new Set<DialogLeg>();
  #orphans: { dialogId: string; lostAt: number }[] = [];
  #handler: ((call: IncomingCall) => void) | null = null;
  #connected = false;
  #closed = false;
  #connection = new AbortController();

  constructor(options: EdgeOptions) {
    this.#log = options.log;
    this.srf.on('connect', (error, hostPorts, version) => this.#onConnect(error, hostPorts, version));
    this.srf.on('error', (error) => this.#log.warn({ err: error }, 'SIP server connection failed'));
    this.srf.on('close', () => this.#onClose());
    this.srf.invite((req, res) => this.#onInvite(req, res));
    this.srf.options((_req, res) => res.send(200));
    this.srf.connect({
      ...{ host: options.host, port: options.port, secret: options.secret },
      ...{ enablePing: true, pingInterval: PING_MS, reconnect: { retryMaxDelay: RECONNECT_MAX_MS } },
    });
  }

  get connected(): boolean {
    return this.#connected;
  }

  onCall(handler: (call: IncomingCall) => void): void {
    this.#handler = handler;
  }

  dial(uri: string, sdp: string, headers: Record<string, string>, options: DialOptions): Promise<CallLeg> {
    return dial(this.srf, { uri, sdp, headers }, options, this.#edgeConnection());
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
    this.#lose();
  }

  #onInvite(req: ServerRequest, res: ServerResponse): void {
    // Without a Contact there can be no dialog (RFC 3261, 8.1.1.8).
    const extension = unsupported(req.get('Require'));
    if (req.get('Contact') === undefined) res.send(400);
    else if (extension !== null) res.send(420, { headers: { Unsupported: extension } });
    else if (this.#handler === null || this.#closed) res.send(503, { headers: { 'Retry-After': '5' } });
    else this.#handler(incomingCall(this.srf, req, res, this.#edgeConnection()));
  }

  #edgeConnection(): EdgeConnection {
    return { track: (leg) => this.#track(leg), lost: this.#connection.signal };
  }

  #track(leg: DialogLeg): void {
    this.#legs.add(leg);
    void leg.ended.then(() => this.#legs.delete(leg));
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
    }
    this.#connection = new AbortController();
    this.#connected = true;
    this.#log.info({ hostPorts, version }, 'SIP server connected');
    this.#endOrphans();
  }

  #onClose(): void {
    if (!this.#connected) return;
    this.#log.error({ legs: this.#legs.size }, 'SIP server connection lost');
    this.#lose();
  }

  #lose(): void {
    this.#connected = false;
    this.#connection.abort();
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
