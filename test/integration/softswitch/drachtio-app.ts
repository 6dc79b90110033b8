/** Types for the parts of drachtio-srf that tests use. Its own types lack promises, most verbs and the events. */
import type { EventEmitter } from 'node:events';
import Srf from 'drachtio-srf';

export interface AppMessage extends EventEmitter {
  method: string;
  status: number;
  body: string;
  raw: string;
  source: string;
  protocol: string;
  source_address: string;
  source_port: number;
  get(name: string): string | undefined;
  getParsedHeader(name: string): { uri: string };
}

export interface AppRequest extends AppMessage {
  cancel(done: (error?: Error) => void): void;
}

export interface AppResponse {
  send(
    status: number,
    options?: { headers?: Record<string, string>; body?: string },
    done?: (error?: unknown) => void,
  ): void;
}

export interface AppDialog extends EventEmitter {
  id: string;
  remote: { sdp: string };
  destroy(): Promise<unknown>;
  modify(sdp: string): Promise<string>;
  request(options: { method: string; headers?: Record<string, string>; body?: string }): Promise<AppMessage>;
}

interface UacOptions {
  localSdp?: string;
  noAck?: boolean;
  callingNumber?: string;
  auth?: { username: string; password: string };
  headers?: Record<string, string>;
}

interface UacCallbacks {
  cbRequest?(error: unknown, request: AppRequest): void;
  cbProvisional?(response: AppMessage): void;
}

type Handler = (request: AppRequest, response: AppResponse) => void;

export interface App extends EventEmitter {
  connect(options: { host: string; port: number; secret: string; reconnect?: object }): void;
  disconnect(): void;
  invite(handler: Handler): void;
  options(handler: Handler): void;
  message(handler: Handler): void;
  createUAS(request: AppRequest, response: AppResponse, options: { localSdp: string }): Promise<AppDialog>;
  createUAC<T = AppDialog>(uri: string, options: UacOptions, callbacks?: UacCallbacks): Promise<T>;
}

export const newApp = () => new Srf() as unknown as App;
