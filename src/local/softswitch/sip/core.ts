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
  /** Destination of an answer: the connection or address of the request (always as in RFC 3581). */
  replyPeer(peer: Peer, request: SipRequest): Peer;
  /** Our Contact header value for this peer. */
  contact(peer: Peer): string;
  /** Via header value for a new branch towards this peer. */
  via(peer: Peer, branch: string): string;
}
