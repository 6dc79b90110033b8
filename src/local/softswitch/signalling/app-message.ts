/** Reads a SIP message written by drachtio-srf, which leaves some headers for the stack to add. */
import { isRequest, parseMessage, type SipMessage } from '../sip/index.ts';

type Lists = Record<string, string[]>;

/** A message as the application wrote it. */
export type AppMessage =
  | { kind: 'request'; method: string; uri: string; headers: Lists; body: string }
  | { kind: 'response'; status: number; reason: string; headers: Lists; body: string };

/** Headers that name `@localhost` mean our own address (drachtio-srf writes `sip:15551234@localhost`). */
const LOCALHOST_HEADERS = ['from', 'to', 'contact', 'p-asserted-identity'];

/**
 * Undefined if the text is no SIP message. The body is all text after the blank line, because the client's
 * Content-Length counts characters, not bytes.
 */
export function readAppMessage(text: string): AppMessage | undefined {
  const parsed = parseMessage(Buffer.from(text), true)?.message;
  if (!parsed) return undefined;
  const blank = text.indexOf('\r\n\r\n');
  const body = blank < 0 ? '' : text.slice(blank + 4);
  const headers = toLists(parsed);
  if (!isRequest(parsed)) return { kind: 'response', status: parsed.status, reason: parsed.reason, headers, body };
  return { kind: 'request', method: parsed.method.toUpperCase(), uri: parsed.uri, headers, body };
}

function toLists(message: SipMessage): Lists {
  const lists: Lists = {};
  for (const { name, value } of message.headers) {
    const spelt = capitalized(name);
    const list = lists[spelt] ?? [];
    list.push(value);
    lists[spelt] = list;
  }
  return lists;
}

/** As drachtio-server prints custom headers: capitals after dashes, but X- headers unchanged. */
function capitalized(name: string): string {
  if (/^x-/i.test(name)) return name;
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** Replaces `@localhost` by our `host:port`, in place. */
export function replaceLocalhost(headers: Lists, hostPort: string): void {
  for (const [name, values] of Object.entries(headers)) {
    if (!LOCALHOST_HEADERS.includes(name.toLowerCase())) continue;
    headers[name] = values.map((value) => value.replace(/@localhost(?::\d+)?(?=[>;\s]|$)/i, `@${hostPort}`));
  }
}

/** The header's first value, for any case of the name. */
export function firstHeader(headers: Lists, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1][0];
}

/** A body without a content type is a session description. */
export function lacksContentType(message: { headers: Lists; body: string }): boolean {
  if (message.body === '' || message.body.startsWith('v=0')) return false;
  return firstHeader(message.headers, 'Content-Type') === undefined;
}
