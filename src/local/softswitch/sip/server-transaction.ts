/**
 * Server transactions, RFC 3261 17.2 (figures 7 and 8) with the Accepted state of RFC 6026 7.1, and 2xx repetition
 * (13.3.1.4).
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { BRANCH_COOKIE, composeResponse, fromBag, randomToken } from './compose.ts';
import type { Core } from './core.ts';
import type { Dialog } from './dialog.ts';
import { cseqOf, headerList, headerValue } from './message.ts';
import { TimerSet, transactionLimitMs } from './timers.ts';
import type { Peer, ResponseOptions, SipRequest, SipResponse } from './types.ts';
import { hostInUri, parseVia, tagOf } from './uri.ts';

type State = 'trying' | 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

interface ServerTransactionEvents {
  /** The INVITE transaction was cancelled; the stack has already sent 200 and 487. */
  cancel: [cancel: SipRequest];
  /**
   * The application did not answer in time. The stack has answered an INVITE with 480, and other requests not at all.
   */
  abandoned: [];
}

interface ServerHooks {
  /** Called before a response is sent: the agent creates and ends dialogs here. */
  responding(transaction: ServerTransaction, response: SipResponse): void;
  /** A 2xx to INVITE was never ACKed within 64*T1. */
  neverAcked(transaction: ServerTransaction): void;
  over(transaction: ServerTransaction): void;
}

/** RFC 3261 17.2.3: branch, sent-by and method, or fields of the message for old peers without the cookie. */
export function serverKey(request: SipRequest, method = request.method): string {
  const via = parseVia(headerList(request, 'Via')[0] ?? '');
  const branch = via?.params.branch ?? '';
  const sentBy = `${via?.host}:${via?.port ?? 5060}`;
  if (branch.startsWith(BRANCH_COOKIE)) return `${branch}|${sentBy}|${method}`;
  const fields = [headerValue(request, 'Call-ID'), cseqOf(request)?.number, tagOf(headerValue(request, 'From'))];
  return [...fields, sentBy, method].join('|');
}

export class ServerTransaction extends EventEmitter<ServerTransactionEvents> {
  readonly id = randomUUID();
  readonly key: string;
  readonly request: SipRequest;
  readonly from: Peer;
  /** The dialog of the request, or the one that it creates; an INVITE has one from the first 101–299 on. */
  dialog: Dialog | undefined;
  readonly #core: Core;
  readonly #hooks: ServerHooks;
  readonly #timers = new TimerSet();
  #state: State = 'trying';
  #toTag: string;
  #last: SipResponse | undefined;

  constructor(core: Core, request: SipRequest, from: Peer, hooks: ServerHooks) {
    super();
    this.#core = core;
    this.request = request;
    this.from = from;
    this.#hooks = hooks;
    this.key = serverKey(request);
    this.#toTag = tagOf(headerValue(request, 'To')) ?? randomToken(7);
    const limitMs = this.#isInvite ? core.timers.answerLimitMs : transactionLimitMs(core.timers);
    this.#timers.set('answer', limitMs, () => this.#abandon());
  }

  get method(): string {
    return this.request.method;
  }

  /** Our tag in the To of every answer. */
  get localTag(): string {
    return this.#toTag;
  }

  /** Whether a final response has been sent. */
  get answered(): boolean {
    return this.#state !== 'trying' && this.#state !== 'proceeding';
  }

  /** Whether the final response was a 2xx that still waits for its ACK. */
  get awaitingAck(): boolean {
    return this.#state === 'accepted' && this.#isInvite;
  }

  /**
   * Sends a response: any number of provisional ones, and one final. Returns it as sent, or undefined if it is too late
   * (already answered or cancelled).
   */
  respond(status: number, options: ResponseOptions = {}): SipResponse | undefined {
    if (this.answered) return undefined;
    this.#borrowTag(options);
    const contact = this.#formsDialog(status) ? this.#core.contact(this.from) : undefined;
    const toTag = status === 100 ? undefined : this.#toTag;
    const response = composeResponse(this.request, status, toTag, options, contact);
    this.#hooks.responding(this, response);
    this.#last = response;
    if (status < 200) this.#state = 'proceeding';
    else this.#enterFinal(status);
    this.#transmit();
    return response;
  }

