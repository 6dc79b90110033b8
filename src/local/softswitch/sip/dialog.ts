/** Dialogs (RFC 3261 12): tags, route set, remote target, a CSeq each way, the ACK of a 2xx, and the end. */
import { EventEmitter } from 'node:events';
import type { ClientTransaction } from './client-transaction.ts';
import { composeRequest, fromBag, newBranch } from './compose.ts';
import type { Core } from './core.ts';
import { cseqOf, headerList, headerValue } from './message.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { DialogEnd, HeaderBag, InDialogRequest, Peer, SipMessage, SipRequest, SipResponse } from './types.ts';
import { parseNameAddr, parseSipUri, withoutParams } from './uri.ts';

interface DialogEvents {
  /** A request in the dialog (never ACK or CANCEL). If there is no listener, the agent emits `request` instead. */
  request: [transaction: ServerTransaction];
  /** The first ACK of our 2xx, with its INVITE transaction; its body is the answer to an offer in the 2xx. */
  ack: [ack: SipRequest, transaction: ServerTransaction];
  /** Emitted once. */
  ended: [end: DialogEnd];
}

/** The interface of the SIP agent to its dialogs. */
export interface DialogHooks {
  request(dialog: Dialog, options: InDialogRequest): ClientTransaction;
  send(dialog: Dialog, request: SipRequest): void;
  ended(dialog: Dialog): void;
}

/** The state of a new dialog, from the message that creates it (RFC 3261 12.1). */
interface DialogSeed {
  role: 'uac' | 'uas';
  callId: string;
  localTag: string;
  remoteTag: string;
  /** From and To values without their tags. */
  local: string;
  remote: string;
  remoteTarget: string;
  routeSet: string[];
  localSeq: number;
  remoteSeq: number | undefined;
  flow: Peer;
}

export class Dialog extends EventEmitter<DialogEvents> {
  readonly role: 'uac' | 'uas';
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** The peer of its first message. */
  readonly flow: Peer;
  state: 'early' | 'confirmed' | 'ending' | 'ended' = 'early';
  remoteTarget: string;
  routeSet: string[];
  readonly #core: Core;
  readonly #hooks: DialogHooks;
  readonly #local: string;
  readonly #remote: string;
  #localSeq: number;
  #remoteSeq: number | undefined;
  #inviteSeq: number;
  #lastAck: SipRequest | undefined;
  #inviteOut: ClientTransaction | undefined;
  #inviteIn: ServerTransaction | undefined;

  constructor(core: Core, hooks: DialogHooks, seed: DialogSeed) {
    super();
    this.#core = core;
    this.#hooks = hooks;
    this.role = seed.role;
    this.callId = seed.callId;
    this.localTag = seed.localTag;
    this.remoteTag = seed.remoteTag;
    this.flow = seed.flow;
    this.remoteTarget = seed.remoteTarget;
    this.routeSet = seed.routeSet;
    this.#local = seed.local;
    this.#remote = seed.remote;
    this.#localSeq = seed.localSeq;
    this.#inviteSeq = seed.localSeq;
    this.#remoteSeq = seed.remoteSeq;
  }

  /** drachtio-server's ID of the dialog: Call-ID and From tag of the first request, from either side. */
  get id(): string {
    return `${this.callId};from-tag=${this.role === 'uas' ? this.remoteTag : this.localTag}`;
  }

  get key(): string {
    return dialogKey(this.callId, this.localTag, this.remoteTag);
  }

  /** Whether requests can still be sent in the dialog. */
  get alive(): boolean {
    return this.state === 'early' || this.state === 'confirmed';
  }

  /** Sends a request in the dialog. In an ended dialog its `final` is a local 481. */
  request(options: InDialogRequest): ClientTransaction {
    const transaction = this.#hooks.request(this, options);
    if (options.method === 'INVITE') this.#inviteOut = transaction;
    return transaction;
  }

