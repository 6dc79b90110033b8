/**
 * SIP transport on one port, UDP and TCP (RFC 3261 18): turns bytes into framed messages. Never throws on received
 * data.
 */
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { StreamFramer } from './framing.ts';
import type { Peer } from './types.ts';

const MAX_CONNECTIONS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const PORT_ATTEMPTS = 20;

/** For tests and traces: receives each message; returns false to drop it. */
type Filter = (direction: 'in' | 'out', data: Buffer, peer: Peer) => boolean;

interface TransportOptions {
  filter?: Filter | undefined;
  /** A TCP connection is closed after this time without a complete message, unless it is `inUse`. */
  idleLimitMs: number;
  /** Whether a call or a transaction still needs the connection to this peer. */
  inUse: (peer: Peer) => boolean;
}

interface TransportEvents {
  /** One framed message. `stream`: its length came from Content-Length. */
  data: [data: Buffer, peer: Peer, stream: boolean];
  /** A TCP stream that exceeds the limits; it is closed after the listeners have run. */
  broken: [data: Buffer, peer: Peer];
}

export class SipTransport extends EventEmitter<TransportEvents> {
  readonly #address: string;
  readonly #filter: Filter;
  readonly #options: TransportOptions;
  readonly #connections = new Map<string, Connection>();
  #udp: DatagramSocket | undefined;
  #tcp: Server | undefined;
  #port = 0;

  constructor(address: string, options: TransportOptions) {
    super();
    this.#address = address;
    this.#options = options;
    this.#filter = options.filter ?? (() => true);
  }

  get port(): number {
    return this.#port;
  }

  /** Binds UDP and TCP; rejects with the system's error (EADDRINUSE …). Port 0 picks a port that is free for both. */
  async start(port: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#udp = await bindDatagram(this.#address, port);
        this.#tcp = await listen(this.#address, this.#udp.address().port);
        break;
      } catch (error) {
        this.#udp?.close();
        this.#udp = undefined;
        if (port !== 0 || attempt >= PORT_ATTEMPTS) throw error;
      }
    }
    this.#port = this.#udp.address().port;
    this.#udp.on('message', (data, from) => {
      this.#received(data, { transport: 'udp', address: from.address, port: from.port }, false);
    });
    // Errors such as ICMP's are ignored: the transaction timers handle an unreachable peer.
    this.#udp.on('error', () => undefined);
    this.#tcp.maxConnections = MAX_CONNECTIONS;
    this.#tcp.on('connection', (socket) => this.#adopt(socket));
  }

  /** Whether a TCP connection to exactly this peer is open. */
  hasConnection(peer: Peer): boolean {
    return peer.transport === 'tcp' && this.#connections.has(keyOf(peer));
  }

  /** Sends once; `failed` is called (at most once, later) if the peer cannot be reached. */
  send(text: string | Buffer, peer: Peer, failed: (error: Error) => void): void {
    const data = typeof text === 'string' ? Buffer.from(text) : text;
    if (!this.#filter('out', data, peer)) return;
    if (peer.transport === 'udp') {
      if (!this.#udp) return;
      this.#udp.send(data, peer.port, peer.address, (error) => error && failed(error));
      return;
    }
    const { socket, idle } = this.#connections.get(keyOf(peer)) ?? this.#connect(peer);
    idle.refresh();
    socket.write(data, (error) => error && failed(error));
  }

  /** Closes everything at once and drops unsent bytes. Also used to imitate a phone that disappears. */
  async close(): Promise<void> {
    for (const { socket, idle } of this.#connections.values()) {
      clearTimeout(idle);
      socket.destroy();
    }
    this.#connections.clear();
    const udp = this.#udp;
    const tcp = this.#tcp;
    this.#udp = undefined;
    this.#tcp = undefined;
    await Promise.all([
      udp && new Promise<void>((resolve) => udp.close(resolve)),
      tcp && new Promise<void>((resolve) => tcp.close(() => resolve())),
    ]);
  }

  #received(data: Buffer, peer: Peer, stream: boolean): void {
    if (this.#filter('in', data, peer)) this.emit('data', data, peer, stream);
  }

  #connect(peer: Peer): Connection {
    const local = this.#address === '0.0.0.0' ? {} : { localAddress: this.#address };
    const socket = connect({ host: peer.address, port: peer.port, ...local });
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('connect timed out')));
    socket.once('connect', () => socket.setTimeout(0));
    return this.#follow(socket, peer);
  }

  #adopt(socket: Socket): void {
    if (socket.remoteAddress === undefined || socket.remotePort === undefined) {
      socket.destroy();
      return;
    }
    this.#follow(socket, { transport: 'tcp', address: socket.remoteAddress, port: socket.remotePort });
  }

  #follow(socket: Socket, peer: Peer): Connection {
    const key = keyOf(peer);
    const framer = new StreamFramer();
    const idle = setTimeout(() => this.#closeIdle(connection, peer), this.#options.idleLimitMs);
    const connection: Connection = { socket, idle };
    this.#connections.set(key, connection);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      const { messages, broken } = framer.push(chunk);
      // Only complete messages keep the connection open: otherwise a byte now and then would hold it forever.
      if (messages.length > 0) idle.refresh();
      for (const message of messages) this.#received(message, peer, true);
      if (!broken) return;
      this.emit('broken', broken, peer);
      socket.removeAllListeners('data');
      socket.end(() => socket.destroy());
    });
    // The write callbacks have already reported the error to the transactions.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(idle);
      if (this.#connections.get(key) === connection) this.#connections.delete(key);
    });
    return connection;
  }

  #closeIdle({ socket, idle }: Connection, peer: Peer): void {
    if (this.#options.inUse(peer)) idle.refresh();
    else socket.destroy();
  }
}

interface Connection {
  socket: Socket;
  /** Fires after the limit without a complete message sent or received. */
  idle: NodeJS.Timeout;
}

function keyOf(peer: Peer): string {
  return `${peer.address}:${peer.port}`;
}

function bindDatagram(address: string, port: number): Promise<DatagramSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    socket.once('error', reject);
    socket.bind(port, address, () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function listen(address: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}
