/**
 * A SIP server with drachtio-server's application protocol, for tests that send its messages themselves. It has no SIP
 * stack: the test writes the text of each request, and every response of the app is echoed as sent.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import {
  type About,
  fromNetwork,
  newRequestLine,
  requestSent,
  responseSent,
  sipLine,
} from '../../src/local/softswitch/signalling/leader.ts';
import { encodeFrame, type Frame, FrameReader } from '../../src/local/softswitch/signalling/wire.ts';

const PEER = { transport: 'udp', address: '127.0.0.1', port: 5060 } as const;
const ADDRESS = '127.0.0.1:5060';
const GREETING = `OK|udp/${ADDRESS}|v0.9.10|udp/${ADDRESS}`;

/** A request of the app, with the text that the server would send. */
export interface SentRequest {
  method: string;
  transactionId: string;
  dialogId: string;
  text: string;
}

export class FakeSipServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #events = new EventEmitter();
  /** The dialogs of the INVITEs, by transaction. */
  readonly #dialogs = new Map<string, string>();
  /** The response to each request of the app. */
  onRequest: (request: SentRequest) => void = (request) => this.respond(request, 200, 'OK');

  private constructor() {
    this.#server = createServer((socket) => this.#accept(socket));
    this.#events.setMaxListeners(0);
  }

  static async start(): Promise<FakeSipServer> {
    const fake = new FakeSipServer();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Resolves when an app has authenticated. */
  async connected(): Promise<void> {
    await once(this.#events, 'authenticated');
  }

  /**
   * Passes a request from the network to the app.
   * @param dialogId empty outside of a dialog
   * @returns the status of the app's final response
   */
  async request(text: string, dialogId = ''): Promise<number> {
    const transactionId = randomUUID();
    const about = fromNetwork(text, PEER);
    const [, callId = ''] = /^Call-ID: ([^\r\n]*)\r$/m.exec(text) ?? [];
    const [, tag = ''] = /^From: [^\r\n]*;tag=([\w-]+)\r$/m.exec(text) ?? [];
    this.#dialogs.set(transactionId, dialogId === '' ? `${callId};from-tag=${tag}` : dialogId);
    const answered = once(this.#events, transactionId) as Promise<[number]>;
    this.#tell(
      dialogId === '' ? newRequestLine(about, transactionId, ADDRESS) : sipLine(about, transactionId, dialogId),
    );
    return (await answered)[0];
  }

  /** Passes a message in a dialog to the app, which does not answer it: an ACK. */
  tell(text: string, dialogId: string): void {
    this.#tell(sipLine(fromNetwork(text, PEER), randomUUID(), dialogId));
  }

  /** Passes a response to a request of the app to it. @param headers lines with their line ends */
  respond(
    request: SentRequest,
    status: number,
    reason: string,
    { headers = 'Contact: <sip:them@127.0.0.1>\r\n', body = '' } = {},
  ): void {
    const text = `SIP/2.0 ${status} ${reason}\r\n${addresses(request.text)}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    this.#tell(sipLine(fromNetwork(text, PEER), request.transactionId, request.dialogId));
  }

  /** Sends bytes as they are. */
  write(bytes: string | Uint8Array): void {
    for (const socket of this.#sockets) socket.write(bytes);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #tell(text: string): void {
    this.write(encodeFrame(`${randomUUID()}|${text}`));
  }

  #answer(id: string, text: string): void {
    this.#tell(`response|${id}|${text}`);
  }

  #accept(socket: Socket): void {
    const reader = new FrameReader();
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk) => {
      for (const frame of reader.push(chunk) ?? []) this.#received(frame);
    });
  }

  #received({ tokens: [id = '', verb, ...rest], message }: Frame): void {
    if (verb === 'authenticate') {
      this.#answer(id, GREETING);
      this.#events.emit('authenticated');
    } else if (verb !== 'sip' || message === undefined) this.#answer(id, 'OK');
    else if (message.startsWith('SIP/2.0 ')) this.#sent(id, rest[0] ?? '', message);
    else this.#requested(id, rest, message);
  }

  #sent(id: string, transactionId: string, message: string): void {
    const dialogId = this.#dialogs.get(transactionId) ?? '';
    const [, status = ''] = message.split(' ', 2);
    // As the server adds them.
    const [head = '', ...bodies] = message.split('\r\n\r\n');
    const isOpen = /^to: [^\r\n]*;tag=/im.test(head);
    const tagged = isOpen ? head : head.replace(/^to: [^\r\n]*/im, '$&;tag=ours');
    const text = [`${tagged}\r\nContact: <sip:${ADDRESS}>`, ...bodies].join('\r\n\r\n');
    this.#answer(id, responseSent(fromApp(text), transactionId, dialogId));
    if (Number(status) >= 200) this.#events.emit(transactionId, Number(status));
  }

  #requested(id: string, [transaction = '', dialog = '']: string[], message: string): void {
    const method = message.split(' ', 1)[0] ?? '';
    const transactionId = transaction === '' ? randomUUID() : transaction;
    const callId = /^call-id: ([^\r\n]*)/im.exec(message)?.[1] ?? randomUUID();
    const dialogId = dialog === '' ? `${callId};from-tag=ours` : dialog;
    const text = dialog === '' ? withAddresses(message, callId) : message;
    this.#answer(id, requestSent(fromApp(text), transactionId));
    if (method !== 'ACK') this.onRequest({ method, transactionId, dialogId, text });
  }
}

const fromApp = (text: string): About => Object.assign(fromNetwork(text, PEER), { source: 'application' as const });

/** The request with what the server adds outside of a dialog. */
function withAddresses(message: string, callId: string): string {
  const end = message.indexOf('\r\n');
  const added = [
    'From: <sip:us@127.0.0.1>;tag=ours',
    'To: <sip:them@127.0.0.1>',
    `Call-ID: ${callId}`,
    `CSeq: 1 ${message.split(' ', 1)[0]}`,
    'Contact: <sip:us@127.0.0.1>',
  ].filter((line) => !new RegExp(`^${line.split(':', 1)[0]}:`, 'im').test(message));
  return [message.slice(0, end), ...added].join('\r\n') + message.slice(end);
}

/** From, To, Call-ID and CSeq of a request, for its response. */
function addresses(request: string): string {
  const lines = request.split('\r\n').filter((line) => /^(?:From|Call-ID|CSeq):/i.test(line));
  return [...lines, 'To: <sip:them@127.0.0.1>;tag=theirs', ''].join('\r\n');
}
