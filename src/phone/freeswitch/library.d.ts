/**
 * Types for the part of drachtio-fsmrf 4.1.2 and its event-socket library (drachtio-modesl 1.3.1) that we use; they
 * declare none.
 */
declare module 'drachtio-fsmrf' {
  import type { EventEmitter } from 'node:events';
  import type { Server, Socket } from 'node:net';

  interface EslEvent {
    getHeader(name: string): string | null;
    getBody(): string;
  }

  interface EslConnection {
    /** Null once closed. */
    socket: Socket | null;
    /** Of the inbound connection: the library reconnects for ever unless `maxAttempts` says otherwise. */
    reconnectOpts: { maxAttempts?: number };
    api(command: string, args: readonly string[], callback: (response: EslEvent) => void): void;
    execute(app: string, arg: string, callback: (completed: EslEvent) => void): void;
    sendRecv(command: string, callback: () => void): void;
    on(event: 'error', handler: (error: Error) => void): void;
  }

  interface EndpointDialog extends EventEmitter {
    readonly id: string;
    connected: boolean;
    readonly remote: { sdp: string };
    destroy(): Promise<unknown>;
    modify(sdp: string): Promise<string>;
    readonly _reinvitesInProgress: { count: number; admitOne: (() => void)[] };
  }

  /** Events: `dtmf` {dtmf, source}, `playback-start`, `destroy` {reason} (without it: the event socket broke). */
  class Endpoint extends EventEmitter {
    readonly uuid: string;
    /** Null once the event socket is closed. */
    readonly conn: EslConnection | null;
    /** Null once destroyed. */
    readonly dialog: EndpointDialog | null;
    bridge(uuid: string): Promise<void>;
    /** Never settles when the far side does not answer with a BYE. */
    destroy(): Promise<void>;
  }

  /** Events: `end`, when the inbound connection is lost. */
  class MediaServer extends EventEmitter {
    readonly conn: EslConnection;
    /** Undocumented: the listener for the outbound event sockets, one for each endpoint. */
    readonly _server: {
      server: Server;
      on(event: 'connection::open', handler: (connection: EslConnection) => void): void;
    };
    /** Where FreeSWITCH finds that listener. */
    readonly advertisedAddress: string;
    readonly advertisedPort: number;
    connected(): boolean;
    api(command: string): Promise<string>;
    /** `headers` are those of the INVITE. */
    createEndpoint(options: { remoteSdp?: string; headers?: Record<string, string> }): Promise<Endpoint>;
    disconnect(): void;
  }

  interface ConnectOptions {
    address: string;
    port: number;
    secret: string;
    listenAddress: string;
    listenPort: number;
    advertisedAddress?: string;
  }

  class Mrf {
    /** `srf`: drachtio-srf's object. */
    constructor(srf: object);
    connect(options: ConnectOptions): Promise<MediaServer>;
  }

  namespace Mrf {
    export type { ConnectOptions, Endpoint, EndpointDialog, EslConnection, EslEvent, MediaServer };
  }

  export = Mrf;
}

declare module 'drachtio-modesl' {
  import type { EventEmitter } from 'node:events';
  import type { Socket, Server as TcpServer } from 'node:net';
  import type { EslEvent } from 'drachtio-fsmrf';

  /** Undocumented: reads one connection. Its `error` becomes one of the connection. */
  interface Parser extends Pick<EventEmitter, 'emit'> {
    _onData(chunk: Buffer): void;
  }

  /** Events: `esl::event::<name>::<channel>`, `esl::ready`, `error`. */
  class Connection {
    /** Null once closed. */
    readonly socket: Socket | null;
    send(command: string, headers?: Readonly<Record<string, unknown>>): void;
    sendRecv(command: string, callback: () => void): void;
    subscribe(events: string | readonly string[]): void;
    on(event: string, handler: (event: EslEvent) => void): void;
    /** The answer to `connect`, which describes the channel. */
    getInfo(): EslEvent | null;
  }

  /** Events: `connection::open`, with the connection. */
  class Server extends EventEmitter {
    constructor(options: { server: TcpServer });
  }

  const modesl: { Parser: { prototype: Parser }; Connection: typeof Connection; Server: typeof Server };

  export type { Connection, Parser };
  export default modesl;
}
