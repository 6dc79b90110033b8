/** Events as FreeSWITCH fires and writes them (switch_event.c, mod_event_socket.c). */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A header that appears several times is an array in JSON and `ARRAY::a|:b` in plain text. */
export type HeaderValue = string | string[];
/** In the order of the output. */
type Headers = Map<string, HeaderValue>;

/** One event, before it is written in a client's format. */
export interface SwitchEvent {
  name: string;
  /** Only in a CUSTOM event. */
  subclass?: string;
  headers: Headers;
  body?: string;
}

/** The version in FreeSWITCH's format, with this product's name as the build. */
export const ENGINE_VERSION = '1.10.12-release-ringkey~64bit';

/** The identity of the process, which is in every event. */
export class EventFactory {
  readonly coreUuid = randomUUID();
  readonly hostname = hostname();
  readonly #address: string;
  #sequence = 0;

  constructor(address: string) {
    this.#address = address;
  }

  /** @param source the C function that fires this event in FreeSWITCH, for `Event-Calling-Function` */
  create(name: string, source: string, headers: Iterable<[string, HeaderValue]>, body?: string): SwitchEvent {
    const all: Headers = new Map(this.common(name, source));
    for (const [key, value] of headers) all.set(key, value);
    return body === undefined ? { name, headers: all } : { name, headers: all, body };
  }

  common(name: string, source: string): [string, string][] {
    const now = new Date();
    this.#sequence++;
    return [
      ['Event-Name', name],
      ['Core-UUID', this.coreUuid],
      ['FreeSWITCH-Hostname', this.hostname],
      ['FreeSWITCH-Switchname', this.hostname],
      ['FreeSWITCH-IPv4', this.#address],
      ['FreeSWITCH-IPv6', '::1'],
      ['Event-Date-Local', localTime(now)],
      ['Event-Date-GMT', now.toUTCString()],
      ['Event-Date-Timestamp', microseconds(now.getTime())],
      ['Event-Calling-File', `${source}.c`],
      ['Event-Calling-Function', source],
      ['Event-Calling-Line-Number', '1'],
      ['Event-Sequence', String(this.#sequence)],
    ];
  }
}

/** Milliseconds since 1970 → FreeSWITCH's microseconds. */
export function microseconds(ms: number): string {
  return `${Math.trunc(ms)}000`;
}

function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/**
 * Percent-encodes as `switch_url_encode` does (switch_utils.c, 1.11.2): its own list of unsafe characters, and all that
 * is not printable ASCII. It does not encode `%E9`, so the decoded value may not be UTF-8.
 */
export function urlEncode(value: string): string {
  return value.replace(/%(?![0-9A-F]{2})|[^ -~]|[ "#&+:;<=>?@[\\\]^`{|}]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/**
 * `Name: value` lines, values percent-encoded, with the blank line at the end; the form of `connect`, `uuid_dump` and
 * plain events.
 */
export function serializePlain(event: Pick<SwitchEvent, 'headers' | 'body'>): string {
  const lines: string[] = [];
  for (const [name, value] of event.headers) lines.push(`${name}: ${urlEncode(flatten(value)) || '_undef_'}\n`);
  if (event.body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(event.body)}\n`);
  return `${lines.join('')}\n${event.body ?? ''}`;
}

/** The JSON form; the body is under `_body`. */
export function serializeJson(event: Pick<SwitchEvent, 'headers' | 'body'>): string {
  const object: Record<string, HeaderValue> = Object.fromEntries(event.headers);
  if (event.body !== undefined) {
    object['Content-Length'] = String(Buffer.byteLength(event.body));
    object._body = event.body;
  }
  return JSON.stringify(object);
}

function flatten(value: HeaderValue): string {
  return typeof value === 'string' ? value : `ARRAY::${value.join('|:')}`;
}

type Listener = (event: SwitchEvent) => void;

/** Delivers events to the event sockets. A listener that throws is a bug and ends the process. */
export class EventBus {
  readonly #listeners = new Set<Listener>();

  /** @returns the function that ends the subscription */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  fire(event: SwitchEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}
