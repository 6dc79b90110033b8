/**
 * Keeps an error in the handling of a drachtio-server message from ending the process. drachtio-srf (5.0.29) handles
 * messages inside its socket's `data` event, and would read the same message again with the next data.
 */
import { canParse, type WireProtocol } from './library.ts';

export interface MessageFaults {
  /** The handling of a message failed. `ids`: the fields of its first line, including its dialog. */
  notHandled(error: unknown, ids: readonly string[]): void;
  /**
   * A SIP message that the library cannot parse. It is dropped, because the library would print it with any key in it.
   */
  notParsed(ids: readonly string[]): void;
  /** The stream is unreadable. Its connection is closed, and the library opens another one. */
  notReadable(): void;
}

/** Must be called before the first connection is up. */
export function guardMessages(wire: WireProtocol, faults: MessageFaults): void {
  const handlers = wire.listeners('msg');
  wire.removeAllListeners('msg');
  wire.on('msg', (socket, message) => {
    const ids = message.split('\r', 1)[0]?.split('|') ?? [];
    // After the first line and its line feed.
    const sip = ids[1] === 'sip' ? message.slice(message.indexOf('\r') + 2) : null;
    if (sip !== null && !canParse(sip)) {
      faults.notParsed(ids);
      return;
    }
    try {
      for (const handle of handlers) handle(socket, message);
    } catch (error) {
      faults.notHandled(withoutQuote(error, message), ids);
    }
  });
  wire.on('connect', (socket) => {
    const readers = socket.listeners('data') as ((chunk: Buffer) => void)[];
    socket.removeAllListeners('data');
    socket.on('data', (chunk) => {
      try {
        for (const read of readers) read(chunk);
      } catch {
        // The library's error quotes the stream, which may contain a caller's key.
        faults.notReadable();
        socket.destroy();
      }
    });
  });
}

/** The library's errors quote the message, which may contain a caller's key. */
function withoutQuote(error: unknown, message: string): unknown {
  return error instanceof Error && error.message.includes(message) ? new Error('a message of an unknown kind') : error;
}
