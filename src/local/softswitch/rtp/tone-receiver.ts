/** Passes the audio packets of one RTP stream to a tone detector, and reports lost ones and silence to it. */
import type { Digit } from './dtmf-receiver.ts';
import type { Codec } from './g711.ts';
import { type RtpPacket, timestampDifference } from './packet.ts';
import { ToneDetector } from './tone-detector.ts';

/** Maximum lost sound within a key press (60 ms); more counts as silence. */
const MOST_LOST_SAMPLES = 480;

export class ToneReceiver {
  readonly #onDigit: (digit: Digit) => void;
  #detector: ToneDetector;
  #last: { ssrc: number; sequence: number; endsAt: number } | null = null;

  constructor(onDigit: (digit: Digit) => void) {
    this.#onDigit = onDigit;
    this.#detector = new ToneDetector(onDigit);
  }

  /** Reads a packet of audio. Late and duplicate packets are dropped. */
  receive({ ssrc, sequence, timestamp, payload }: RtpPacket, codec: Codec): void {
    if (this.#last !== null && ssrc !== this.#last.ssrc) this.#startOver();
    if (this.#last !== null) {
      const ahead = (sequence - this.#last.sequence) & 0xffff;
      if (ahead === 0 || ahead >= 0x8000) return;
      this.#pass(timestampDifference(timestamp, this.#last.endsAt), ahead > 1);
    }
    this.#last = { ssrc, sequence, endsAt: (timestamp + payload.length) >>> 0 };
    this.#detector.hear(payload, codec);
  }

  #startOver(): void {
    this.#last = null;
    this.#detector = new ToneDetector(this.#onDigit);
  }

  /** Handles time without a packet. If no packet was lost, the phone suppresses silence. */
  #pass(samples: number, isLost: boolean): void {
    if (isLost && samples <= MOST_LOST_SAMPLES) this.#detector.skip();
    else if (samples > 0) this.#detector.rest(samples);
  }
}
