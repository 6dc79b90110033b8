/** Dispatches incoming SIP messages to a transaction, a dialog or the application, or refuses them. */
import { isAnswerable, refusal, requestProblem } from './checks.ts';
import { clientKey } from './client-machine.ts';
import { composeResponse, randomToken } from './compose.ts';
import type { Core } from './core.ts';
import { type Dialog, keyOfRequest } from './dialog.ts';
import type { DialogStore } from './dialog-store.ts';
import { cseqOf, headerValue, isRequest, MAX_HEADER_BYTES, parseMessage } from './message.ts';
import { ServerTransaction, serverKey, stampVia } from './server-transaction.ts';
import type { HeaderBag, Peer, SipMessage, SipRequest, SipResponse } from './types.ts';
import { tagOf } from './uri.ts';

/** In a flood, new requests beyond this limit are dropped until transactions end. */
const MAX_TRANSACTIONS = 20_000;
const RETRY_AFTER_SECONDS = '10';

interface IncomingOptions {
  allow: readonly string[];
  strayMethods: readonly string[];
  maxCalls: number;
  /** Passes a request to the application; false if there is no listener. */
  request(transaction: ServerTransaction): boolean;
}

export class Incoming {
  readonly #core: Core;
  readonly #dialogs: DialogStore;
  readonly #options: IncomingOptions;
  readonly #transactions = new Map<string, ServerTransaction>();
  /** Initial INVITEs whose call has not ended. */
  readonly #calls = new Set<ServerTransaction>();

