/**
 * `Secret` holds a card number, security code or expiry, and nothing else may (PCI DSS 3.3, 3.4). It is masked in logs,
 * JSON, errors and `util.inspect`, and `wipe` overwrites it with zeros.
 */
import { inspect } from 'node:util';

const MASK = '[secret]';
const NOTHING = Buffer.alloc(0);

/** Characters held in a Buffer. Reading them is a greppable call, {@link Secret.reveal} or {@link Secret.bytes}. */
export class Secret {
  #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  static of(text: string): Secret {
    return new Secret(Buffer.from(text, 'ascii'));
  }

  static empty(): Secret {
    return new Secret(NOTHING);
  }

  /** Number of characters; 0 after {@link wipe}. */
  get length(): number {
    return this.#bytes.length;
  }

  /** A new Secret of both; `this` is wiped, so the characters never exist twice. `other` is left as it is. */
  append(other: Secret): Secret {
    const joined = new Secret(Buffer.concat([this.#bytes, other.#bytes]));
    this.wipe();
    return joined;
  }

  /** A second Secret with the same characters, wiped on its own. */
  copy(): Secret {
    return new Secret(Buffer.from(this.#bytes));
  }

  /** Calls `use` with the characters in the clear and returns its answer. Keep the text inside `use`. */
  reveal<T>(use: (text: string) => T): T {
    return use(this.#bytes.toString('ascii'));
  }

  /** The characters' own bytes, not a copy: to be copied into a Buffer that is zeroed, and not to be kept. */
  bytes(from = 0, until = this.#bytes.length): Buffer {
    return this.#bytes.subarray(from, until);
  }

  /** Overwrites the characters with zeros. May be called again. */
  wipe(): void {
    this.#bytes.fill(0);
    this.#bytes = NOTHING;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
