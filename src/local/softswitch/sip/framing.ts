/** Splits a TCP byte stream into SIP messages by Content-Length (RFC 3261 18.3), within limits. */
import { MAX_BODY_BYTES, MAX_HEADER_BYTES } from './message.ts';

export class StreamFramer {
  #pending: Buffer = Buffer.alloc(0);

  /**
   * Reads bytes and returns the complete messages, without CRLF keepalives (RFC 5626 4.4.1). If the stream is
   * malformed, `broken` has the invalid bytes: answer them if possible, then close the stream.
   */
  push(chunk: Buffer): { messages: Buffer[]; broken?: Buffer } {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      this.#pending = skipKeepalives(this.#pending);
      const size = frameSize(this.#pending);
      if (size === 'broken') return { messages, broken: this.#pending };
      if (size === undefined || size > this.#pending.length) return { messages };
      messages.push(this.#pending.subarray(0, size));
      this.#pending = this.#pending.subarray(size);
    }
  }
}

function skipKeepalives(data: Buffer): Buffer {
  let at = 0;
  while (at < data.length && (data[at] === 0x0d || data[at] === 0x0a)) at++;
  return data.subarray(at);
}

/** Length of the first message in bytes; undefined while its headers are incomplete. */
function frameSize(data: Buffer): number | 'broken' | undefined {
  const end = data.indexOf('\r\n\r\n');
  if (end > MAX_HEADER_BYTES || (end < 0 && data.length > MAX_HEADER_BYTES)) return 'broken';
  if (end < 0) return undefined;
  const match = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$/im.exec(data.toString('latin1', 0, end));
  const length = match ? Number(match[1]) : 0;
  return length > MAX_BODY_BYTES ? 'broken' : end + 4 + length;
}
