/**
 * Keeps an error while a message of drachtio-server is handled from ending the process: drachtio-srf (5.0.29) handles
 * messages inside its socket's `data` event and would read the same message again with the next data.
 */
import { canParse, type WireProtocol } from './library.ts';

export interface MessageFaults {
  /** A message was not handled. `ids`: what its first line names, among others its dialog. */
  notHandled(error: unknown, ids: readonly string[]): void;
  /** A SIP message that the library cannot parse, and would print, with a key that a caller pressed. It is dropped. */
  notParsed(ids: readonly string[]): void;
  /** The stream cannot be read any further. Its connection is closed, and the library makes another. */
  notReadable(): void;
}

/** To be called before the first connection is up. */
export function guardMessages(wire: WireProtocol, faults: MessageFaults): void {
  const handlers = wire.listeners('msg');
  wire.removeAllListeners('msg');
  wire.on('msg', (socket, message) => {
    const ids = message.split('\r', 1)[0]?.split('|') ?? [];
    // After the first line, and the line feed that ends it.
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
        // The library's error quotes the stream, which may hold a key that a caller pressed.
        faults.notReadable();
        socket.destroy();
      }
    });
  });
}

/** The library's errors quote the message, which may hold a key that a caller pressed. */
function withoutQuote(error: unknown, message: string): unknown {
  return error instanceof Error && error.message.includes(message) ? new Error('a message of an unknown kind') : error;
}
