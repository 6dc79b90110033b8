/**
 * Requests that wait for a session to change: `GET /v1/checkout_sessions/{id}?wait=30`. News over Redis only say when to
 * look; the database has the answer. A limited number waits in a process, and all are answered when it shuts down.
 */
import { ApiError } from '../../contract/errors.ts';
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';
import { deferred } from '../../lib/concurrency/deferred.ts';
import type { Progress } from '../../notifications/progress/ports.ts';
import { unavailable } from './plugins/unavailable.ts';

/** A waiting request costs memory and a socket, and each change of its session a read. */
const LIMITS = { process: 2_000, account: 500 };
const RETRY_AFTER_SECONDS = 5;

export interface SessionWait<T> {
  accountId: AccountId;
  sessionId: CheckoutSessionId;
  waitMs: number;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
  read: () => Promise<T>;
  /** Whether the first reading is final, so that waiting is in vain. */
  isFinal: (reading: T) => boolean;
  isChanged: (last: T, now: T) => boolean;
}

export class SessionWaits {
  readonly #progress: Pick<Progress, 'subscribe'>;
  readonly #limits: typeof LIMITS;
  readonly #byAccount = new Map<AccountId, number>();
  /** One for each waiting request: answers it now. */
  readonly #ends = new Set<() => void>();
  #isClosed = false;
  #waiting = 0;

  constructor(progress: Pick<Progress, 'subscribe'>, limits = LIMITS) {
    this.#progress = progress;
    this.#limits = limits;
  }

  /**
   * @returns the first changed reading, or the last one when the time is over or the process shuts down
   * @throws ApiError `rate_limit` if the account has too many waiting requests, 503 if the process has
   */
  async wait<T>(wait: SessionWait<T>): Promise<T> {
    const { accountId } = wait;
    const ofAccount = this.#byAccount.get(accountId) ?? 0;
    if (ofAccount >= this.#limits.account) throw tooManyOfAccount();
    if (this.#waiting >= this.#limits.process) throw tooManyInProcess();
    this.#waiting += 1;
    this.#byAccount.set(accountId, ofAccount + 1);
    try {
      return await this.#untilChanged(wait);
    } finally {
      this.#waiting -= 1;
      const left = (this.#byAccount.get(accountId) ?? 1) - 1;
      if (left > 0) this.#byAccount.set(accountId, left);
      else this.#byAccount.delete(accountId);
    }
  }

  /** Answers all waiting requests now, and later ones at once. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end();
  }

  async #untilChanged<T>({ sessionId, waitMs, gone, read, isFinal, isChanged }: SessionWait<T>): Promise<T> {
    let isOver = this.#isClosed;
    let news = deferred<void>();
    const end = () => {
      isOver = true;
      news.resolve();
    };
    const timer = setTimeout(end, waitMs);
    this.#ends.add(end);
    gone.addEventListener('abort', end);
    const stop = this.#progress.subscribe(sessionId, () => news.resolve(), performance.now());
    try {
      let last = await read();
      if (isFinal(last)) return last;
      for (;;) {
        if (!isOver) await news.promise;
        news = deferred<void>();
        // Also at the end: a lost message must not cost another wait.
        const now = await read();
        if (isOver || isChanged(last, now)) return now;
        last = now;
      }
    } finally {
      stop();
      gone.removeEventListener('abort', end);
      this.#ends.delete(end);
      clearTimeout(timer);
    }
  }
}

function tooManyOfAccount(): ApiError {
  const message = 'Too many requests of this account wait for a session to change. Send it again without `wait`.';
  return new ApiError('rate_limit', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

const tooManyInProcess = () =>
  unavailable(RETRY_AFTER_SECONDS, 'Too many requests wait for a session to change. Send it again without `wait`.');
