/**
 * Types for the part of drachtio-srf 5.0.29 that we use, because its own declarations omit half of it. Callbacks
 * replace promises if a handler must be set before the next message of the same TCP segment.
 */
import Srf from 'drachtio-srf';
import type { ModifiedDialog } from '../reinvite.ts';

export interface SipMessage {
  readonly body: string;
  get(name: string): string | undefined;
}

export interface ServerRequest extends SipMessage {
  readonly method: string;
  readonly uri: string;
  readonly source_address: string;
  /** `udp`, `tcp`, `tls`, `ws` or `wss`. */
  readonly protocol: string;
  on(event: 'cancel', handler: () => void): void;
  /** @throws if the header is missing, or unreadable for the library */
  getParsedHeader(name: string): unknown;
}

export interface ServerResponse {
  send(status: number, options?: { headers?: Record<string, string>; body?: string }): void;
}

export interface ClientRequest extends Pick<SipMessage, 'get'> {
  cancel(): void;
  on(event: 'response', handler: (response: ClientResponse) => void): void;
}

export interface ClientResponse extends SipMessage {
  readonly status: number;
  /** Empty if the server generated the response, because it reached no one or got no answer. */
  readonly source_address: string;
  /** As of a request. */
  readonly protocol: string;
}

type Answer<T> = (error: unknown, result: T) => void;

export interface Dialog extends ModifiedDialog {
  readonly id: string;
  /** `uac`: we have sent the INVITE. */
  readonly type: 'uac' | 'uas';
  /** The INVITE. Its connection also sends the requests in the dialog. */
  readonly req: SipMessage & { socket: import('node:net').Socket };
  readonly sip: { callId: string; localTag: string; remoteTag: string };
  readonly local: { sdp: string; contact: string };
  /** `uri`: the one in their Contact. */
  readonly remote: { sdp: string; uri: string };
  /** The answer to our INVITE, or our answer to theirs. */
  readonly res: ClientResponse;
  on(
    event: 'notify' | 'info' | 'options' | 'refer' | 'modify' | 'update',
    handler: (req: ServerRequest, res: ServerResponse) => void,
  ): void;
  on(event: 'ack', handler: (request: SipMessage) => void): void;
  /**
   * `destroy`: a BYE from the far end, or from the server because our 200 got no ACK or a refresh is missing. The
   * library takes `reason` from the Reason header of a server's BYE.
   */
  once(event: 'ack' | 'destroy', handler: (request: SipMessage, reason?: string) => void): void;
  removeAllListeners(): void;
  request(options: { method: string; headers?: Record<string, string> }, callback: Answer<ClientResponse>): void;
  /** Sends a BYE. Rejects if it could not be sent. Never settles if the connection is lost meanwhile. */
  destroy(): Promise<unknown>;
}

export interface UacOptions {
  localSdp: string;
  /** The library adds more. */
  headers: Record<string, string>;
  callingNumber?: string;
  proxy?: string;
  auth?: { username: string; password: string };
}

interface Progress {
  cbRequest: (error: unknown, request: ClientRequest | undefined) => void;
  cbProvisional: (response: ClientResponse) => void;
}

/** Undocumented: the sockets to the server, the methods to register for, and the state of the library's retries. */
interface Agent {
  /** The library registers for all of them on each connect and on each call of `route`. */
  verbs: Map<string, { sent: boolean }>;
  route(verb: string): void;
  removeRoute(verb: string): void;
  mapServer: Map<import('node:net').Socket, unknown>;
  wp: WireProtocol & { closing?: boolean; reconnectVars: { retryTimer: NodeJS.Timeout | null } };
}

type Socket = import('node:net').Socket;

/** Undocumented: reads the server's messages. `connect` comes before the first data of each connection. */
export interface WireProtocol {
  on(event: 'connect', handler: (socket: Socket) => void): void;
  on(event: 'msg', handler: (socket: Socket, message: string) => void): void;
  listeners(event: 'msg'): ((socket: Socket, message: string) => void)[];
  removeAllListeners(event: 'msg'): void;
  send(socket: Socket, message: string): string;
  /** The bytes of messages that are not complete yet. */
  readonly mapIncomingMsg: Map<Socket, { incomingMsg: Buffer }>;
}

export interface SrfLibrary {
  connect(options: {
    host: string;
    port: number;
    secret: string;
    enablePing: boolean;
    pingInterval: number;
    reconnect: { retryMaxDelay: number };
  }): void;
  on(event: 'connect', handler: (error: Error | null, hostPorts: string, version: string) => void): void;
  on(event: 'error', handler: (error: Error) => void): void;
  on(event: 'close', handler: () => void): void;
  invite(handler: (req: ServerRequest, res: ServerResponse) => void): void;
  options(handler: (req: ServerRequest, res: ServerResponse) => void): void;
  createUAS(
    req: ServerRequest,
    res: ServerResponse,
    options: { localSdp: string; headers?: Record<string, string> },
    callback: Answer<Dialog>,
  ): void;
  createUAC(uri: string, options: UacOptions, progress: Progress, callback: Answer<Dialog>): void;
  request(
    uri: string,
    options: { method: string; stackDialogId?: string; proxy?: string; headers: Record<string, string> },
    callback: Answer<ClientRequest>,
  ): void;
  removeDialog(dialog: Dialog): void;
  /** Undocumented: the live dialogs, including those of the media adapter. */
  readonly _dialogs: Map<string, Dialog>;
  disconnect(): void;
  readonly app: { client: Agent };
}

export function createSrf(): SrfLibrary {
  return new Srf() as unknown as SrfLibrary;
}

const { SipMessage: ParsedMessage } = Srf as unknown as { SipMessage: new (text: string) => SipMessage };

/** Whether the library can parse a SIP message. */
export function canParse(text: string): boolean {
  try {
    return Boolean(new ParsedMessage(text));
  } catch {
    return false;
  }
}

/** Whether the library can make a dialog of an INVITE. It reads these addresses when the 200 has been sent. */
export function canMakeDialog(invite: ServerRequest): boolean {
  try {
    return ['From', 'To', 'Contact'].every((name) => Boolean(invite.getParsedHeader(name)));
  } catch {
    return false;
  }
}

/** The response with which a request failed. Null if there was none. */
export function refusalOf(error: unknown): SipMessage | null {
  const response = typeof error === 'object' && error !== null && 'res' in error ? error.res : null;
  return typeof response === 'object' ? (response as SipMessage | null) : null;
}

/** Whether the far end has refused the request. */
export function isRefusal(error: unknown): boolean {
  const refusal = refusalOf(error);
  return refusal !== null && 'status' in refusal && Number(refusal.status) >= 300;
}

/** The SIP status of a failed request; 503 if there was no response. */
export function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : 503;
}

/**
 * Whether the far end sent the response. If not, the server generated it because it reached no one (RFC 3261, 8.1.3.1).
 */
export function isTheirs({ source_address }: ClientResponse): boolean {
  return source_address !== '';
}

/** Whether a request failed because the server does not have its dialog. */
export function isUnknownDialog(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENODIALOG';
}
