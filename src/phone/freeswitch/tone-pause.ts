/**
 * Waits for a pause between keys that are tones. FreeSWITCH throws away what waits on the socket, or in its jitter
 * buffer, when a prompt begins (AUDIO_SYNC in switch_core_media.c, 1.11.2): in the middle of a tone that loses or
 * doubles a key. So who types ahead is let finish.
 */

/** Longer than a hand takes from one key to the next. */
const PAUSE_MS = 400;
/** Of keys without an end. */
const LIMIT_MS = 5_000;

export class TonePause {
  #beginsAtMs = Number.NEGATIVE_INFINITY;

  /** A tone began. */
  toneHeard(): void {
    this.#beginsAtMs = performance.now() + PAUSE_MS;
  }

  /** Resolves when no tone has begun for PAUSE_MS, or after LIMIT_MS. Null: there is nothing to wait for. */
  awaitPause(): Promise<void> | null {
    return performance.now() < this.#beginsAtMs ? this.#wait(performance.now() + LIMIT_MS) : null;
  }

  async #wait(deadlineMs: number): Promise<void> {
    for (;;) {
      const leftMs = Math.min(this.#beginsAtMs, deadlineMs) - performance.now();
      if (leftMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
  }
}