  /** Handles a retransmission of the request: sends the last answer again. */
  receiveAgain(): void {
    if (this.#state !== 'confirmed') this.#transmit();
  }

  /** Handles an ACK with this transaction's branch. Returns whether it was for a 300–699, so that it ends here. */
  receiveFailureAck(): boolean {
    if (this.#state === 'accepted') return false;
    if (this.#state !== 'completed') return true;
    this.#state = 'confirmed';
    this.#timers.clear();
    const { t4Ms } = this.#core.timers;
    this.#timers.set('linger', this.from.transport === 'udp' ? t4Ms : 0, () => this.#end()); // I
    return true;
  }

  /** Stops the retransmissions after the ACK of our 2xx. */
  acked(): void {
    this.#timers.stop('repeat2xx');
    this.#timers.set('linger', transactionLimitMs(this.#core.timers), () => this.#end());
  }

  receiveCancel(cancel: SipRequest): void {
    if (this.answered || !this.#isInvite) return;
    this.respond(487);
    this.emit('cancel', cancel);
  }

  terminate(): void {
    this.#state = 'terminated';
    this.#timers.clear();
  }

  get #isInvite(): boolean {
    return this.request.method === 'INVITE';
  }

  #borrowTag(options: ResponseOptions): void {
    const tag = tagOf(fromBag(options.headers, 'To'));
    const free = this.#last === undefined || this.#last.status === 100;
    if (tag !== undefined && free && tagOf(headerValue(this.request, 'To')) === undefined) this.#toTag = tag;
  }

  #formsDialog(status: number): boolean {
    return status >= 200 && status < 300 && ['INVITE', 'SUBSCRIBE', 'UPDATE', 'REFER'].includes(this.method);
  }

  #transmit(): void {
    if (this.#last) this.#core.send(this.#last, this.#core.replyPeer(this.from, this.request));
  }

  #enterFinal(status: number): void {
    const { t1Ms, t2Ms } = this.#core.timers;
    const limitMs = transactionLimitMs(this.#core.timers);
    const udp = this.from.transport === 'udp';
    this.#timers.clear();
    if (!this.#isInvite) {
      this.#state = 'completed';
      this.#timers.set('linger', udp ? limitMs : 0, () => this.#end()); // J
    } else if (status < 300) {
      this.#state = 'accepted';
      this.#timers.repeatDoubling('repeat2xx', t1Ms, t2Ms, () => this.#transmit());
      this.#timers.set('linger', limitMs, () => this.#giveUp()); // L
    } else {
      this.#state = 'completed';
      if (udp) this.#timers.repeatDoubling('repeat', t1Ms, t2Ms, () => this.#transmit()); // G
      this.#timers.set('linger', limitMs, () => this.#end()); // H
    }
  }

  #giveUp(): void {
    this.#end();
    this.#hooks.neverAcked(this);
  }

  /** A late answer to a request other than INVITE is not sent (RFC 4320 4.2). */
  #abandon(): void {
    if (this.#isInvite) this.respond(480);
    else this.#end();
    this.emit('abandoned');
  }

  #end(): void {
    this.terminate();
    this.#hooks.over(this);
  }
}

/** RFC 3261 18.2.1 and RFC 3581: writes the source into the top Via, as real stacks do even if `rport` is missing. */
export function stampVia(request: SipRequest, from: Peer): void {
  const header = request.headers.find(({ name }) => name.toLowerCase() === 'via');
  const top = headerList(request, 'Via')[0];
  const via = top === undefined ? undefined : parseVia(top);
  if (!header || top === undefined || !via) return;
  const parameters = top.split(';').filter((part) => !/^\s*(rport|received)\s*(=|$)/i.test(part));
  if (via.host !== from.address) parameters.push(`received=${hostInUri(from.address)}`);
  parameters.push(`rport=${from.port}`);
  header.value = `${parameters.join(';')}${header.value.slice(header.value.indexOf(top) + top.length)}`;
}
