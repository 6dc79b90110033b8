/**
 * Telephone-event receiver (RFC 4733). It calls `onDigit` once for each key press, even if the network loses, repeats
 * or delays its packets: an event is known by its timestamp, so repeats and late packets are recognized, and any one of
 * its packets is enough.
 */
import { timestampDifference } from './packet.ts';

/** Events 0–15 as keys; higher ones (flash, fax tones) are ignored. */
export const DTMF_KEYS = '0123456789*#ABCD';

export interface Digit {
  key: string;
  /** How long the key was held according to the packets received, in samples at 8 kHz. */
  durationSamples: number;
}

interface Press {
  event: number;
  timestamp: number;
  /** When its last packet arrived. */
  lastPacketAtMs: number;
}

interface OpenEvent extends Press {
  /** Duration of earlier segments of the same press (RFC 4733, 2.5.1.3). */
  earlierSamples: number;
  durationSamples: number;
  /** How many times its timestamp has changed. */
  moves: number;
  /** Number of packets with the current timestamp, without copies of the packet before. */
  updates: number;
}

/** Distinguishes the first packet of a press from a later one of the previous press. */
interface Mark {
  marker: boolean;
  end: boolean;
  durationSamples: number;
}

/**
 * A key press without packets for this time has ended, because all its end packets may be lost. Updates arrive every 20
 * to 50 ms.
 */
const END_AFTER_SILENCE_MS = 160;
/** How many past timestamps are remembered, for late packets. */
const MAX_REMEMBERED = 32;
/** A timestamp up to this far behind is a late press; if it is farther behind, the sender has restarted. */
const REORDER_WINDOW_SAMPLES = 8000;
/**
 * Packets of one key belong to one press if neither their timestamps nor their arrivals are farther apart: some phones
 * advance the timestamp within a press, against RFC 4733, 2.1. Two presses start at least 70 ms apart (ITU-T Q.24: 40
 * ms of tone, and a pause), but some senders count too little time between them: SIPp's presses are 400 samples apart
 * by timestamp, and 200 ms in reality.
 */
const ONE_PRESS_SAMPLES = 480;
const ONE_PRESS_MS = 100;
/** About the maximum of a duration (give or take a packet): the sender continues with a new segment. */
const LONG_SEGMENT_TICKS = 0xffff - 2000;

const END_BIT = 0x80;

/** One RTP source; call `poll` regularly (each media tick). */
export class DtmfReceiver {
  readonly #onDigit: (digit: Digit) => void;
  readonly #open: OpenEvent[] = [];
  readonly #past: number[] = [];
  #ssrc: number | null = null;
  /** Ticks of the event clock in a sample at 8 kHz. */
  #scale = 1;
  #lastFinished: (Press & { durationSamples: number }) | null = null;
  /** Whether the sender keeps one timestamp for a press, as it should; null until a press of several packets. */
  #keepsTimestamps: boolean | null = null;

  constructor(onDigit: (digit: Digit) => void) {
    this.#onDigit = onDigit;
  }

