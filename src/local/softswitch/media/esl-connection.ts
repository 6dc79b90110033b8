/** One event-socket connection (mod_event_socket.c), from a client or to an app: commands in order, replies, events. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { executeApplication, runApi } from './api.ts';
import { causeNamed } from './causes.ts';
import type { Channel } from './channel.ts';
import type { Engine } from './engine.ts';
import { type EslCommand, EslParser, EslProtocolError } from './esl-parser.ts';
import { Subscription } from './esl-subscription.ts';
import { type SwitchEvent, serializeJson, serializePlain } from './event.ts';

interface EslConnectionOptions {
  engine: Engine;
  /** The leg that an outbound connection controls. */
  channel?: Channel;
  /** Required on an inbound connection. */
  password?: string;
  /** Called once, when the connection has ended. */
  closed?(): void;
}

const GOODBYE = 'Disconnected, goodbye.\nSee you at ClueCon! http://www.cluecon.com/\n';
/** A client that does not read is disconnected at this backlog (in bytes). */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
const AUTH_LIMIT_MS = 30_000;

export class EslConnection {
  readonly #socket: Socket;
  readonly #options: EslConnectionOptions;
  readonly #parser = new EslParser();
  readonly #subscription = new Subscription();
  readonly #unlisten: () => void;
  #authed: boolean;
  #closed = false;
  #authTimer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: EslConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#authed = options.password === undefined;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => this.close());
    socket.on('close', () => this.#ended());
    this.#unlisten = options.engine.bus.listen((event) => this.#event(event));
    options.channel?.onGone(() => this.close());
    if (this.#authed) return;
    socket.write('Content-Type: auth/request\n\n');
    this.#authTimer = setTimeout(() => this.close(), AUTH_LIMIT_MS);
  }

  /** Sends the disconnect notice and closes. Idempotent. */
  close(): void {
    if (this.#closed) return;
    const uuid = this.#options.channel?.uuid;
    const session = uuid ? `Controlled-Session-UUID: ${uuid}\nContent-Disposition: disconnect\n` : '';
    this.#write(`Content-Type: text/disconnect-notice\n${session}Content-Length: ${GOODBYE.length}\n\n${GOODBYE}`);
    this.#socket.end();
    this.#ended();
  }

  #ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#authTimer);
    this.#unlisten();
    this.#options.closed?.();
  }

  #receive(chunk: Buffer): void {
    if (this.#closed) return;
    try {
      for (const command of this.#parser.push(chunk)) if (!this.#closed) this.#run(command);
    } catch (error) {
      if (!(error instanceof EslProtocolError)) throw error;
      this.close();
      this.#socket.destroySoon();
    }
  }

  #write(text: string): void {
    if (this.#closed || !this.#socket.writable) return;
    this.#socket.write(text);
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.#socket.destroy();
  }

  #reply(text: string): void {
    this.#write(`Content-Type: command/reply\nReply-Text: ${text}\n\n`);
  }

  #event(event: SwitchEvent): void {
    if (!this.#subscription.wants(event)) return;
    const { format } = this.#subscription;
    const text = format === 'json' ? serializeJson(event) : serializePlain(event);
    this.#write(`Content-Length: ${Buffer.byteLength(text)}\nContent-Type: text/event-${format}\n\n${text}`);
  }

  #run(command: EslCommand): void {
    const [verb = '', ...words] = command.line.split(' ').filter(Boolean);
    const name = verb.toLowerCase();
    if (name === 'exit' || name === '...') {
      this.#reply('+OK bye');
      this.close();
    } else if (!this.#authed) {
      this.#authenticate(name, command.line);
    } else if (name === 'api') {
      this.#api(command.line.slice(4).trim());
    } else if (name === 'bgapi') {
      this.#backgroundApi(command);
    } else if (name === 'connect' && this.#options.channel) {
      this.#connect(this.#options.channel);
    } else {
      this.#reply(this.#simple(name, words, command) ?? '-ERR command not found');
    }
  }

