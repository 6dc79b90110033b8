/**
 * Applies `ringkey media drain` to the pool of media servers of this process, and reports its servers and their calls.
 * The rows say which servers are drained.
 */
import { type MediaServerState, reportMediaServers } from '../db/calls/media-servers.ts';
import type { PhoneDeps } from './deps.ts';

export interface DrainablePool {
  readonly states: readonly MediaServerState[];
  /** These servers get no new calls. Their live calls go on. */
  setDrained(hosts: readonly string[]): void;
}

type Deps = Pick<PhoneDeps, 'sql' | 'lease' | 'log'>;

const SYNC_EVERY_MS = 2_000;
/** With one connected server and no calls: no other server could take calls, and there are none to report. */
const SYNC_IDLE_MS = 10_000;

export class MediaDrains {
  readonly #deps: Deps;
  readonly #pool: DrainablePool;
  #timer: NodeJS.Timeout | null = null;
  #syncing: Promise<void> = Promise.resolve();
  #isFailing = false;
  #isIdle = false;
  #closed = false;

  private constructor(deps: Deps, pool: DrainablePool) {
    this.#deps = deps;
    this.#pool = pool;
  }

  /** Reads the drained servers, then goes on. Never rejects: without the database, it tries again. */
  static async start(deps: Deps, pool: DrainablePool): Promise<MediaDrains> {
    const drains = new MediaDrains(deps, pool);
    await drains.#run();
    return drains;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#syncing;
  }

  async #run(): Promise<void> {
    this.#syncing = this.#sync();
    await this.#syncing;
    if (!this.#closed) {
      this.#timer = setTimeout(() => void this.#run(), this.#isIdle ? SYNC_IDLE_MS : SYNC_EVERY_MS);
    }
  }

  async #sync(): Promise<void> {
    const { sql, lease, log } = this.#deps;
    // Calls cannot be taken either.
    if (!lease.held) return;
    try {
      const reported = this.#pool.states;
      const drained = await reportMediaServers(sql, lease.id, reported);
      this.#pool.setDrained(drained);
      // The command waits until each process has said so.
      const isNew = reported.some(({ host, isDrained }) => isDrained !== drained.includes(host));
      if (isNew) await reportMediaServers(sql, lease.id, this.#pool.states);
      this.#isIdle = reported.length === 1 && reported.every(({ isConnected, calls }) => isConnected && calls === 0);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ err: error }, 'media servers could not be reported');
      this.#isFailing = true;
    }
  }
}
