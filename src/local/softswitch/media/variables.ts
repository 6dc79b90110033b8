/** Channel variables. A value is never empty: setting a variable to nothing removes it, as in FreeSWITCH. */

/** Limits of the variables of one channel. */
const MAX_VARIABLES = 1000;
const MAX_EXPANSIONS = 100;

export class Variables {
  readonly #values = new Map<string, string>();

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** An existing variable keeps its place; `undefined` and the empty string remove it. */
  set(name: string, value: string | number | undefined): void {
    if (value === undefined || value === '') this.#values.delete(name);
    else if (this.#values.size < MAX_VARIABLES || this.#values.has(name)) this.#values.set(name, String(value));
  }

  setAll(values: Record<string, string | number | undefined>): void {
    for (const [name, value] of Object.entries(values)) this.set(name, value);
  }

  /** `true`, `yes`, `on`, `1` …, as `switch_true`. */
  isTrue(name: string): boolean {
    const value = this.get(name)?.toLowerCase() ?? '';
    return ['true', 'yes', 'on', 'enabled', 'enable', 't', 'active', 'allow'].includes(value) || Number(value) > 0;
  }

  /** The value if it is a whole number, otherwise undefined. */
  integer(name: string): number | undefined {
    const value = Number.parseInt(this.get(name) ?? '', 10);
    return Number.isNaN(value) ? undefined : value;
  }

  /** Replaces `${name}` by its value, or by nothing if it is not set. */
  expand(text: string): string {
    let left = MAX_EXPANSIONS;
    return text.replace(/\$\{([^${}]+)\}/g, (whole, name: string) => (left-- > 0 ? (this.get(name) ?? '') : whole));
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    yield* this.#values;
  }
}
