/**
 * How many bytes of new speech each account may have rendered in an hour, so that none takes the synthesizer and the
 * disk from the others. Counted by each process for itself: the limit is against floods, not for a bill.
 */
const HOUR_MS = 3_600_000;

export class AccountBudget {
  readonly #maxBytes: number;
  readonly #windowMs: number;
  /** Bytes of this window, by account. */
  readonly #spent = new Map<string, number>();
  #startedAt = performance.now();

  constructor(maxBytes: number, windowMs = HOUR_MS) {
    this.#maxBytes = maxBytes;
    this.#windowMs = windowMs;
  }

  /** @param account null: sentences that all accounts share */
  isLeft(account: string | null): boolean {
    if (performance.now() - this.#startedAt >= this.#windowMs) {
      this.#spent.clear();
      this.#startedAt = performance.now();
    }
    return account === null || (this.#spent.get(account) ?? 0) < this.#maxBytes;
  }

  /** @returns whether it was the last of the budget */
  spend(account: string | null, bytes: number): boolean {
    if (account === null || !this.isLeft(account)) return false;
    const spent = (this.#spent.get(account) ?? 0) + bytes;
    this.#spent.set(account, spent);
    return spent >= this.#maxBytes;
  }
}
