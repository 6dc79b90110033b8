/** The connection of one application: framing, authentication, answers to its messages. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { encodeFrame, type Frame, FrameReader } from './wire.ts';

const AUTHENTICATION_LIMIT_MS = 10_000;
/** An application that does not read is disconnected at this backlog (in bytes). */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024;

/** The interface of the server to its connections. */
interface ConnectionHooks {
  secret: string;
  /** The text after `OK|` if the secret is correct. */
  greeting(): string;
  /** A message from an authenticated application. */
  message(connection: AppConnection, frame: Frame): void;
  closed(connection: AppConnection): void;
}

export class AppConnection {
  readonly #socket: Socket;
  readonly #hooks: ConnectionHooks;
  readonly #reader = new FrameReader();
  readonly #authenticationTimer: NodeJS.Timeout;
  #authenticated = false;
  #open = true;

  constructor(socket: Socket, hooks: ConnectionHooks) {
    this.#socket = socket;
    this.#hooks = hooks;
    this.#authenticationTimer = setTimeout(() => this.close(), AUTHENTICATION_LIMIT_MS);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 15_000);
    socket.on('data', (chunk) => this.#received(chunk));
    socket.on('error', () => this.close());
    socket.on('close', () => this.#gone());
  }

  get open(): boolean {
    return this.#open;
  }

  /** Sends the application a message that answers none of its own. */
  tell(text: string): void {
    if (!this.#open) return;
    this.#socket.write(encodeFrame(`${randomUUID()}|${text}`));
    if (this.#socket.writableLength > MAX_BACKLOG_BYTES) this.close();
  }

  /** Answers one of the application's messages: `OK…`, `NOK|reason` or `NO|reason`. */
  answer(messageId: string, text: string): void {
    this.tell(`response|${messageId}|${text}`);
  }

  /** Answers `NO|reason` and closes the connection, as drachtio-server does for messages it cannot read. */
  refuse(messageId: string, reason: string): void {
    this.answer(messageId, `NO|${reason}`);
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
    this.#gone();
  }

  #gone(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#authenticationTimer);
    this.#hooks.closed(this);
  }

  #received(chunk: Buffer): void {
    const frames = this.#reader.push(chunk);
    if (!frames) this.close();
    for (const frame of frames ?? []) {
      if (!this.#open) return;
      this.#handle(frame);
    }
  }

  #handle(frame: Frame): void {
    const [id = '', verb, argument = ''] = frame.tokens;
    if (verb === 'authenticate') this.#authenticate(id, argument);
    else if (!this.#authenticated) this.refuse(id, 'not authenticated');
    else if (verb === 'ping') this.answer(id, 'OK|pong');
    else this.#hooks.message(this, frame);
  }

  #authenticate(id: string, secret: string): void {
    if (!sameSecret(secret, this.#hooks.secret)) {
      this.refuse(id, 'incorrect secret');
      return;
    }
    this.#authenticated = true;
    clearTimeout(this.#authenticationTimer);
    this.answer(id, `OK|${this.#hooks.greeting()}`);
  }
}

function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export class Routes {
  readonly #byVerb = new Map<string, AppConnection[]>();

  /** A second subscription of the same application changes nothing. */
  add(verb: string, connection: AppConnection): void {
    const wanting = this.#byVerb.get(verb.toLowerCase()) ?? [];
    if (!wanting.includes(connection)) wanting.push(connection);
    this.#byVerb.set(verb.toLowerCase(), wanting);
  }

  /** Ends all its subscriptions: `remove_route` of one method ends all of them in drachtio-server, too. */
  forget(connection: AppConnection): void {
    for (const [verb, wanting] of this.#byVerb)
      this.#byVerb.set(
        verb,
        wanting.filter((one) => one !== connection),
      );
  }

  /** The next application in turn; undefined if none has subscribed to the method. */
  next(method: string): AppConnection | undefined {
    const wanting = this.#byVerb.get(method.toLowerCase());
    const first = wanting?.shift();
    if (first) wanting?.push(first);
    return first;
  }
}
