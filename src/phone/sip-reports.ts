/** Reports how many SIP servers this process has no connection to, so that people learn of it. Writes changes only. */
import { reportMissingSipServers } from '../db/calls/sip-servers.ts';
import type { PhoneDeps } from './deps.ts';

type Deps = Pick<PhoneDeps, 'sql' | 'lease' | 'log'> & { edge: Pick<PhoneDeps['edge'], 'missing'> };

const EVERY_MS = 10_000;

export class SipReports {
  readonly #deps: Deps;
  readonly #timer: NodeJS.Timeout;
  /** None are missing in a new lease. */
  #reported = 0;
  #reporting: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#timer = setInterval(() => {
      this.#reporting = this.#reporting.then(() => this.#report());
    }, EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
  }

  /** Never rejects: the next report repeats it. */
  async #report(): Promise<void> {
    const { sql, lease, log, edge } = this.#deps;
    const { missing } = edge;
    if (missing === this.#reported || !lease.held) return;
    try {
      await reportMissingSipServers(sql, lease.id, missing);
      this.#reported = missing;
    } catch (error) {
      log.warn({ err: error }, 'missing SIP servers could not be reported');
    }
  }
}
