/** Telephone-event sender (RFC 4733): turns keys into the payloads of consecutive 20 ms packets. */
import { DTMF_KEYS } from './dtmf-receiver.ts';
import { FRAME_MS, FRAME_SAMPLES } from './g711.ts';

/** A packet to send instead of audio in one tick. */
export interface DtmfPacket {
  /** Set on the first packet of a press. */
  marker: boolean;
  /** Ticks since the start of the press, whose timestamp is that of its first tick. */
  ticksSinceStart: number;
  payload: Buffer;
}

/** Times of one key press, in milliseconds. */
export interface DtmfTiming {
  /** How long a key is held; rounded up to 20 ms. */
  toneMs: number;
  /** Silence after it. */
  gapMs: number;
  /** Whether to send end packets. Default: true. Some phones and gateways send none, against RFC 4733, 2.5.1.4. */
  sendsEnd?: boolean;
}

export const DEFAULT_TIMING: DtmfTiming = { toneMs: 100, gapMs: 100 };

const END_PACKETS = 3;
/** −10 dBm0, the usual level. */
const VOLUME = 10;
const MAX_TONE_TICKS = Math.floor(0xffff / FRAME_SAMPLES);
/** Enough for a burst of typing; more keys are refused. */
const MAX_QUEUED_KEYS = 256;

interface Press {
  event: number;
  toneTicks: number;
  gapTicks: number;
  sendsEnd: boolean;
  elapsed: number;
  done: () => void;
}

/** The outgoing key presses of one RTP stream. Call `next` once per tick. */
export class DtmfSender {
  readonly #queue: Press[] = [];

  get busy(): boolean {
    return this.#queue.length > 0;
  }

  /**
   * Queues the keys of `digits`; characters other than 0–9, *, #, A–D are skipped.
   * @param done called after the gap of the last key, or immediately if there is no key to send
   * @throws {RangeError} if too many keys are queued
   */
  send(digits: string, timing: DtmfTiming, done: () => void = () => undefined): void {
    const events = [...digits.toUpperCase()].map((key) => DTMF_KEYS.indexOf(key)).filter((event) => event >= 0);
    if (this.#queue.length + events.length > MAX_QUEUED_KEYS)
      throw new RangeError('Too many keys are waiting to be sent');
    if (events.length === 0) done();
    const toneTicks = Math.min(MAX_TONE_TICKS, Math.max(1, Math.ceil(timing.toneMs / FRAME_MS)));
    const gapTicks = Math.max(0, Math.ceil(timing.gapMs / FRAME_MS));
    events.forEach((event, index) => {
      const last = index === events.length - 1;
      const { sendsEnd = true } = timing;
      this.#queue.push({ event, toneTicks, gapTicks, sendsEnd, elapsed: 0, done: last ? done : () => undefined });
    });
  }

  /**
   * The packets of this tick; none if audio may be sent.
   * @param skipped ticks lost to a stall before this one: they shorten the silence after a key, because the line waits
   *   in real time; a tone is sent in full
   */
  next(skipped = 0): DtmfPacket[] {
    const press = this.#queue[0];
    if (!press) return [];
    const tick = press.elapsed;
    const isSilent = tick >= press.toneTicks;
    press.elapsed += isSilent ? 1 + skipped : 1;
    if (press.elapsed >= press.toneTicks + press.gapTicks) {
      this.#queue.shift();
      press.done();
    }
    if (isSilent) return [];
    if (tick < press.toneTicks - 1 || !press.sendsEnd) return [packet(press.event, tick, false)];
    // The end packet is sent three times at once, so that one lost packet does not lose the digit.
    return Array.from({ length: END_PACKETS }, () => packet(press.event, tick, true));
  }

  /** Drops the queued keys and runs their `done` callbacks. */
  clear(): void {
    for (const press of this.#queue.splice(0)) press.done();
  }
}

function packet(event: number, tick: number, end: boolean): DtmfPacket {
  const payload = Buffer.from([event, (end ? 0x80 : 0) | VOLUME, 0, 0]);
  payload.writeUInt16BE((tick + 1) * FRAME_SAMPLES, 2);
  return { marker: tick === 0, ticksSinceStart: tick, payload };
}
