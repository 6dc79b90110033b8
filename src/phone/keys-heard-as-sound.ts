/** The first keys of a call that were taken as tones: if they come as events as well, those are the same presses. */
import type { Secret } from '../domain/secret.ts';

/** So many tones without an event: the phone sends no events, whatever its SDP says. */
const ENOUGH = 4;
/** An event comes when the key is let go. A later one is a press of its own. */
const LONGEST_PRESS_MS = 5_000;

export class KeysHeardAsSound {
  readonly #nowMs: () => number;
  /** The oldest first. */
  #keys: { key: Secret; atMs: number }[] = [];
  #taken = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether events may still replace the tones. False before the first tone, too. */
  get mayBeReplaced(): boolean {
    return this.#taken > 0 && this.#taken < ENOUGH;
  }

  /** A tone was taken as this key. Keeps a copy. */
  took(key: Secret): void {
    if (this.#taken >= ENOUGH) return;
    this.#taken += 1;
    if (this.#taken === ENOUGH) this.close();
    else this.#keys.push({ key: key.copy(), atMs: this.#nowMs() });
  }

  /** Whether the key of this event was taken as a tone. Each tone stands for one event. */
  tookAlready(key: Secret): boolean {
    const oldest = this.#nowMs() - LONGEST_PRESS_MS;
    while (this.#keys[0] !== undefined && this.#keys[0].atMs < oldest) this.#keys.shift()?.key.wipe();
    const [first] = this.#keys;
    if (first === undefined || !isSame(first.key, key)) return false;
    this.#keys.shift();
    first.key.wipe();
    return true;
  }

  /** Wipes the keys. */
  close(): void {
    for (const { key } of this.#keys.splice(0)) key.wipe();
  }
}

function isSame(one: Secret, other: Secret): boolean {
  return one.reveal((text) => other.reveal((again) => text === again));
}
