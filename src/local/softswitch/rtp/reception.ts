/**
 * Quality of the received sound, measured as in FreeSWITCH (`check_jitter` in switch_rtp.c): gaps in the sequence, and
 * the variance of intervals.
 */

/** The first packets after a break are not measured. */
const LEAD_PACKETS = 10;
const SEQUENCES = 0x10000;

export class Reception {
  /** Number of packets missing in the sequence. */
  lost = 0;
  /** Least and greatest variance of the times between packets so far, in square milliseconds; 0: not known yet. */
  minVariance = 0;
  maxVariance = 0;
  #count = 0;
  #sum = 0;
  #sumOfSquares = 0;
  #sequence: number | null = null;
  #lastPacketAtMs = 0;
  #lead = 0;

  /** Mean time between packets, in milliseconds. */
  get meanIntervalMs(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** Counts a packet of sound. @param nowMs of a monotonic clock */
  receive(sequence: number, nowMs: number): void {
    this.#lead += 1;
    const intervalMs = nowMs - this.#lastPacketAtMs;
    this.#lastPacketAtMs = nowMs;
    this.#countLost(sequence);
    if (this.#lead <= LEAD_PACKETS) return;
    const difference = this.#count === 0 ? 0 : intervalMs - this.meanIntervalMs;
    this.#count += 1;
    this.#sum += intervalMs;
    this.#sumOfSquares += difference * difference;
    const variance = this.#sumOfSquares / this.#count;
    if (variance < this.minVariance || this.minVariance === 0) this.minVariance = variance;
    if (variance > this.maxVariance) this.maxVariance = variance;
  }

  /** Handles a key press: its packets are no sound, and the measurement restarts after them. */
  interrupt(): void {
    this.#sequence = null;
    this.#lead = 0;
  }

  /** Late and duplicate packets do not count as loss. */
  #countLost(sequence: number): void {
    const ahead = this.#sequence === null ? 1 : (sequence - this.#sequence + SEQUENCES) % SEQUENCES;
    if (ahead === 0 || ahead > SEQUENCES / 2) return;
    this.lost += ahead - 1;
    this.#sequence = sequence;
  }
}
