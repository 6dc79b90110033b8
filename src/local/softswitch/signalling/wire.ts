/**
 * Frames of drachtio-server's application protocol: `<byte length>#<uuid>|<tokens>` and optionally CRLF and a message.
 */

/** Larger than any SIP message that can arrive here. */
const MAX_FRAME_BYTES = 1_048_576;
const MAX_LENGTH_DIGITS = 7;

/** @param text `<uuid>|<tokens>` and the message; its length is counted in bytes of UTF-8 */
export function encodeFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${payload.length}#`), payload]);
}

export interface Frame {
  /** The first line, split at `|`; [0] is the message id. */
  tokens: string[];
  /** The text after the first line; undefined if there is none. */
  message: string | undefined;
}

/** Splits an application's bytes into frames, within limits. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Reads bytes and returns the complete frames; undefined if the stream is malformed and must be closed. */
  push(chunk: Buffer): Frame[] | undefined {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const frames: Frame[] = [];
    for (;;) {
      const hash = this.#pending.indexOf('#');
      if (hash < 0) return this.#pending.length > MAX_LENGTH_DIGITS ? undefined : frames;
      const length = lengthOf(this.#pending.toString('latin1', 0, Math.min(hash, MAX_LENGTH_DIGITS + 1)));
      if (length === undefined) return undefined;
      const end = hash + 1 + length;
      if (this.#pending.length < end) return frames;
      frames.push(splitFrame(this.#pending.toString('utf8', hash + 1, end)));
      this.#pending = this.#pending.subarray(end);
    }
  }
}

function lengthOf(digits: string): number | undefined {
  if (!/^\d{1,7}$/.test(digits)) return undefined;
  const length = Number(digits);
  return length > 0 && length <= MAX_FRAME_BYTES ? length : undefined;
}

function splitFrame(text: string): Frame {
  const end = text.indexOf('\r\n');
  const leader = end < 0 ? text : text.slice(0, end);
  return { tokens: leader.split('|'), message: end < 0 ? undefined : text.slice(end + 2) };
}
