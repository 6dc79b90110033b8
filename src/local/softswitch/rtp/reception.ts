/**
 * How well the sound comes in, counted as FreeSWITCH does (`check_jitter` in switch_rtp.c): gaps in the sequence, and
 * the spread of intervals.
 */

/** The first packets of a stretch of sound are not judged. */
const LEAD_PACKETS = 10;
const SEQUENCES = 0x10000;

export class Reception {
  /** Packets missing in the sequence. */
  lost = 0;
  /** Of the times between packets, in square milliseconds: the least and the greatest so far; 0: not known yet. */
  minVariance = 0;
  maxVariance = 0;
  #count = 0;
  #sum = 0;
  #sumOfSquares = 0;
  #sequence: number | null = null;
  #heardAtMs = 0;
  #lead = 0;

  /** Mean time between packets, in milliseconds. */
  get meanIntervalMs(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** A packet of sound. @param nowMs of a clock that never goes back */
  receive(sequence: number, nowMs: number): void {
    this.#lead += 1;
    const intervalMs = nowMs - this.#heardAtMs;
    this.#heardAtMs = nowMs;
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

  /** A key press: its packets are no sound, and what comes behind them begins anew. */
  interrupt(): void {
    this.#sequence = null;
    this.#lead = 0;
  }

  /** What comes late, or twice, is no loss. */
  #countLost(sequence: number): void {
    const ahead = this.#sequence === null ? 1 : (sequence - this.#sequence + SEQUENCES) % SEQUENCES;
    if (ahead === 0 || ahead > SEQUENCES / 2) return;
    this.lost += ahead - 1;
    this.#sequence = sequence;
  }
}
