/**
 * `Secret` holds a card number, security code or expiry, and nothing else may (PCI DSS 3.3, 3.4). It is masked in logs,
 * JSON, errors and `util.inspect`. `wipe` overwrites it with zeros.
 */
import { inspect } from 'node:util';

const MASK = '[secret]';
const NOTHING = Buffer.alloc(0);

/** Characters in a Buffer. Every read is easy to find by grep: {@link Secret.reveal} or {@link Secret.bytes}. */
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

  /** A new Secret with both texts. `this` is wiped, so the characters never exist twice. `other` is unchanged. */
  append(other: Secret): Secret {
    const joined = new Secret(Buffer.concat([this.#bytes, other.#bytes]));
    this.wipe();
    return joined;
  }

  /** A second Secret with the same characters. Each must be wiped. */
  copy(): Secret {
    return new Secret(Buffer.from(this.#bytes));
  }

  /** Passes the plain characters to `use` and returns its result. Keep the text inside `use`. */
  reveal<T>(use: (text: string) => T): T {
    return use(this.#bytes.toString('ascii'));
  }

  /** The bytes themselves, not a copy. Copy them only into a Buffer that is zeroed, and do not keep them. */
  bytes(from = 0, until = this.#bytes.length): Buffer {
    return this.#bytes.subarray(from, until);
  }

  /** Overwrites the characters with zeros. Can be repeated. */
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
