/**
 * A SIP user agent on one address: incoming requests are events, outgoing ones are objects.
 *
 * - Answering: `agent.on('request', (transaction) => transaction.respond(200, { body: sdp }))`. An INVITE's
 *   `transaction.dialog` exists from the first 101–299 on; its events are `ack` and `ended`.
 * - Calling: `agent.request({ method: 'INVITE', uri, body })` → `response` events and `final`; `dialog` from the first
 *   answer with a tag; a 2xx is ACKed by the stack unless `ack: 'manual'`.
 * - In a dialog: `dialog.request({ method: 'INFO', … })`, `dialog.bye()`, `dialog.on('request', …)`. A listener that
 *   receives a BYE must answer it; without a listener the stack answers 200.
 */
import { EventEmitter } from 'node:events';
import { LocalAddresses, Resolver } from './addresses.ts';
import { KNOWN_METHODS } from './checks.ts';
import { ClientTransaction } from './client-transaction.ts';
import { bagList, composeRequest, fromBag, newBranch, randomToken } from './compose.ts';
import type { Core } from './core.ts';
import { type Dialog, dialogKey } from './dialog.ts';
import { DialogStore } from './dialog-store.ts';
import { Incoming } from './incoming.ts';
import { headerValue, serialize } from './message.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { RFC3261_TIMERS } from './timers.ts';
import { SipTransport } from './transport.ts';
import type { InDialogRequest, OutgoingRequest, Peer, SipAgentOptions, SipMessage, SipRequest } from './types.ts';
import { hostInUri, parseSipUri, parseVia, tagOf } from './uri.ts';

interface SipAgentEvents {
  /**
   * Every request except ACK and CANCEL that no dialog listener has handled. In a dialog, `transaction.dialog` is set.
   */
  request: [transaction: ServerTransaction];
}

const DIALOG_FORMING = ['INVITE', 'SUBSCRIBE', 'REFER', 'UPDATE'];

export class SipAgent extends EventEmitter<SipAgentEvents> {
  readonly options: SipAgentOptions;
  readonly #transport: SipTransport;
  readonly #addresses: LocalAddresses;
  readonly #resolver = new Resolver();
  readonly #core: Core;
  readonly #dialogs: DialogStore;
  readonly #incoming: Incoming;
  #closed = false;

