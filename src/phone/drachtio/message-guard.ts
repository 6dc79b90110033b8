/**
 * Keeps an error in the handling of a drachtio-server message from ending the process. drachtio-srf (5.0.29) handles
 * messages inside its socket's `data` event, and would read the same message again with the next data.
 */
import type { Socket } from 'node:net';
import { canParse, type WireProtocol } from './library.ts';

interface MessageFaults {
  /** The handling of a message failed. `ids`: the fields of its first line, including its dialog. */
  notHandled(error: unknown, ids: readonly string[]): void;
  /**
   * A SIP message that the library cannot parse. It is not passed to the library, which would print it with any key in
   * it. A request gets 400.
   */
  notParsed(ids: readonly string[]): void;
  /** The stream is unreadable. Its connection is closed, and the library opens another one. */
  notReadable(): void;
}

/** Many times what a SIP message can have. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_LENGTH_DIGITS = 8;

/** The place of the transaction in the first line of a SIP message. */
const TRANSACTION = 8;
const BAD_REQUEST = 'SIP/2.0 400 Bad Request\r\nContent-Length: 0\r\n\r\n';

/** A request but an ACK (RFC 3261, 17). */
function isAnswerable(sip: string): boolean {
  return !/^(?:SIP\/|ACK\s)/i.test(sip);
}

/**
 * The message as the library can parse it, or null. Of a response, it may lack the reason phrase, and lines that are no
 * headers: something waits for the response.
 */
function readableOf(sip: string): string | null {
  if (canParse(sip)) return sip;
  const [head = '', ...body] = sip.split('\r\n\r\n');
  const [, status] = /^SIP\/2\.0\s+(\d{3})/i.exec(head) ?? [];
  if (status === undefined) return null;
  const headers = head.split(/\r\n(?![ \t])/).filter((line, at) => at > 0 && /^\S*\s*:/.test(line));
  const plain = [[`SIP/2.0 ${status} `, ...headers].join('\r\n'), ...body].join('\r\n\r\n');
  return canParse(plain) ? plain : null;
}

/** Must be called before the first connection is up. */
export function guardMessages(wire: WireProtocol, faults: MessageFaults): void {
  const handlers = wire.listeners('msg');
  wire.removeAllListeners('msg');
  wire.on('msg', (socket, message) => {
    const ids = message.split('\r', 1)[0]?.split('|') ?? [];
    // After the first line and its line feed.
    const start = message.indexOf('\r') + 2;
    const sip = ids[1] === 'sip' ? message.slice(start) : null;
    const readable = sip === null ? '' : readableOf(sip);
    if (sip !== null && readable === null) {
      if (isAnswerable(sip)) wire.send(socket, `sip|${ids[TRANSACTION]}|\r\n${BAD_REQUEST}`);
      faults.notParsed(ids);
      return;
    }
    const handled = sip === null ? message : `${message.slice(0, start)}${readable}`;
    try {
      for (const handle of handlers) handle(socket, handled);
    } catch (error) {
      faults.notHandled(withoutQuote(error, message), ids);
    }
  });
  wire.on('connect', (socket) => {
    const readers = socket.listeners('data') as ((chunk: Buffer) => void)[];
    socket.removeAllListeners('data');
    socket.on('data', (chunk) => {
      if (hasRead(wire, socket, chunk, readers)) return;
      faults.notReadable();
      socket.destroy();
    });
  });
}

/**
 * Lets the library read a chunk. Without a valid length it would throw, or wait for the end of a message that has none.
 * @returns false if the stream is unreadable
 */
function hasRead(
  wire: WireProtocol,
  socket: Socket,
  chunk: Buffer,
  readers: readonly ((chunk: Buffer) => void)[],
): boolean {
  try {
    for (const read of readers) read(chunk);
  } catch {
    // The library's error quotes the stream, which may contain a caller's key.
    return false;
  }
  const unread = wire.mapIncomingMsg.get(socket)?.incomingMsg ?? Buffer.alloc(0);
  const [, length, mark] = /^(\d*)(#?)/.exec(unread.toString('latin1', 0, MAX_LENGTH_DIGITS + 1)) ?? [];
  const hasLength = mark === '#' ? length !== '' : length?.length === Math.min(unread.length, MAX_LENGTH_DIGITS);
  return hasLength && Number(length) <= MAX_MESSAGE_BYTES;
}

/** The library's errors quote the message, which may contain a caller's key. */
function withoutQuote(error: unknown, message: string): unknown {
  return error instanceof Error && error.message.includes(message) ? new Error('a message of an unknown kind') : error;
}
