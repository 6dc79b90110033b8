/**
 * Remembers for a minute which checks have passed, so that each view of the checklist does not ask all processors again. A
 * check that did not pass is repeated by the next view, which shows at once whether the cause is gone.
 */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1_000;

interface Asked<Answer> {
  answer: Promise<Answer>;
  /** In milliseconds since 1970. Infinite while the answer is awaited. */
  until: number;
}

export class RecentPasses<Answer> {
  /** The oldest first. */
  readonly #asked = new Map<string, Asked<Answer>>();
  readonly #now: () => Date;
  readonly #hasPassed: (answer: Answer) => boolean;

  constructor(now: () => Date, hasPassed: (answer: Answer) => boolean) {
    this.#now = now;
    this.#hasPassed = hasPassed;
  }

  /** Views at the same time share an answer. */
  async ask(key: string, check: () => Promise<Answer>): Promise<Answer> {
    const known = this.#asked.get(key);
    if (known !== undefined && this.#now().getTime() < known.until) return known.answer;
    const asked = { answer: check(), until: Number.POSITIVE_INFINITY };
    this.#remember(key, asked);
    try {
      const answer = await asked.answer;
      if (this.#hasPassed(answer)) asked.until = this.#now().getTime() + REMEMBERED_MS;
      else this.#asked.delete(key);
      return answer;
    } catch (error) {
      this.#asked.delete(key);
      throw error;
    }
  }

  #remember(key: string, asked: Asked<Answer>): void {
    // Deleted first, so that it becomes the newest.
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    const [oldest] = this.#asked.keys();
    if (oldest !== undefined && this.#asked.size > MOST_REMEMBERED) this.#asked.delete(oldest);
  }
}