  constructor(core: Core, dialogs: DialogStore, options: IncomingOptions) {
    this.#core = core;
    this.#dialogs = dialogs;
    this.#options = options;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  close(): void {
    for (const transaction of this.#transactions.values()) transaction.terminate();
    this.#transactions.clear();
    this.#calls.clear();
  }

  receive(data: Buffer, peer: Peer, stream: boolean, seen: (message: SipMessage, peer: Peer) => void): void {
    if (this.#core.closed) return;
    const parsed = parseMessage(data, stream);
    if (!parsed) return;
    const { message, problem } = parsed;
    if (problem === undefined) seen(message, peer);
    if (!isRequest(message)) {
      if (problem === undefined) this.#response(message);
      return;
    }
    const wrong = problem ?? requestProblem(message);
    if (wrong !== undefined) this.#refuse(message, peer, 400, wrong);
    else this.#request(message, peer);
  }

  /** Answers 513 to a TCP stream that exceeded its limits, if the sender is known (RFC 3261 21.5.7). */
  refuseBroken(data: Buffer, peer: Peer): void {
    const parsed = parseMessage(data.subarray(0, MAX_HEADER_BYTES), true);
    if (parsed && isRequest(parsed.message)) this.#refuse(parsed.message, peer, 513);
  }

  /** Whether a request from a matching peer still waits for its final response. */
  hasUnanswered(isFrom: (peer: Peer) => boolean): boolean {
    for (const { answered, from } of this.#transactions.values()) if (!answered && isFrom(from)) return true;
    return false;
  }

  /** Answers without a transaction. */
  #refuse(request: SipRequest, peer: Peer, status: number, reason?: string): void {
    if (!isAnswerable(request)) return;
    stampVia(request, peer);
    const response = composeResponse(request, status, randomToken(6), reason === undefined ? {} : { reason });
    this.#core.send(response, this.#core.replyPeer(peer, request));
  }

  #response(response: SipResponse): void {
    const cseq = cseqOf(response);
    if (!cseq) return;
    const machine = this.#core.machines.get(clientKey(response, cseq.method));
    if (machine) machine.receive(response);
    else if (cseq.method === 'INVITE' && response.status >= 200 && response.status < 300) {
      // The transaction has ended, but the peer missed our ACK.
      const tags = { from: tagOf(headerValue(response, 'To')) ?? '', to: tagOf(headerValue(response, 'From')) ?? '' };
      this.#dialogs.get(`${headerValue(response, 'Call-ID')}|${tags.to}|${tags.from}`)?.repeatAck();
    }
  }

  #request(request: SipRequest, peer: Peer): void {
    const known = this.#transactions.get(serverKey(request, request.method === 'ACK' ? 'INVITE' : request.method));
    stampVia(request, peer);
    if (request.method === 'ACK') {
      if (!known?.receiveFailureAck()) this.#dialogOf(request)?.receiveAck(request);
      return;
    }
    if (known) {
      known.receiveAgain();
      return;
    }
    if (this.#transactions.size >= MAX_TRANSACTIONS) return;
    const transaction = this.#open(request, peer);
    if (request.method === 'CANCEL') this.#cancel(transaction);
    else this.#admit(transaction);
  }

  #open(request: SipRequest, peer: Peer): ServerTransaction {
    const transaction = new ServerTransaction(this.#core, request, peer, {
      responding: (one, response) => this.#responding(one, response),
      neverAcked: (one) => this.#dialogs.neverAcked(one),
      over: (one) => this.#transactions.delete(one.key),
    });
    this.#transactions.set(transaction.key, transaction);
    return transaction;
  }

  #responding(transaction: ServerTransaction, response: SipResponse): void {
    this.#dialogs.answering(transaction, response.status);
    if (response.status >= 300) this.#calls.delete(transaction);
    if (response.status >= 200 && response.status < 300 && this.#calls.has(transaction)) {
      transaction.dialog?.once('ended', () => this.#calls.delete(transaction));
    }
  }

  /** RFC 3261 9.2. */
  #cancel(cancel: ServerTransaction): void {
    const invite = this.#transactions.get(serverKey(cancel.request, 'INVITE'));
    if (!invite) {
      cancel.respond(481);
      return;
    }
    cancel.respond(200, { headers: { To: `<sip:x>;tag=${invite.localTag}` } });
    invite.receiveCancel(cancel.request);
  }

  #admit(transaction: ServerTransaction): void {
    const { request } = transaction;
    const status = refusal(request, this.#options.allow);
    if (status !== undefined) {
      this.#reject(transaction, status);
      return;
    }
    const dialog = this.#dialogOf(request);
    const tagged = tagOf(headerValue(request, 'To')) !== undefined;
    if (dialog) this.#inDialog(dialog, transaction);
    else if (tagged && !this.#options.strayMethods.includes(request.method)) this.#reject(transaction, 481);
    else this.#outOfDialog(transaction);
  }

  #inDialog(dialog: Dialog, transaction: ServerTransaction): void {
    transaction.dialog = dialog;
    const status = dialog.accept(transaction);
    if (status !== undefined) {
      // RFC 3261 14.2: a random delay of 0–10 s.
      this.#reject(transaction, status, status === 500 ? { 'Retry-After': Math.floor(Math.random() * 11) } : {});
      return;
    }
    if (transaction.method === 'INVITE') transaction.respond(100);
    const bye = transaction.method === 'BYE';
    const taken = dialog.emit('request', transaction) || this.#options.request(transaction);
    if (!taken) this.#reject(transaction, bye || transaction.method === 'OPTIONS' ? 200 : 501);
    if (bye) dialog.end({ by: 'remote', cause: 'bye', message: transaction.request });
  }

  #outOfDialog(transaction: ServerTransaction): void {
    if (transaction.method === 'INVITE') {
      if (this.#calls.size >= this.#options.maxCalls) {
        this.#reject(transaction, 503, { 'Retry-After': RETRY_AFTER_SECONDS });
        return;
      }
      this.#calls.add(transaction);
      transaction.respond(100);
    }
    if (!this.#options.request(transaction)) this.#reject(transaction, 501);
  }

  #reject(transaction: ServerTransaction, status: number, headers: HeaderBag = {}): void {
    const allow = status === 405 || status === 501 ? { Allow: this.#options.allow.join(', ') } : {};
    transaction.respond(status, { headers: { ...headers, ...allow } });
  }

  #dialogOf(request: SipRequest): Dialog | undefined {
    const to = tagOf(headerValue(request, 'To'));
    const from = tagOf(headerValue(request, 'From'));
    return to === undefined ? undefined : this.#dialogs.get(keyOfRequest(request, { from: from ?? '', to }));
  }
}
