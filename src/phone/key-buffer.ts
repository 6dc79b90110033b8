/** The keys of one leg: kept until a handler is set, so that none pressed before is lost. */
import { Secret } from '../domain/secret.ts';
import type { KeyKind } from './ports.ts';

/** More keys than this before the handler is set are dropped. */
const MAX_EARLY_KEYS = 64;

type KeyHandler = (key: Secret, kind: KeyKind) => void;

export class KeyBuffer {
  #handler: KeyHandler | null = null;
  readonly #early: { key: Secret; kind: KeyKind }[] = [];
  #closed = false;

  /** Sets the handler and gives it the keys so far. It must wipe every key. */
  onKey(handler: KeyHandler): void {
    if (this.#closed) return;
    this.#handler = handler;
    for (const { key, kind } of this.#early.splice(0)) handler(key, kind);
  }

  /** @param key `0`-`9`, `*` or `#` */
  press(key: string, kind: KeyKind): void {
    if (this.#closed) return;
    if (this.#handler !== null) this.#handler(Secret.of(key), kind);
    else if (this.#early.length < MAX_EARLY_KEYS) this.#early.push({ key: Secret.of(key), kind });
  }

  /** Wipes the keys that no handler got, and drops those to come. */
  close(): void {
    this.#closed = true;
    this.#handler = null;
    for (const { key } of this.#early.splice(0)) key.wipe();
  }
}