  /** Hangs up with a BYE; any answer to it ends the dialog. */
  bye(headers: HeaderBag = {}): ClientTransaction {
    return this.request({ method: 'BYE', headers });
  }

  /**
   * ACKs the last 2xx to our INVITE and keeps the ACK for repeated 2xx. Needed only after `ack: 'manual'`. Returns the
   * ACK as sent; undefined if there is nothing to ACK.
   */
  ack(options: { headers?: HeaderBag; body?: string } = {}): SipRequest | undefined {
    if (this.state === 'ended') return undefined;
    const ack = this.compose({ method: 'ACK', ...options }, this.flow, this.#inviteSeq);
    this.#lastAck = ack;
    this.#hooks.send(this, ack);
    return ack;
  }

  /** Handles a repeated 2xx to our INVITE: sends the same ACK again, if there was one (RFC 3261 13.2.2.4). */
  repeatAck(): void {
    if (this.#lastAck) this.#hooks.send(this, this.#lastAck);
  }

  /** Ends the dialog without a message. */
  drop(): void {
    this.end({ by: 'local', cause: 'closed' });
  }

  // Methods for the agent only:

  nextSeq(): number {
    this.#localSeq++;
    return this.#localSeq;
  }

  /** A digest retry by the application has its own CSeq; one that is not above the last one sent is replaced. */
  takeSeq(method: string, given: string | undefined): number {
    const wanted = Number(given?.split(' ')[0]);
    this.#localSeq = Number.isInteger(wanted) && wanted > this.#localSeq ? wanted : this.#localSeq + 1;
    if (method === 'INVITE') {
      this.#inviteSeq = this.#localSeq;
      this.#lastAck = undefined;
    }
    return this.#localSeq;
  }

  /** Remembers the CSeq of the INVITE whose 2xx will be ACKed (it changes with a digest retry). */
  noteInviteSeq(request: SipRequest | undefined): void {
    const seq = request && cseqOf(request);
    if (seq?.method === 'INVITE') this.#inviteSeq = seq.number;
    if (seq && seq.number > this.#localSeq) this.#localSeq = seq.number;
  }

  compose(
    options: { method: string; headers?: HeaderBag | undefined; body?: string | undefined },
    peer: Peer,
    cseq: number,
  ): SipRequest {
    const { uri, routes } = this.#routing();
    const withContact = ['INVITE', 'UPDATE', 'SUBSCRIBE', 'REFER', 'NOTIFY'].includes(options.method);
    return composeRequest({
      method: options.method,
      uri,
      via: this.#core.via(peer, newBranch()),
      from: `${this.#local};tag=${this.localTag}`,
      to: this.remoteTag === '' ? this.#remote : `${this.#remote};tag=${this.remoteTag}`,
      callId: this.callId,
      cseq,
      maxForwards: '70',
      contact: fromBag(options.headers, 'Contact') ?? (withContact ? this.#core.contact(peer) : undefined),
      routes,
      headers: options.headers,
      body: options.body,
    });
  }

  /** Destination of the next request: first route or remote target (RFC 3261 12.2.1.1). */
  nextHop(): string {
    const first = this.routeSet[0];
    return first === undefined ? this.remoteTarget : (parseNameAddr(first)?.uri ?? this.remoteTarget);
  }

  #routing(): { uri: string; routes: string[] } {
    const first = this.routeSet[0] === undefined ? undefined : parseNameAddr(this.routeSet[0])?.uri;
    if (first === undefined) return { uri: this.remoteTarget, routes: [] };
    if (parseSipUri(first)?.params.lr !== undefined) return { uri: this.remoteTarget, routes: this.routeSet };
    return { uri: first, routes: [...this.routeSet.slice(1), `<${this.remoteTarget}>`] };
  }

  /** Checks an incoming request; returns the status that refuses it (RFC 3261 12.2.2, 14.2), or undefined. */
  accept(transaction: ServerTransaction): number | undefined {
    const seq = cseqOf(transaction.request)?.number ?? 0;
    const strict = !this.#core.lenientDialogs;
    if (strict && this.#remoteSeq !== undefined && seq <= this.#remoteSeq) return 500;
    this.#remoteSeq = Math.max(seq, this.#remoteSeq ?? 0);
    if (transaction.method === 'INVITE') {
      if (strict && this.#inviteOut && !this.#inviteOut.finished) return 491;
      if (this.#inviteIn && !this.#inviteIn.answered) return 500;
      this.#inviteIn = transaction;
    }
    if (transaction.method === 'INVITE' || transaction.method === 'UPDATE') this.refreshTarget(transaction.request);
    return undefined;
  }

  /** Records the INVITE that created the dialog, on the answering side. */
  startedBy(transaction: ServerTransaction): void {
    this.#inviteIn = transaction;
  }

  refreshTarget(message: SipMessage): void {
    const contact = headerList(message, 'Contact')[0];
    const uri = contact === undefined ? undefined : parseNameAddr(contact)?.uri;
    if (uri !== undefined && parseSipUri(uri)) this.remoteTarget = uri;
  }

  receiveAck(ack: SipRequest): void {
    const invite = this.#inviteIn;
    if (!invite || cseqOf(ack)?.number !== cseqOf(invite.request)?.number) return;
    this.#inviteIn = undefined;
    invite.acked();
    this.emit('ack', ack, invite);
  }

  end(end: DialogEnd): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    if (this.#inviteIn?.awaitingAck) this.#inviteIn.acked();
    this.#hooks.ended(this);
    this.emit('ended', end);
  }
}

/** Our key of a dialog (RFC 3261 12). */
export function dialogKey(callId: string, localTag: string, remoteTag: string): string {
  return `${callId}|${localTag}|${remoteTag}`;
}

/** The key of the dialog of an incoming request, whose To tag is ours. */
export function keyOfRequest(request: SipRequest, tags: { from: string; to: string }): string {
  return dialogKey(headerValue(request, 'Call-ID') ?? '', tags.to, tags.from);
}

/** The dialog that our 101–299 to an incoming INVITE creates (RFC 3261 12.1.1). */
export function uasSeed(transaction: ServerTransaction, remoteTag: string): DialogSeed {
  const { request, from, localTag } = transaction;
  const contact = parseNameAddr(headerList(request, 'Contact')[0] ?? '')?.uri;
  const remote = headerValue(request, 'From') ?? '';
  return {
    role: 'uas',
    callId: headerValue(request, 'Call-ID') ?? '',
    localTag,
    remoteTag,
    local: withoutParams(headerValue(request, 'To') ?? ''),
    remote: withoutParams(remote),
    remoteTarget: contact ?? parseNameAddr(remote)?.uri ?? request.uri,
    routeSet: headerList(request, 'Record-Route'),
    localSeq: cseqOf(request)?.number ?? 0,
    remoteSeq: cseqOf(request)?.number,
    flow: from,
  };
}

/** The dialog that an answer with a To tag to our INVITE creates (RFC 3261 12.1.2). */
export function uacSeed(
  request: SipRequest,
  response: SipResponse,
  tags: { from: string; to: string },
  flow: Peer,
): DialogSeed {
  const contact = parseNameAddr(headerList(response, 'Contact')[0] ?? '')?.uri;
  return {
    role: 'uac',
    callId: headerValue(request, 'Call-ID') ?? '',
    localTag: tags.from,
    remoteTag: tags.to,
    local: withoutParams(headerValue(request, 'From') ?? ''),
    remote: withoutParams(headerValue(request, 'To') ?? ''),
    remoteTarget: contact ?? request.uri,
    routeSet: headerList(response, 'Record-Route').reverse(),
    localSeq: cseqOf(request)?.number ?? 1,
    remoteSeq: undefined,
    flow,
  };
}
