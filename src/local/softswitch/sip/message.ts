/**
 * SIP message syntax (RFC 3261 7, 25): a parser that never throws and always takes linear time, and a writer.
 * `Srf.SipMessage` is not used, because it merges repeated headers, lower-cases names and is the client's code.
 */
import type { HeaderBag, SipHeader, SipMessage, SipRequest } from './types.ts';

/** Limit of the start line and headers together. */
export const MAX_HEADER_BYTES = 65_536;
export const MAX_BODY_BYTES = 262_144;
const MAX_HEADER_LINES = 256;

/** Compact forms of RFC 3261 7.3.3 and of registered extensions. */
const COMPACT_FORMS = new Map(
  Object.entries({
    a: 'Accept-Contact',
    b: 'Referred-By',
    c: 'Content-Type',
    e: 'Content-Encoding',
    f: 'From',
    i: 'Call-ID',
    k: 'Supported',
    l: 'Content-Length',
    m: 'Contact',
    o: 'Event',
    r: 'Refer-To',
    s: 'Subject',
    t: 'To',
    u: 'Allow-Events',
    v: 'Via',
    x: 'Session-Expires',
  }),
);

const SPELLINGS = new Map(
  [
    ...COMPACT_FORMS.values(),
    'CSeq',
    'Max-Forwards',
    'Route',
    'Record-Route',
    'Allow',
    'Require',
    'Accept',
    'Expires',
    'Retry-After',
    'Subscription-State',
    'User-Agent',
    'Server',
    'Reason',
    'Warning',
    'Authorization',
    'Proxy-Authorization',
    'WWW-Authenticate',
    'Proxy-Authenticate',
    'P-Asserted-Identity',
    'Remote-Party-ID',
    'User-to-User',
    'Date',

    'Content-Disposition',
    'Diversion',
    'Privacy',
    'Min-Expires',
    'Min-SE',
    'RSeq',
    'RAck',
    'Timestamp',
    'Refer-Sub',
  ].map((name) => [name.toLowerCase(), name]),
);

interface Parsed {
  message: SipMessage;
  /** Why the message is malformed. The start line and the readable headers are kept for a 400 answer. */
  problem?: string;
}

export function isRequest(message: SipMessage): message is SipRequest {
  return 'method' in message;
}

/** The spelling of a header name in RFC 3261; unknown names are unchanged. */
export function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  return COMPACT_FORMS.get(lower) ?? SPELLINGS.get(lower) ?? name;
}

/**
 * Reads one message. `stream`: it was already framed by Content-Length. Returns undefined if there is no SIP start
 * line; such a message cannot be answered.
 */
export function parseMessage(data: Buffer, stream = false): Parsed | undefined {
  const head = headerLength(data);
  const lines = unfold(data.toString('utf8', 0, head.end));
  const message = parseStartLine(lines[0] ?? '');
  if (!message) return undefined;
  let problem = lines.length > MAX_HEADER_LINES ? 'Too Many Headers' : undefined;
  for (const line of lines.slice(1, MAX_HEADER_LINES)) {
    const header = parseHeaderLine(line);
    if (header) message.headers.push(header);
    else problem ??= 'Malformed Header';
  }
  problem ??= readBody(message, data.subarray(head.bodyStart), stream);
  return problem === undefined ? { message } : { message, problem };
}

function headerLength(data: Buffer): { end: number; bodyStart: number } {
  const crlf = data.indexOf('\r\n\r\n');
  if (crlf >= 0) return { end: crlf, bodyStart: crlf + 4 };
  const lf = data.indexOf('\n\n');
  return lf >= 0 ? { end: lf, bodyStart: lf + 2 } : { end: data.length, bodyStart: data.length };
}

/** Joins continuation lines (RFC 3261 7.3.1). */
function unfold(head: string): string[] {
  const lines: string[] = [];
  for (const line of head.split(/\r?\n/)) {
    const last = lines.length - 1;
    if ((line.startsWith(' ') || line.startsWith('\t')) && last > 0) lines[last] += ` ${line.trim()}`;
    else if (line !== '') lines.push(line);
  }
  return lines;
}

