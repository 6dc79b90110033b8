/**
 * Telephone-event receiver (RFC 4733). One call of `onDigit` for each key press, whatever the network did to its packets:
 * an event is known by its timestamp, so repeats and late packets are recognised, and any one packet of it is enough.
 */
import { timestampDifference } from './packet.ts';

/** Events 0–15 as keys; whatever lies above (flash, fax tones) is ignored. */
export const DTMF_KEYS = '0123456789*#ABCD';

export interface Digit {
  key: string;
  /** How long the key was held, in samples at 8 kHz, as far as was heard. */
  durationSamples: number;
}

interface OpenEvent {
  event: number;
  timestamp: number;
  /** Of earlier segments of the same press (RFC 4733, 2.5.1.3). */
  earlierSamples: number;
  durationSamples: number;
  heardAtMs: number;
}

/** A key press without packets for so long has ended, because all its end packets may be lost. Updates come every 20 to 50 ms. */
const END_AFTER_SILENCE_MS = 160;
/** How many past timestamps are remembered, for packets that come late. */
const MAX_REMEMBERED = 32;
/** A timestamp up to this far behind is a late press; farther behind, the sender has restarted. */
const REORDER_WINDOW_SAMPLES = 8000;
/** A duration that can grow no more, give or take a packet: the sender goes on with a new segment. */
const LONG_SEGMENT_SAMPLES = 0xffff - 2000;

const END_BIT = 0x80;

/** One RTP source; call `poll` regularly (each media tick). */
export class DtmfReceiver {
  readonly #onDigit: (digit: Digit) => void;
  readonly #open: OpenEvent[] = [];
  readonly #past: number[] = [];
  #ssrc: number | null = null;

  constructor(onDigit: (digit: Digit) => void) {
    this.#onDigit = onDigit;
  }

  /**
   * Takes one packet of the negotiated telephone-event payload type.
   * @param payload at least 4 bytes, or it is ignored; RFC 2198 redundancy is not supported
   */
  receive(packet: { ssrc: number; timestamp: number; payload: Buffer }, nowMs: number): void {
    const { payload, ssrc, timestamp } = packet;
    if (payload.length < 4) return;
    if (ssrc !== this.#ssrc) this.#startOver(ssrc);
    const event = payload.readUInt8(0);
    if (event >= DTMF_KEYS.length || this.#past.includes(timestamp)) return;
    const durationSamples = payload.readUInt16BE(2);
    const open = this.#find(event, timestamp) ?? this.#begin(event, timestamp, nowMs);
    open.durationSamples = Math.max(open.durationSamples, durationSamples);
    open.heardAtMs = nowMs;
    if (payload.readUInt8(1) & END_BIT) this.#finish(open);
  }

  /** Ends the presses whose end was lost. */
  poll(nowMs: number): void {
    if (this.#open.length === 0) return;
    for (const open of [...this.#open]) {
      if (nowMs - open.heardAtMs >= END_AFTER_SILENCE_MS) this.#finish(open);
    }
  }

  /** Reports what is still held: the stream ends or its source changes. */
  flush(): void {
    for (const open of [...this.#open]) this.#finish(open);
  }

  #startOver(ssrc: number): void {
    this.flush();
    this.#past.length = 0;
    this.#ssrc = ssrc;
  }

  #find(event: number, timestamp: number): OpenEvent | undefined {
    const same = this.#open.find((open) => open.timestamp === timestamp);
    if (same) return same;
    const before = this.#open.at(-1);
    return before && continues(before, event, timestamp) ? this.#extend(before, timestamp) : undefined;
  }

  /** The press goes on in a new segment: same event, no new digit. */
  #extend(open: OpenEvent, timestamp: number): OpenEvent {
    this.#remember(open.timestamp);
    open.earlierSamples += timestampDifference(timestamp, open.timestamp);
    open.timestamp = timestamp;
    open.durationSamples = 0;
    return open;
  }

  #begin(event: number, timestamp: number, nowMs: number): OpenEvent {
    for (const open of [...this.#open]) {
      const ahead = timestampDifference(timestamp, open.timestamp);
      // A later press ends the earlier one, end packet or not; one from a little before has merely been overtaken.
      if (ahead > 0 || ahead < -REORDER_WINDOW_SAMPLES) this.#finish(open);
    }
    const open = { event, timestamp, earlierSamples: 0, durationSamples: 0, heardAtMs: nowMs };
    this.#open.push(open);
    return open;
  }

  #finish(open: OpenEvent): void {
    this.#open.splice(this.#open.indexOf(open), 1);
    this.#remember(open.timestamp);
    this.#onDigit({ key: DTMF_KEYS.charAt(open.event), durationSamples: open.earlierSamples + open.durationSamples });
  }

  #remember(timestamp: number): void {
    this.#past.push(timestamp);
    if (this.#past.length > MAX_REMEMBERED) this.#past.shift();
  }
}

function continues(open: OpenEvent, event: number, timestamp: number): boolean {
  if (open.event !== event || open.durationSamples < LONG_SEGMENT_SAMPLES) return false;
  const ahead = timestampDifference(timestamp, open.timestamp);
  return ahead >= LONG_SEGMENT_SAMPLES && ahead <= 0xffff + 2000;
}