  constructor(options: SipAgentOptions) {
    super();
    this.options = options;
    this.#transport = new SipTransport(options.address, {
      filter: options.filter,
      idleLimitMs: options.timers?.idleLimitMs ?? RFC3261_TIMERS.idleLimitMs,
      inUse: (peer) => this.#inUse(peer),
    });
    this.#addresses = new LocalAddresses(options.address, options.externalAddress);
    this.#core = this.#makeCore();
    this.#dialogs = new DialogStore(
      this.#core,
      (dialog, request) => this.#inDialog(dialog, request),
      (dialog, request) => this.#sendInDialog(dialog, request),
    );
    this.#incoming = new Incoming(this.#core, this.#dialogs, {
      allow: options.allow ?? KNOWN_METHODS,
      strayMethods: options.strayMethods ?? [],
      maxCalls: options.maxCalls ?? 500,
      request: (transaction) => this.listenerCount('request') > 0 && this.emit('request', transaction),
    });
    this.#transport.on('data', (data, peer, stream) => this.#incoming.receive(data, peer, stream, this.#seen));
    this.#transport.on('broken', (data, peer) => this.#incoming.refuseBroken(data, peer));
  }

  /** Binds the sockets; rejects with the system's error, e.g. EADDRINUSE. */
  async start(): Promise<void> {
    await this.#transport.start(this.options.port);
    await this.#addresses.start();
  }

  /** The bound port, UDP and TCP. */
  get port(): number {
    return this.#transport.port;
  }

  /** Every dialog that has not ended. */
  get dialogs(): Iterable<Dialog> {
    return this.#dialogs.all();
  }

  /** Number of incoming calls, including ringing ones. */
  get callCount(): number {
    return this.#incoming.callCount;
  }

  /** Our `host:port` for a peer at this address. */
  hostPortFor(address: string): string {
    return `${hostInUri(this.#addresses.towards(address))}:${this.port}`;
  }

  findDialog(callId: string, localTag: string, remoteTag: string): Dialog | undefined {
    return this.#dialogs.get(dialogKey(callId, localTag, remoteTag));
  }

  /**
   * Sends a request outside any dialog. The given From (its tag is added if missing), To, Call-ID, CSeq number,
   * Contact, Max-Forwards and Route replace the stack's own.
   */
  request(options: OutgoingRequest): ClientTransaction {
    const fromTag = tagOf(fromBag(options.headers, 'From')) ?? randomToken(7);
    const callId = fromBag(options.headers, 'Call-ID') ?? `${randomToken(12)}`;
    let cseq = cseqNumber(fromBag(options.headers, 'CSeq')) ?? 1 + Math.floor(Math.random() * 1_000_000);
    const transaction: ClientTransaction = new ClientTransaction(this.#core, options.method, {
      target: () => this.#target(options),
      compose: (peer) => this.#compose(options, peer, { fromTag, callId, cseq }),
      nextCseq: () => ++cseq,
      auth: options.auth,
      ...this.#dialogs.followInvite(() => transaction, options.ack ?? 'auto'),
    });
    void transaction.start();
    return transaction;
  }

  /** Sends bytes unchanged, for tests. */
  sendRaw(data: string | Buffer, peer: Peer): void {
    this.#transport.send(data, peer, () => undefined);
  }

  /** Closes the sockets and drops all state without sending BYE. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#incoming.close();
    for (const machine of [...this.#core.machines.values()]) machine.terminate();
    this.#dialogs.close();
    await this.#transport.close();
  }

  /** Whether requests or responses may still need the open connection to this peer. */
  #inUse(peer: Peer): boolean {
    const isSame = (other: Peer) =>
      other.transport === peer.transport && other.address === peer.address && other.port === peer.port;
    for (const { flow } of this.#dialogs.all()) if (isSame(flow)) return true;
    for (const machine of this.#core.machines.values()) if (isSame(machine.peer)) return true;
    return this.#incoming.hasUnanswered(isSame);
  }

  readonly #seen = (message: SipMessage, peer: Peer) => this.options.onMessage?.('in', message, peer);

  #makeCore(): Core {
    const agent = this;
    return {
      timers: { ...RFC3261_TIMERS, ...this.options.timers },
      machines: new Map(),
      lenientDialogs: this.options.lenientDialogs ?? false,
      get closed() {
        return agent.#closed;
      },
      send: (message, peer, failed = () => undefined) => {
        if (this.#closed) return;
        this.options.onMessage?.('out', message, peer);
        this.#transport.send(serialize(message), peer, failed);
      },
      replyPeer: (peer, request) => this.#replyPeer(peer, request),
      contact: (peer) => this.#contact(peer),
      via: (peer, branch) =>
        `SIP/2.0/${peer.transport.toUpperCase()} ${this.hostPortFor(peer.address)};rport;branch=${branch}`,
    };
  }

  #contact(peer: Peer): string {
    return `<sip:${this.hostPortFor(peer.address)}${peer.transport === 'tcp' ? ';transport=tcp' : ''}>`;
  }

  /** RFC 3261 18.2.2: the connection that the request used; if it is gone, a new one to the sent-by port. */
  #replyPeer(peer: Peer, request: SipRequest): Peer {
    if (peer.transport === 'udp' || this.#transport.hasConnection(peer)) return peer;
    const via = parseVia(headerValue(request, 'Via') ?? '');
    return { ...peer, port: via?.port ?? 5060 };
  }

  #target(options: OutgoingRequest): Promise<Peer> {
    const route = bagList(options.headers, 'Route')[0]?.match(/<([^>]*)>/)?.[1];
    const uri = parseSipUri(options.proxy ?? route ?? options.uri);
    if (!uri) return Promise.reject(new Error('not a sip: URI'));
    return this.#resolver.target(uri);
  }

  #compose(options: OutgoingRequest, peer: Peer, ids: { fromTag: string; callId: string; cseq: number }): SipRequest {
    const { headers, method, uri, body } = options;
    const own = `<sip:${this.hostPortFor(peer.address)}>`;
    const contact = fromBag(headers, 'Contact');
    const agentHeader = fromBag(headers, 'User-Agent') === undefined ? { 'User-Agent': this.options.userAgent } : {};
    return composeRequest({
      method,
      uri,
      via: this.#core.via(peer, newBranch()),
      from: withTag(fromBag(headers, 'From') ?? own, ids.fromTag),
      to: fromBag(headers, 'To') ?? `<${uri.split('?')[0]}>`,
      callId: ids.callId,
      cseq: ids.cseq,
      maxForwards: fromBag(headers, 'Max-Forwards') ?? '70',
      contact: contact ?? (DIALOG_FORMING.includes(method) ? this.#contact(peer) : undefined),
      routes: bagList(headers, 'Route'),
      headers: { ...headers, ...agentHeader },
      body,
    });
  }

  #inDialog(dialog: Dialog, options: InDialogRequest): ClientTransaction {
    const cseq = dialog.takeSeq(options.method, fromBag(options.headers, 'CSeq'));
    const transaction: ClientTransaction = new ClientTransaction(this.#core, options.method, {
      target: () => this.#inDialogTarget(dialog),
      compose: (peer) => dialog.compose(options, peer, cseq),
      nextCseq: () => dialog.takeSeq(options.method, undefined),
      auth: options.auth,
      ...this.#dialogs.followInDialog(dialog, () => transaction, options.ack ?? 'auto'),
    });
    transaction.dialog = dialog;
    if (!dialog.alive) transaction.failLocally(481);
    else {
      if (options.method === 'BYE') dialog.state = 'ending';
      void transaction.start();
    }
    return transaction;
  }

  /** Reuses the TCP connection of the dialog while the target is the same host (RFC 5923). */
  async #inDialogTarget(dialog: Dialog): Promise<Peer> {
    const uri = parseSipUri(dialog.nextHop());
    if (!uri) throw new Error('the remote target is no sip: URI');
    const target = await this.#resolver.target(uri, this.#transport.hasConnection(dialog.flow) ? 'tcp' : 'udp');
    const sameHost = target.address === dialog.flow.address && target.transport === 'tcp';
    return sameHost && this.#transport.hasConnection(dialog.flow) ? dialog.flow : target;
  }

  #sendInDialog(dialog: Dialog, request: SipRequest): void {
    this.#inDialogTarget(dialog).then(
      (peer) => this.#core.send(request, peer),
      // If the ACK cannot be delivered, the peer repeats its 2xx and gives up on its own.
      () => undefined,
    );
  }
}

function withTag(value: string, tag: string): string {
  if (tagOf(value) !== undefined) return value;
  return value.includes('<') ? `${value};tag=${tag}` : `<${value.split(';')[0]}>;tag=${tag}`;
}

function cseqNumber(value: string | undefined): number | undefined {
  const number = Number(value?.split(' ')[0]);
  return Number.isInteger(number) && number >= 0 && number < 2 ** 31 ? number : undefined;
}

/** Creates an agent and binds it. Rejects with the system's error if the port is in use. */
export async function createSipAgent(options: SipAgentOptions): Promise<SipAgent> {
  const agent = new SipAgent(options);
  await agent.start();
  return agent;
}
