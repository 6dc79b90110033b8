/**
 * A set of few that come and go all the time. A `Set` makes itself a new table every so often, and the table that it leaves,
 * once V8 has put it among what lives long, keeps what it held and the next table, and so on: half of all that passes through
 * would stay in memory until the next big collection. Here nothing is left behind.
 */
export class Places<Item> implements Iterable<Item> {
  readonly #items: (Item | null)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** @returns the place, to be left once */
  take(item: Item): number {
    const place = this.#free.pop() ?? this.#items.length;
    this.#items[place] = item;
    return place;
  }

  leave(place: number): void {
    this.#items[place] = null;
    this.#free.push(place);
  }

  /** In no order. */
  *[Symbol.iterator](): Generator<Item, void> {
    for (const item of this.#items) if (item !== null) yield item;
  }
}
