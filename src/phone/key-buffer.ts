/** The keys of one leg: kept until a handler is set, so that none pressed before is lost. */
import { Secret } from '../domain/secret.ts';

/** More keys than this before the handler is set are dropped. */
const MAX_EARLY_KEYS = 64;

export class KeyBuffer {
  #handler: ((key: Secret) => void) | null = null;
  readonly #early: Secret[] = [];
  #closed = false;

  /** Sets the handler and gives it the keys so far. It must wipe every key. */
  onKey(handler: (key: Secret) => void): void {
    if (this.#closed) return;
    this.#handler = handler;
    for (const key of this.#early.splice(0)) handler(key);
  }

  /** @param key `0`-`9`, `*` or `#` */
  press(key: string): void {
    if (this.#closed) return;
    if (this.#handler !== null) this.#handler(Secret.of(key));
    else if (this.#early.length < MAX_EARLY_KEYS) this.#early.push(Secret.of(key));
  }

  /** Wipes the keys that no handler got, and drops those to come. */
  close(): void {
    this.#closed = true;
    this.#handler = null;
    for (const key of this.#early.splice(0)) key.wipe();
  }
}
