/** The interface of the SIP agent to its transactions and dialogs. Internal to this folder. */
import type { ClientMachine } from './client-machine.ts';
import type { Peer, SipMessage, SipRequest, SipTimers } from './types.ts';

export interface Core {
  readonly timers: SipTimers;
  readonly closed: boolean;
  readonly lenientDialogs: boolean;
  /** Client transactions by branch and method. */
  readonly machines: Map<string, ClientMachine>;
  send(message: SipMessage, peer: Peer, failed?: (error: Error) => void): void;
  /** Where an answer goes: the connection or address the request came from (RFC 3581 always). */
  replyPeer(peer: Peer, request: SipRequest): Peer;
  /** Contact header value naming us to this peer. */
  contact(peer: Peer): string;
  /** Via header value for a new branch towards this peer. */
  via(peer: Peer, branch: string): string;
}