  /**
   * Reads one packet of the negotiated telephone-event payload type.
   * @param payload ignored if shorter than 4 bytes; RFC 2198 redundancy is not supported
   * @param clockRate of the events, in Hz: phones with wide-band codecs send 48,000
   */
  receive(
    packet: { ssrc: number; timestamp: number; payload: Buffer; marker?: boolean },
    nowMs: number,
    clockRate = 8_000,
  ): void {
    const { payload, ssrc, timestamp, marker = false } = packet;
    if (payload.length < 4) return;
    if (ssrc !== this.#ssrc) this.#startOver(ssrc);
    this.#scale = clockRate / 8_000;
    const event = payload.readUInt8(0);
    if (event >= DTMF_KEYS.length || this.#past.includes(timestamp)) return;
    const durationSamples = Math.round(payload.readUInt16BE(2) / this.#scale);
    const end = (payload.readUInt8(1) & END_BIT) !== 0;
    const mark = { marker, end, durationSamples };
    if (this.#repeatsEnd(event, timestamp, nowMs, mark)) return;
    const open = this.#find(event, timestamp, nowMs, mark) ?? this.#start(event, timestamp, nowMs);
    if (open.updates === 0 || durationSamples > open.durationSamples || end) open.updates += 1;
    open.durationSamples = Math.max(open.durationSamples, durationSamples);
    open.lastPacketAtMs = nowMs;
    if (end) this.#finish(open);
  }

  /** Ends presses whose end packets were lost. */
  poll(nowMs: number): void {
    if (this.#open.length === 0) return;
    for (const open of [...this.#open]) {
      if (nowMs - open.lastPacketAtMs >= END_AFTER_SILENCE_MS) this.#finish(open);
    }
  }

  /** Reports keys that are still held, when the stream ends or its source changes. */
  flush(): void {
    for (const open of [...this.#open]) this.#finish(open);
  }

  #startOver(ssrc: number): void {
    this.flush();
    this.#past.length = 0;
    this.#lastFinished = null;
    this.#keepsTimestamps = null;
    this.#ssrc = ssrc;
  }

  #find(event: number, timestamp: number, nowMs: number, mark: Mark): OpenEvent | undefined {
    const same = this.#open.find((open) => open.timestamp === timestamp);
    if (same) return same;
    const before = this.#open.at(-1);
    if (!before) return undefined;
    if (this.#isOnePress(before, event, timestamp, nowMs) && !this.#isFirst(before, timestamp, mark)) {
      // Another packet of this press may arrive late.
      this.#remember(before.timestamp);
      before.timestamp = timestamp;
      before.moves += 1;
      this.#keepsTimestamps = false;
      return before;
    }
    return this.#continues(before, event, timestamp) ? this.#extend(before, timestamp) : undefined;
  }

  /** Ticks of the event clock as samples at 8 kHz. */
  #ahead(timestamp: number, of: number): number {
    return timestampDifference(timestamp, of) / this.#scale;
  }

  #isOnePress(press: Press, event: number, timestamp: number, nowMs: number): boolean {
    if (press.event !== event || nowMs - press.lastPacketAtMs > ONE_PRESS_MS) return false;
    return Math.abs(this.#ahead(timestamp, press.timestamp)) <= ONE_PRESS_SAMPLES;
  }

  /** The duration restarts with each press, and the marker bit starts one (RFC 4733, 2.5.1.1 and 2.5.1.2). */
  #isFirst(before: { timestamp: number; durationSamples: number }, timestamp: number, mark: Mark): boolean {
    const isNewer = this.#ahead(timestamp, before.timestamp) > 0;
    const isRestarted = mark.durationSamples <= before.durationSamples;
    return isNewer && isRestarted && (mark.marker || this.#keepsTimestamps === true);
  }

  /** The end of a press is sent three times, and its timestamp may advance then, too. */
  #repeatsEnd(event: number, timestamp: number, nowMs: number, mark: Mark): boolean {
    const last = this.#lastFinished;
    if (last === null || !this.#isOnePress(last, event, timestamp, nowMs)) return false;
    if (this.#isFirst(last, timestamp, mark)) return false;
    // A later packet that is no end belongs to a new press; an older one was overtaken.
    if (!mark.end && this.#ahead(timestamp, last.timestamp) > 0) return false;
    this.#lastFinished = { ...last, timestamp, lastPacketAtMs: nowMs };
    return true;
  }

  /** Continues the press in a new segment: same event, no new digit. */
  #extend(open: OpenEvent, timestamp: number): OpenEvent {
    this.#remember(open.timestamp);
    open.earlierSamples += this.#ahead(timestamp, open.timestamp);
    open.timestamp = timestamp;
    open.durationSamples = 0;
    return open;
  }

  #start(event: number, timestamp: number, nowMs: number): OpenEvent {
    for (const open of [...this.#open]) {
      const ahead = this.#ahead(timestamp, open.timestamp);
      // A later press ends the earlier one even without an end packet; a slightly older packet was only overtaken.
      if (ahead > 0 || ahead < -REORDER_WINDOW_SAMPLES) this.#finish(open);
    }
    const open = {
      event,
      timestamp,
      earlierSamples: 0,
      durationSamples: 0,
      lastPacketAtMs: nowMs,
      moves: 0,
      updates: 0,
    };
    this.#open.push(open);
    return open;
  }

  #finish(open: OpenEvent): void {
    this.#open.splice(this.#open.indexOf(open), 1);
    this.#remember(open.timestamp);
    this.#lastFinished = open;
    if (open.moves === 0 && open.updates > 1) this.#keepsTimestamps ??= true;
    this.#onDigit({ key: DTMF_KEYS.charAt(open.event), durationSamples: open.earlierSamples + open.durationSamples });
  }

  #remember(timestamp: number): void {
    this.#past.push(timestamp);
    if (this.#past.length > MAX_REMEMBERED) this.#past.shift();
  }

  #continues(open: OpenEvent, event: number, timestamp: number): boolean {
    if (open.event !== event || open.durationSamples * this.#scale < LONG_SEGMENT_TICKS) return false;
    const ahead = timestampDifference(timestamp, open.timestamp);
    return ahead >= LONG_SEGMENT_TICKS && ahead <= 0xffff + 2000;
  }
}
