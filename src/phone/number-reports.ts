/** Reports a number of this process to the others, so that people learn of it. Writes changes only. */
import type { PhoneDeps } from './deps.ts';

interface Report {
  /** Now. A new lease has 0. */
  read(): number;
  write(value: number): Promise<void>;
  /** For the log. */
  failure: string;
}

const EVERY_MS = 10_000;

export class NumberReports {
  readonly #deps: Pick<PhoneDeps, 'lease' | 'log'>;
  readonly #report: Report;
  readonly #timer: NodeJS.Timeout;
  #reported = 0;
  #reporting: Promise<void> = Promise.resolve();

  constructor(deps: Pick<PhoneDeps, 'lease' | 'log'>, report: Report) {
    this.#deps = deps;
    this.#report = report;
    this.#timer = setInterval(() => {
      this.#reporting = this.#reporting.then(() => this.#reportChange());
    }, EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
  }

  /** Never rejects: the next report repeats it. */
  async #reportChange(): Promise<void> {
    const { lease, log } = this.#deps;
    const value = this.#report.read();
    if (value === this.#reported || !lease.held) return;
    try {
      await this.#report.write(value);
      this.#reported = value;
    } catch (error) {
      log.warn({ err: error }, this.#report.failure);
    }
  }
}
