/**
 * Client transactions, RFC 3261 17.1 (figures 5 and 6) with the Accepted state of RFC 6026 7.2. One machine per attempt
 * and branch.
 */
import { composeFailureAck, localResponse } from './compose.ts';
import type { Core } from './core.ts';
import { headerList } from './message.ts';
import { TimerSet, transactionLimitMs } from './timers.ts';
import type { Peer, SipMessage, SipRequest, SipResponse } from './types.ts';
import { parseVia } from './uri.ts';

type State = 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated';

/** `local`: created here because the peer did not answer or cannot be reached. */
type OnResponse = (response: SipResponse, local: boolean) => void;

/** Key of a client transaction: branch of the top Via and method (RFC 3261 17.1.3). */
export function clientKey(message: SipMessage, method: string): string {
  const branch = parseVia(headerList(message, 'Via')[0] ?? '')?.params.branch ?? '';
  return `${branch}|${method}`;
}

export class ClientMachine {
  readonly request: SipRequest;
  readonly peer: Peer;
  readonly #core: Core;
  readonly #key: string;
  readonly #onResponse: OnResponse;
  readonly #timers = new TimerSet();
  #state: State = 'calling';
  #ack: SipRequest | undefined;

  constructor(core: Core, request: SipRequest, peer: Peer, onResponse: OnResponse) {
    this.#core = core;
    this.request = request;
    this.peer = peer;
    this.#onResponse = onResponse;
    this.#key = clientKey(request, request.method);
  }

  get provisional(): boolean {
    return this.#state === 'proceeding';
  }

  start(): void {
    const { t1Ms, t2Ms } = this.#core.timers;
    this.#core.machines.set(this.#key, this);
    if (this.peer.transport === 'udp') {
      const cap = this.#isInvite ? Number.POSITIVE_INFINITY : t2Ms;
      this.#timers.repeatDoubling('retransmit', t1Ms, cap, () => this.#transmit()); // A, E
    }
    this.#timers.set('limit', transactionLimitMs(this.#core.timers), () => this.#fail(408)); // B, F
    this.#transmit();
  }

  receive(response: SipResponse): void {
    if (this.#state === 'completed') {
      if (this.#ack) this.#core.send(this.#ack, this.peer);
      return;
    }
    if (this.#state === 'accepted') {
      if (response.status >= 200 && response.status < 300) this.#onResponse(response, false);
      return;
    }
    if (this.#state === 'terminated') return;
    if (response.status < 200) this.#provisional(response);
    else this.#final(response, false);
  }

  /** Limits a ringing INVITE that has rung too long, or whose CANCEL is not answered. */
  limitTo(delayMs: number, status: number): void {
    if (this.#state === 'calling' || this.#state === 'proceeding') {
      this.#timers.set('limit', delayMs, () => this.#fail(status));
    }
  }

  terminate(): void {
    this.#state = 'terminated';
    this.#timers.clear();
    this.#core.machines.delete(this.#key);
  }

  get #isInvite(): boolean {
    return this.request.method === 'INVITE';
  }

  #transmit(): void {
    this.#core.send(this.request, this.peer, () => this.#fail(503));
  }

  #provisional(response: SipResponse): void {
    this.#state = 'proceeding';
    if (this.#isInvite) this.#timers.clear();
    // RFC 3261 17.1.2.2: in Proceeding, timer E runs at T2.
    else this.#retransmitSlowly();
    this.#onResponse(response, false);
  }

  #retransmitSlowly(): void {
    const { t2Ms } = this.#core.timers;
    if (this.peer.transport === 'udp') this.#timers.repeatDoubling('retransmit', t2Ms, t2Ms, () => this.#transmit());
  }

  #final(response: SipResponse, local: boolean): void {
    this.#timers.clear();
    const { t4Ms } = this.#core.timers;
    const accepted = this.#isInvite && response.status < 300;
    this.#state = accepted ? 'accepted' : 'completed';
    if (this.#isInvite && !accepted && !local) {
      this.#ack = composeFailureAck(this.request, response);
      this.#core.send(this.#ack, this.peer);
    }
    const linger = this.#isInvite ? transactionLimitMs(this.#core.timers) : t4Ms; // D, M; K
    const reliable = this.peer.transport === 'tcp' && !accepted;
    this.#timers.set('linger', reliable || local ? 0 : linger, () => this.terminate());
    this.#onResponse(response, local);
  }

  #fail(status: number): void {
    if (this.#core.closed || this.#state === 'completed' || this.#state === 'accepted') return;
    if (this.#state === 'terminated') return;
    this.#final(localResponse(this.request, status), true);
  }
}
