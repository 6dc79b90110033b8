/**
 * Types of the SIP user-agent core that both halves of the softswitch and the scripted caller use: transport +
 * transaction + dialog (RFC 3261), over UDP and TCP on one port. It does not depend on drachtio, FreeSWITCH or media.
 * Start with `createSipAgent` (agent.ts); its public classes are `SipAgent`, `ServerTransaction`, `ClientTransaction`
 * and `Dialog`; the plain types that they exchange are here.
 */

export type Transport = 'udp' | 'tcp';

/** The source or destination of a message. `address` is an IP literal. */
export interface Peer {
  transport: Transport;
  address: string;
  port: number;
}

export interface SipHeader {
  name: string;
  value: string;
}

interface SipMessageBase {
  /** In order of appearance, one entry a header line; names keep their case (compact forms are spelt out). */
  headers: SipHeader[];
  body: string;
}

export interface SipRequest extends SipMessageBase {
  /** In upper case as RFC 3261 requires, e.g. `INVITE`. */
  method: string;
  uri: string;
}

export interface SipResponse extends SipMessageBase {
  status: number;
  reason: string;
}

export type SipMessage = SipRequest | SipResponse;

/** Headers as a caller gives them. Undefined values are left out; an array becomes several header lines. */
export type HeaderBag = { readonly [name: string]: string | number | readonly string[] | undefined };

/** Digest credentials, used when a request is answered with 401 or 407 (RFC 8760: MD5 and SHA-256, qop `auth`). */
export interface Credentials {
  username: string;
  password: string;
}

export interface ResponseOptions {
  /** Reason phrase; by default the one of RFC 3261. */
  reason?: string | undefined;
  /**
   * Via, From, To, Call-ID, CSeq, Record-Route and Content-Length are the stack's; only the tag of a `To` here is used.
   */
  headers?: HeaderBag | undefined;
  body?: string | undefined;
}

/** A request in a dialog, whose peer and route are the dialog's. */
export interface InDialogRequest {
  method: string;
  headers?: HeaderBag | undefined;
  body?: string | undefined;
  auth?: Credentials | undefined;
  /** `manual`: the user sends the ACK of a 2xx with `dialog.ack()` (needed if the ACK carries the SDP answer). */
  ack?: 'auto' | 'manual' | undefined;
}

/** A request outside a dialog, or one that creates a dialog. */
export interface OutgoingRequest extends InDialogRequest {
  /** Request-URI, e.g. `sip:agent@127.0.0.1:5090;transport=tcp`. A host name is looked up by the system resolver. */
  uri: string;
  /** Destination instead of the Request-URI (outbound proxy). */
  proxy?: string | undefined;
}

/** Timers in milliseconds. Every RFC 3261 timer (A … K, and L, M of RFC 6026) derives from T1, T2 and T4. */
export interface SipTimers {
  t1Ms: number;
  t2Ms: number;
  t4Ms: number;
  /** How long our INVITE may ring before it is cancelled and ends with a local 408 (timer C). */
  ringLimitMs: number;
  /** How long an INVITE may wait for the application's final answer before the stack answers 480. */
  answerLimitMs: number;
  /** How long a TCP connection stays open without a message, a transaction or a call. */
  idleLimitMs: number;
}

export interface SipAgentOptions {
  /** Address to bind, e.g. `127.0.0.1` or `0.0.0.0`. */
  address: string;
  /** One port for UDP and TCP; 0 picks a free port. */
  port: number;
  /** The address in Via and Contact for peers outside this machine, if the agent is bound to every address. */
  externalAddress?: string | undefined;
  /**
   * Methods that this agent handles; others are answered 405 with Allow. Default: all of RFC 3261 and its extensions.
   */
  allow?: readonly string[] | undefined;
  /** Methods passed to the application although their To tag matches no dialog (all others get 481). */
  strayMethods?: readonly string[] | undefined;
  /**
   * Pass requests to the application even if they are out of order in their dialog or cross our own re-INVITE, as
   * drachtio-server does. Otherwise they get 500 and 491 (RFC 3261 12.2.2, 14.2).
   */
  lenientDialogs?: boolean | undefined;
  /** Maximum number of incoming calls at once, including ringing ones; more get 503 with Retry-After. Default 500. */
  maxCalls?: number | undefined;
  timers?: Partial<SipTimers> | undefined;
  userAgent?: string | undefined;
  /** Receives every complete message, for a timeline. INFO bodies may contain digits: do not log them. */
  onMessage?: ((direction: 'in' | 'out', message: SipMessage, peer: Peer) => void) | undefined;
  /** Test hook: return false to lose the datagram or segment. */
  filter?: ((direction: 'in' | 'out', data: Buffer, peer: Peer) => boolean) | undefined;
}

/**
 * Why a dialog ended. `ack-timeout`: our 2xx was never ACKed (the stack sent BYE); `session-expired`: the refresh of
 * its session timer did not arrive; `rejected`: it was only an early dialog.
 */
export interface DialogEnd {
  by: 'local' | 'remote' | 'stack';
  cause: 'bye' | 'ack-timeout' | 'session-expired' | 'rejected' | 'closed';
  /** The BYE, received or sent. */
  message?: SipRequest;
}
