/**
 * Reads FreeSWITCH's event socket instead of the parser of drachtio-modesl (1.3.1). That parser decodes every header of
 * every event, and throws on an escape that is not UTF-8, which a caller can put into its SDP. This reader decodes a
 * header when it is read, and never throws while decoding.
 */

import type { EslEvent } from 'drachtio-fsmrf';
import modesl, { type Parser } from 'drachtio-modesl';

/** An event is about 6 KB. A much longer message means that the stream is not an event socket. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const HEAD_END = '\n\n';
const NEWLINE = 0x0a;
/** FreeSWITCH writes this for an empty value (switch_event_serialize). */
const EMPTY = '_undef_';

/** The handling of a message failed, or the stream is not an event socket. */
export class EventFault extends Error {
  override readonly name = 'EventFault';
}

/** Splits the stream of one connection into messages. */
export class EventReader {
  #bytes: Buffer = Buffer.alloc(0);

  /** @returns the messages that are now complete. @throws EventFault if the stream is not an event socket */
  *read(chunk: Buffer): Generator<ReceivedEvent, void, undefined> {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    for (let event = this.#take(); event !== null; event = this.#take()) yield event;
    if (this.#bytes.length > MAX_MESSAGE_BYTES) throw new EventFault('a message of the event socket has no end');
  }

  #take(): ReceivedEvent | null {
    let start = 0;
    while (this.#bytes[start] === NEWLINE) start += 1;
    const end = this.#bytes.indexOf(HEAD_END, start);
    if (end === -1) return null;
    const head = new HeaderLines(this.#bytes.toString('utf8', start, end));
    const bodyStart = end + HEAD_END.length;
    const bodyEnd = bodyStart + lengthOf(head);
    if (this.#bytes.length < bodyEnd) return null;
    const body = this.#bytes.toString('utf8', bodyStart, bodyEnd);
    this.#bytes = this.#bytes.subarray(bodyEnd);
    return new ReceivedEvent(head, body);
  }
}

function lengthOf(head: HeaderLines): number {
  const length = Number(head.get('Content-Length') ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/** `Name: value` lines, whose values are percent-encoded. */
class HeaderLines {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get(name: string): string | null {
    const label = `${name}: `;
    const isFirst = this.#text.startsWith(label);
    const start = isFirst ? 0 : this.#text.indexOf(`\n${label}`) + 1;
    if (start === 0 && !isFirst) return null;
    const valueStart = start + label.length;
    const end = this.#text.indexOf('\n', valueStart);
    const value = this.#text.slice(valueStart, end === -1 ? undefined : end);
    return value === EMPTY ? '' : percentDecoded(value);
  }

  get names(): string[] {
    return [...this.#text.matchAll(/^([^\n:]+): /gm)].map(([, name = '']) => name);
  }
}

/** Decodes valid escapes only. FreeSWITCH does not escape a `%` in the caller's text (switch_url_encode). */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString());
}

/** A message, with the used part of drachtio-modesl's Event interface. */
export class ReceivedEvent implements EslEvent {
  readonly contentType: string | null;
  readonly #headers: HeaderLines;
  readonly #body: string;

  constructor(head: HeaderLines, text: string) {
    this.contentType = head.get('Content-Type');
    // The text of an event has its headers, and after an empty line its own body.
    const isEvent = this.contentType === 'text/event-plain';
    const headEnd = isEvent ? text.indexOf(HEAD_END) : -1;
    this.#headers = isEvent ? new HeaderLines(headEnd === -1 ? text : text.slice(0, headEnd)) : head;
    this.#body = isEvent ? (headEnd === -1 ? '' : text.slice(headEnd + HEAD_END.length)) : text;
  }

  getHeader(name: string): string | null {
    return this.#headers.get(name) ?? this.#replyHeader(name);
  }

  getBody(): string {
    return this.#body;
  }

  /** All headers, as in the library's own Event: for its calls that list a channel's variables. */
  get headers(): { name: string; value: string | null }[] {
    return this.#headers.names.map((name) => ({ name, value: this.getHeader(name) }));
  }

  get body(): string {
    return this.getBody();
  }

  /** drachtio-modesl's own names for the two kinds of Reply-Text. */
  #replyHeader(name: string): string | null {
    if (!name.startsWith('Modesl-')) return null;
    const reply = this.#headers.get('Reply-Text');
    if (name === 'Modesl-Reply-OK' && reply?.startsWith('+OK')) return reply.slice(4);
    if (name === 'Modesl-Reply-ERR' && reply?.startsWith('-ERR')) return reply.slice(5);
    return null;
  }
}

const readers = new WeakMap<Parser, EventReader>();
/** Of all connections of the process, like the parser. */
const traffic = { messages: 0, bytes: 0 };

/** What this process has received from media servers since its start. */
export function mediaTraffic(): Readonly<typeof traffic> {
  return traffic;
}

/**
 * Replaces the parser for all connections of drachtio-modesl, which accepts no other parser. An error in the handling
 * of an event becomes an {@link EventFault}, as an `error` event of the connection. Idempotent.
 */
export function replaceEventParser(): void {
  modesl.Parser.prototype._onData = receive;
}

function receive(this: Parser, chunk: Buffer): void {
  const reader = readers.get(this) ?? new EventReader();
  readers.set(this, reader);
  traffic.bytes += chunk.length;
  try {
    for (const event of reader.read(chunk)) {
      traffic.messages += 1;
      dispatch(this, event);
    }
  } catch (error) {
    this.emit('error', error);
  }
}

function dispatch(parser: Parser, event: ReceivedEvent): void {
  try {
    const headers = { 'Content-Type': event.contentType, 'Event-Name': event.getHeader('Event-Name') };
    parser.emit('esl::event', event, headers, event.getBody());
  } catch (error) {
    parser.emit('error', new EventFault('an event was not handled', { cause: error }));
  }
}
