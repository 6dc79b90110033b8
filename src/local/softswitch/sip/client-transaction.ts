/** An outgoing SIP request until its final response, including a digest retry and a CANCEL. */

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { UnsupportedTransport } from './addresses.ts';
import { ClientMachine } from './client-machine.ts';
import { composeCancel, localResponse, newBranch } from './compose.ts';
import type { Core } from './core.ts';
import type { Dialog } from './dialog.ts';
import { answerChallenge, isStale, withAuthorization } from './digest.ts';
import { headerList } from './message.ts';
import { transactionLimitMs } from './timers.ts';
import type { Credentials, HeaderBag, Peer, SipRequest, SipResponse } from './types.ts';

interface ClientTransactionEvents {
  /** The request as it was sent: before any response, and exactly once (not for a digest retry). */
  sent: [request: SipRequest, peer: Peer];
  /** Each provisional answer except 100, and the final one. `local`: the stack's own 408 or 503. */
  response: [response: SipResponse, local: boolean];
}

/** Callbacks of the owner, which composes the request. All run before the events. */
export interface ClientPlan {
  target(): Promise<Peer>;
  compose(peer: Peer): SipRequest;
  /** CSeq of a digest retry. */
  nextCseq(): number;
  auth: Credentials | undefined;
  onResponse(response: SipResponse, local: boolean, peer: Peer): void;
  /** A repeated 2xx to INVITE, or one from another fork. */
  onRepeated2xx(response: SipResponse): void;
}

const NOWHERE: Peer = { transport: 'udp', address: '127.0.0.1', port: 5060 };

export class ClientTransaction extends EventEmitter<ClientTransactionEvents> {
  readonly id = randomUUID();
  readonly method: string;
  /** Resolves with the final response, the stack's own 408 or 503 included. Never rejects; not settled by close(). */
  readonly final: Promise<SipResponse>;
  /** For an INVITE, set from the first answer with a To tag on. */
  dialog: Dialog | undefined;
  readonly #core: Core;
  readonly #plan: ClientPlan;
  #machine: ClientMachine | undefined;
  #request: SipRequest | undefined;
  #peer: Peer | undefined;
  #resolveFinal: (response: SipResponse) => void = () => undefined;
  #done = false;
  #retries = 0;
  #cancelHeaders: HeaderBag | undefined;
  #cancelSent = false;
  #rang = false;

  constructor(core: Core, method: string, plan: ClientPlan) {
    super();
    this.#core = core;
    this.method = method;
    this.#plan = plan;
    this.final = new Promise((resolve) => {
      this.#resolveFinal = resolve;
    });
  }

  /** The request as last sent; undefined until `sent`. */
  get request(): SipRequest | undefined {
    return this.#request;
  }

  get peer(): Peer | undefined {
    return this.#peer;
  }

  get finished(): boolean {
    return this.#done;
  }

  /** Called once by the agent; listeners attached in the same tick receive all events. */
  async start(): Promise<void> {
    let peer: Peer;
    try {
      peer = await this.#plan.target();
    } catch (error) {
      if (this.#core.closed) return;
      // A request that cannot be sent counts as answered with 503 (RFC 3261 8.1.3.1).
      if (error instanceof UnsupportedTransport) this.#unreachable(416);
      else this.#unreachable(503, 'DNS Error');
      return;
    }
    if (this.#core.closed) return;
    const request = this.#plan.compose(peer);
    this.#attempt(request, peer, () => this.emit('sent', request, peer));
  }

  /**
   * CANCEL (RFC 3261 9.1), sent after the first provisional answer; the INVITE still ends by its own response. Returns
   * the CANCEL; undefined if it is too late, or if it must wait because the INVITE is not sent yet.
   */
  cancel(headers: HeaderBag = {}): SipRequest | undefined {
    if (this.#done || this.method !== 'INVITE' || this.#cancelHeaders) return undefined;
    this.#cancelHeaders = headers;
    if (!this.#request) return undefined;
    if (this.#machine?.provisional) this.#sendCancel();
    return composeCancel(this.#request, headers);
  }

  /** Fails without sending, e.g. for a request in an ended dialog. */
  failLocally(status: number): void {
    queueMicrotask(() => this.#unreachable(status));
  }

  #unreachable(status: number, reason?: string): void {
    const request = this.#plan.compose(NOWHERE);
    this.#request = request;
    this.#peer = NOWHERE;
    this.emit('sent', request, NOWHERE);
    this.#finish(localResponse(request, status, reason), true);
  }

  #attempt(request: SipRequest, peer: Peer, announce: () => void): void {
    this.#request = request;
    this.#peer = peer;
    const machine = new ClientMachine(this.#core, request, peer, (response, local) => {
      if (this.#machine === machine) this.#received(response, local);
    });
    this.#machine = machine;
    announce();
    machine.start();
  }

  #received(response: SipResponse, local: boolean): void {
    if (this.#done) {
      this.#plan.onRepeated2xx(response);
      return;
    }
    if (response.status < 200) {
      this.#limitRinging();
      if (response.status === 100 || !this.#peer) return;
      this.#plan.onResponse(response, local, this.#peer);
      this.emit('response', response, local);
      return;
    }
    if (!this.#retryWithCredentials(response)) this.#finish(response, local);
  }

  #limitRinging(): void {
    this.#rang = true;
    if (this.#cancelHeaders) this.#sendCancel();
    else if (this.method === 'INVITE') this.#machine?.limitTo(this.#core.timers.ringLimitMs, 408); // C
  }

  #sendCancel(): void {
    if (!this.#request || !this.#peer || !this.#machine || this.#cancelSent) return;
    this.#cancelSent = true;
    const cancel = composeCancel(this.#request, this.#cancelHeaders);
    new ClientMachine(this.#core, cancel, this.#peer, () => undefined).start();
    // RFC 3261 9.1: without an answer in 64*T1 the request counts as cancelled.
    this.#machine.limitTo(transactionLimitMs(this.#core.timers), 487);
  }

  #retryWithCredentials(response: SipResponse): boolean {
    const { auth } = this.#plan;
    const challenged = response.status === 401 || response.status === 407;
    if (!challenged || !auth || !this.#request || !this.#peer || this.#cancelHeaders) return false;
    if (this.#retries > 1 || (this.#retries === 1 && !isStale(response))) return false;
    const branch = newBranch();
    const cseq = this.#plan.nextCseq();
    const via = this.#core.via(this.#peer, branch);
    const retry: SipRequest = { ...this.#request, headers: renumbered(this.#request, via, cseq) };
    const answer = answerChallenge(response, retry, auth);
    if (!answer) return false;
    this.#retries++;
    retry.headers = withAuthorization(retry.headers, answer);
    this.#attempt(retry, this.#peer, () => undefined);
    return true;
  }

  #finish(response: SipResponse, local: boolean): void {
    this.#done = true;
    if (local && this.#rang && this.method === 'INVITE') this.#sendCancel();
    this.#plan.onResponse(response, local, this.#peer ?? NOWHERE);
    this.#resolveFinal(response);
    this.emit('response', response, local);
  }
}

function renumbered(request: SipRequest, via: string, cseq: number): SipRequest['headers'] {
  const vias = headerList(request, 'Via').length;
  return request.headers.map((header) => {
    const name = header.name.toLowerCase();
    if (name === 'via' && vias > 0) return { name: 'Via', value: via };
    return name === 'cseq' ? { name: 'CSeq', value: `${cseq} ${request.method}` } : header;
  });
}