function parseStartLine(line: string): SipMessage | undefined {
  const response = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(line);
  if (response) return { status: Number(response[1]), reason: response[2] ?? '', headers: [], body: '' };
  const request = /^([A-Za-z0-9\-.!%*_+`'~]{1,32}) ([^\s]+) SIP\/2\.0\s*$/i.exec(line);
  if (!request?.[1] || !request[2]) return undefined;
  return { method: request[1], uri: request[2], headers: [], body: '' };
}

function parseHeaderLine(line: string): SipHeader | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trimEnd();
  if (!/^[A-Za-z0-9\-.!%*_+`'~]+$/.test(name)) return undefined;
  const value = line.slice(colon + 1).trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  if (/[\x00-\x08\x0a-\x1f]/.test(value)) return undefined;
  return { name: name.length === 1 ? canonicalName(name) : name, value };
}

/** RFC 3261 18.3: a datagram shorter than its Content-Length is an error, a longer one is cut. */
function readBody(message: SipMessage, rest: Buffer, stream: boolean): string | undefined {
  const text = headerValue(message, 'Content-Length');
  const length = text === undefined ? rest.length : Number(text);
  if (!/^\d{1,9}$/.test(text ?? '0')) return 'Bad Content-Length';
  if (!stream && length > rest.length) return 'Body Shorter Than Content-Length';
  message.body = rest.toString('utf8', 0, length);
  return undefined;
}

/** The first value of a header, in any of its spellings. */
export function headerValue(message: SipMessage, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return message.headers.find((header) => header.name.toLowerCase() === wanted)?.value;
}

/** All values of a list header (Via, Route, Contact …), from several lines and comma-separated lists. */
export function headerList(message: SipMessage, name: string): string[] {
  const wanted = name.toLowerCase();
  return message.headers
    .filter((header) => header.name.toLowerCase() === wanted)
    .flatMap((header) => splitList(header.value));
}

/** Splits at commas that stand outside quotes and angle brackets. */
function splitList(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let bracketed = false;
  for (let at = 0; at < value.length; at++) {
    const char = value[at];
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && char === '<') bracketed = true;
    else if (!quoted && char === '>') bracketed = false;
    else if (!quoted && !bracketed && char === ',') {
      parts.push(value.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(value.slice(start).trim());
  return parts.filter((part) => part !== '');
}

/** CSeq as number and method; undefined if it is invalid (RFC 3261 8.1.1.5: below 2**31). */
export function cseqOf(message: SipMessage): { number: number; method: string } | undefined {
  const match = /^(\d{1,10})\s+(\S+)$/.exec(headerValue(message, 'CSeq') ?? '');
  if (!match?.[2] || Number(match[1]) >= 2 ** 31) return undefined;
  return { number: Number(match[1]), method: match[2] };
}

/** Header lines from a bag, with known names spelled as in RFC 3261 and line breaks in values removed. */
export function toHeaders(bag: HeaderBag | undefined): SipHeader[] {
  return Object.entries(bag ?? {}).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const values = typeof value === 'object' ? value : [String(value)];
    return values.map((one) => ({ name: canonicalName(name), value: one.replace(/[\r\n]+/g, ' ') }));
  });
}

/** The serialized message; Content-Length always matches the body. */
export function serialize(message: SipMessage): string {
  const start = isRequest(message)
    ? `${message.method} ${message.uri} SIP/2.0`
    : `SIP/2.0 ${message.status} ${message.reason}`;
  const length = Buffer.byteLength(message.body);
  let hasLength = false;
  const lines = message.headers.map(({ name, value }) => {
    if (name.toLowerCase() !== 'content-length') return `${name}: ${value}`;
    hasLength = true;
    return `${name}: ${length}`;
  });
  if (!hasLength) lines.push(`Content-Length: ${length}`);
  return `${[start, ...lines].join('\r\n')}\r\n\r\n${message.body}`;
}
