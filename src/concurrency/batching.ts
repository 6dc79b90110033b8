/**
 * Asking for several at once. On a busy service the way to a server and back costs more than what is asked, so what comes
 * in one turn of the event loop goes there together. Nobody waits for others: a turn is over as soon as all that the
 * sockets brought has been read.
 */

export interface TogetherOptions {
  /** So many go in one asking at most; more are several askings, at the same time. */
  most: number;
  /** Whether, after this failure, each may be asked for alone: what is wrong with one is no other's business. */
  mayAskAgain?: (error: unknown) => boolean;
}

/**
 * @param ask answers in the order of `all`; never called with none
 * @returns asks for one
 */
export function together<Question, Answer>(
  ask: (all: readonly Question[]) => Promise<readonly Answer[]>,
  { most, mayAskAgain = () => false }: TogetherOptions,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];

  async function askFor(all: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await ask(all.map(({ question }) => question));
      // The types cannot say that there is one for each.
      for (const [at, { resolve }] of all.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      if (all.length > 1 && mayAskAgain(error)) for (const one of all) void askFor([one]);
      else for (const { reject } of all) reject(error);
    }
  }

  function askForAll(): void {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += most) void askFor(all.slice(at, at + most));
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(askForAll);
      waiting.push({ question, resolve, reject });
    });
}

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Statements are prepared for lists of these lengths; a shorter list is filled up. */
export const STATEMENT_SIZES: readonly number[] = [1, 2, 4, 8, 16, 32];

/** The least of {@link STATEMENT_SIZES} that takes `count`. */
export function sizeFor(count: number): number {
  return STATEMENT_SIZES.find((size) => size >= count) ?? Number.NaN;
}
