/** The audio that an RTP stream sends: a source of up to one frame per tick. */
import { type Codec, FRAME_SAMPLES, SILENCE_BYTE, transcodeG711 } from './g711.ts';

export interface AudioSource {
  /**
   * The next 20 ms in `codec`, FRAME_SAMPLES bytes; null for silence. Called exactly once per tick; the caller does not
   * keep the buffer.
   */
  read(codec: Codec): Buffer | null;
  /** Set while a gap in the sound would change its meaning, as in the tone of a key. */
  readonly isUnbroken?: boolean;
}

/** Encoded sound, ready to be cut into frames; shared by all calls that play it. */
export interface Clip {
  /** Length at 8 kHz. */
  readonly samples: number;
  encoded(codec: Codec): Buffer;
}

/** Cuts one frame out of a clip; the last frame is padded with silence. Null past the end. */
export function frameAt(clip: Clip, offset: number, codec: Codec): Buffer | null {
  if (offset >= clip.samples) return null;
  const sound = clip.encoded(codec);
  const end = offset + FRAME_SAMPLES;
  if (end <= sound.length) return sound.subarray(offset, end);
  const frame = Buffer.alloc(FRAME_SAMPLES, SILENCE_BYTE[codec]);
  sound.copy(frame, 0, offset);
  return frame;
}

/** Plays a clip once from start to end, without gaps. */
export function onceOf(clip: Clip, done: () => void): AudioSource {
  let at = 0;
  return {
    get isUnbroken() {
      return at < clip.samples;
    },
    read: (codec) => {
      const frame = frameAt(clip, at, codec);
      at += FRAME_SAMPLES;
      if (frame === null) done();
      return frame;
    },
  };
}

/** Limit of queued audio; more is queued only if the two clocks drift or packets arrive in bursts. */
const MAX_WAITING_BYTES = 8 * FRAME_SAMPLES;
const KEPT_ON_OVERFLOW_BYTES = 2 * FRAME_SAMPLES;

/**
 * Relays audio from one leg of a bridge to the other. Accepts packets of any length and returns frames on the media
 * clock. A late packet causes one frame of silence and adds one frame of delay, which absorbs the next late packet.
 */
export class BridgeFeed implements AudioSource {
  readonly #waiting: { sound: Buffer; codec: Codec }[] = [];
  #bytes = 0;

  /** @param sound is copied: it may be a view into a datagram */
  push(sound: Buffer, codec: Codec): void {
    if (sound.length === 0) return;
    this.#waiting.push({ sound: Buffer.from(sound), codec });
    this.#bytes += sound.length;
    if (this.#bytes <= MAX_WAITING_BYTES) return;
    while (this.#bytes > KEPT_ON_OVERFLOW_BYTES && this.#waiting.length > 1) {
      this.#bytes -= this.#waiting.shift()?.sound.length ?? 0;
    }
  }

  read(codec: Codec): Buffer | null {
    if (this.#bytes < FRAME_SAMPLES) return null;
    const parts: Buffer[] = [];
    let missing = FRAME_SAMPLES;
    while (missing > 0) {
      const head = this.#waiting[0];
      if (!head) break;
      const part = head.sound.subarray(0, missing);
      parts.push(transcodeG711(part, head.codec, codec));
      missing -= part.length;
      if (part.length === head.sound.length) this.#waiting.shift();
      else head.sound = head.sound.subarray(part.length);
    }
    this.#bytes -= FRAME_SAMPLES;
    return parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts);
  }
}
