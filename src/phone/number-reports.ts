/** Writes a number of this process to its lease when it has changed. Workers make attention items of it. */
import type { PhoneDeps } from './deps.ts';

interface Report {
  /** The current number. A new lease has 0. */
  read(): number;
  write(value: number): Promise<void>;
  /** The log message if it cannot be written. */
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

  /** Never rejects: the next report tries again. */
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
