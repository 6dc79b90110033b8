/**
 * What we use of drachtio-srf 5.0.29, as it really is: its own declarations leave out half of it. Node-style callbacks
 * are used instead of promises where a handler has to be in place before the next message of the same TCP segment.
 */
import Srf from 'drachtio-srf';

export interface SipMessage {
  readonly body: string;
  get(name: string): string | undefined;
}

export interface ServerRequest extends SipMessage {
  readonly method: string;
  readonly uri: string;
  readonly source_address: string;
  on(event: 'cancel', handler: () => void): void;
}

export interface ServerResponse {
  send(status: number, options?: { headers?: Record<string, string>; body?: string }): void;
}

export interface ClientRequest {
  cancel(): void;
}

export interface ClientResponse extends SipMessage {
  readonly status: number;
  /** Empty where the server made the answer up: nobody was reached, or nobody answered. */
  readonly source_address: string;
}

type Answer<T> = (error: unknown, result: T) => void;

export interface Dialog {
  readonly id: string;
  readonly sip: { callId: string };
  readonly local: { sdp: string; contact: string };
  readonly remote: { sdp: string };
  on(event: 'notify' | 'info' | 'modify', handler: (req: ServerRequest, res: ServerResponse) => void): void;
  /** `destroy`: BYE from them, or from the server when our 200 was never ACKed. */
  once(event: 'ack' | 'destroy', handler: () => void): void;
  removeAllListeners(): void;
  request(options: { method: string; headers?: Record<string, string> }, callback: Answer<ClientResponse>): void;
  /** BYE; the promise rejects when it could not be sent, and never settles when the connection is lost meanwhile. */
  destroy(): Promise<unknown>;
  /** re-INVITE; answered by the other side's SDP. */
  modify(sdp: string): Promise<string>;
}

export interface Progress {
  cbRequest: (error: unknown, request: ClientRequest | undefined) => void;
  cbProvisional: (response: ClientResponse) => void;
}

/** A socket to the server, and the library's retry state: both undocumented, for what the library leaves undone. */
interface Agent {
  mapServer: Map<import('node:net').Socket, unknown>;
  wp: { closing?: boolean; reconnectVars: { retryTimer: NodeJS.Timeout | null } };
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
  createUAC(
    uri: string,
    options: { localSdp: string; headers: Record<string, string>; callingNumber?: string },
    progress: Progress,
    callback: Answer<Dialog>,
  ): void;
  request(
    uri: string,
    options: { method: string; stackDialogId: string; headers: Record<string, string> },
    callback: Answer<unknown>,
  ): void;
  removeDialog(dialog: Dialog): void;
  disconnect(): void;
  readonly app: { client: Agent };
}

export function createSrf(): SrfLibrary {
  return new Srf() as unknown as SrfLibrary;
}

/** The status of a rejected request; 503 for what never got an answer. */
export function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : 503;
}
