/**
 * Types for the part of drachtio-srf 5.0.29 that we use; its own declarations leave out half of it. Callbacks are used instead
 * of promises where a handler must be in place before the next message of the same TCP segment.
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
  /** Empty where the server made up the response: nobody was reached, or nobody answered. */
  readonly source_address: string;
}

type Answer<T> = (error: unknown, result: T) => void;

export interface Dialog {
  readonly id: string;
  readonly sip: { callId: string };
  readonly local: { sdp: string; contact: string };
  readonly remote: { sdp: string };
  on(event: 'notify' | 'info' | 'modify', handler: (req: ServerRequest, res: ServerResponse) => void): void;
  /** `destroy`: a BYE from the far end, or from the server when our 200 was never ACKed. */
  once(event: 'ack' | 'destroy', handler: () => void): void;
  removeAllListeners(): void;
  request(options: { method: string; headers?: Record<string, string> }, callback: Answer<ClientResponse>): void;
  /** Sends a BYE. Rejects when it could not be sent; never settles when the connection is lost meanwhile. */
  destroy(): Promise<unknown>;
  /** Sends a re-INVITE; resolves to the far end's SDP. */
  modify(sdp: string): Promise<string>;
}

export interface Progress {
  cbRequest: (error: unknown, request: ClientRequest | undefined) => void;
  cbProvisional: (response: ClientResponse) => void;
}

/** Undocumented: the sockets to the server, and the state of the library's retries. */
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

/** The SIP status of a failed request; 503 where there was no response. */
export function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : 503;
}