  #authenticate(name: string, line: string): void {
    if (name !== 'auth') {
      this.#reply('-ERR command not found');
      return;
    }
    this.#authed = line.slice('auth '.length) === this.#options.password;
    this.#reply(this.#authed ? '+OK accepted' : '-ERR invalid');
    clearTimeout(this.#authTimer);
    if (!this.#authed) this.close();
  }

  /** The channel as headers, percent-encoded, the reply's own headers last. */
  #connect(channel: Channel): void {
    const snapshot = channel.snapshot('parse_command', true);
    snapshot.headers.set('Content-Type', 'command/reply');
    snapshot.headers.set('Reply-Text', '+OK\n');
    snapshot.headers.set('Socket-Mode', 'async');
    snapshot.headers.set('Control', 'full');
    this.#write(serializePlain(snapshot));
  }

  #api(line: string): void {
    const result = runApi(this.#options.engine, line);
    this.#write(`Content-Type: api/response\nContent-Length: ${Buffer.byteLength(result)}\n\n${result}`);
  }

  #backgroundApi({ line, headers }: EslCommand): void {
    const { engine } = this.#options;
    const job = headers.get('job-uuid') ?? randomUUID();
    this.#reply(`+OK Job-UUID: ${job}\nJob-UUID: ${job}`);
    const text = line.slice('bgapi'.length).trim();
    const [command = '', ...args] = text.split(' ');
    setImmediate(() => {
      const about: [string, string][] = [
        ['Job-UUID', job],
        ['Job-Command', command],
        ['Job-Command-Arg', args.join(' ')],
      ];
      engine.bus.fire(engine.events.create('BACKGROUND_JOB', 'api_exec', about, runApi(engine, text)));
    });
  }

  /** Commands whose reply is one line; undefined if the command is unknown. */
  #simple(name: string, words: string[], command: EslCommand): string | undefined {
    switch (name) {
      case 'event':
        return this.#subscription.add(words);
      case 'nixevent':
        return this.#subscription.remove(words);
      case 'noevents':
        return this.#subscription.stop();
      case 'myevents':
        return this.#myEvents(words);
      case 'filter':
        return this.#subscription.filter(words);
      case 'sendmsg':
        return this.#sendMessage(words[0], command);
      case 'sendevent':
        return this.#sendEvent(words[0] ?? '', command);
      case 'getvar':
        return this.#options.channel?.variables.get(words[0] ?? '') ?? '';
      case 'log':
        return `+OK log level ${words[0] ?? 'debug'} [7]`;
      case 'nolog':
        return '+OK no longer logging';
      default:
        return undefined;
    }
  }

  /** Subscribes to all events of the controlled leg. */
  #myEvents(words: string[]): string {
    const { channel, engine } = this.#options;
    const format = words.find((word) => word === 'json' || word === 'plain');
    const uuid = channel?.uuid ?? words[0] ?? '';
    if (!engine.channels.has(uuid)) return '-ERR invalid uuid';
    this.#subscription.add([...(format ? [format] : []), 'ALL']);
    this.#subscription.filter(['Unique-ID', uuid]);
    return '+OK Events Enabled';
  }

  #sendMessage(named: string | undefined, { headers, body }: EslCommand): string {
    const { engine, channel: own } = this.#options;
    const uuid = named ?? headers.get('session-id');
    const channel = uuid === undefined ? own : engine.channels.get(uuid);
    if (!channel?.up) return `-ERR invalid session id [${uuid ?? ''}]`;
    const command = headers.get('call-command')?.toLowerCase();
    if (command === 'hangup') {
      setImmediate(() => channel.hangup(causeNamed(headers.get('hangup-cause'))));
    } else if (command === 'execute') {
      const app = headers.get('execute-app-name') ?? '';
      const data = headers.get('execute-app-arg') || body;
      if (app) setImmediate(() => executeApplication(channel, app, data, headers.get('event-uuid')));
    }
    return '+OK';
  }

  #sendEvent(name: string, { headers, body }: EslCommand): string {
    const { engine } = this.#options;
    const uuid = randomUUID();
    const subclass = headers.get('event-subclass');
    const event = engine.events.create(name.toUpperCase(), 'parse_command', [...headers], body || undefined);
    event.headers.set('Event-UUID', uuid);
    engine.bus.fire(subclass ? { ...event, subclass } : event);
    return `+OK ${uuid}`;
  }
}
