/**
 * Finds FreeSWITCH servers by DNS SRV (RFC 2782): looks them up periodically, and at once when a server is lost. If a
 * lookup fails, the last known servers stay.
 */
import { Resolver } from 'node:dns/promises';
import type { BaseLogger } from 'pino';
import { waitAtMost } from '../../lib/concurrency/time-limit.ts';

/** A record of an SRV response. The name is empty for the root: the service does not exist there (RFC 2782). */
export interface SrvRecord {
  name: string;
  port: number;
  priority: number;
  weight: number;
}

/** Rejects if the name has no SRV records. */
export type ResolveSrv = (name: string) => Promise<SrvRecord[]>;

interface MediaLookupOptions {
  /** The full name, such as `_freeswitch._tcp.example.com`. */
  srvName: string;
  /** Default: the DNS servers of this machine. */
  resolveSrv?: ResolveSrv | undefined;
  lookEveryMs?: number | undefined;
  /** Gets the records of each successful lookup: each name and port once, the preferred one first. */
  onFound: (records: readonly SrvRecord[]) => void;
  log: Pick<BaseLogger, 'info' | 'warn'>;
}

const LOOK_EVERY_MS = 30_000;
const LOOK_AFTER_FAILURE_MS = 5_000;
/** Servers that fail again and again do not make it look more often than this. */
const SOONEST_MS = 1_000;
const LOOK_LIMIT_MS = 10_000;
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
/** Further records are ignored. */
const MAX_SERVERS = 100;

export class MediaLookup {
  readonly #options: MediaLookupOptions;
  readonly #resolveSrv: ResolveSrv;
  #timer: NodeJS.Timeout | null = null;
  #startedAt = 0;
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #isFailing = false;
  #failures = 0;
  #closed = false;

  /** Starts looking. */
  constructor(options: MediaLookupOptions) {
    this.#options = options;
    this.#resolveSrv = options.resolveSrv ?? resolveBySystem;
    this.#look();
  }

  /** Failed lookups so far. */
  get failures(): number {
    return this.#failures;
  }

  /** A server is lost: the records may have changed. */
  lookAgain(): void {
    if (this.#closed || this.#isLooking) return;
    this.#next(Math.max(0, this.#startedAt + SOONEST_MS - performance.now()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  #next(inMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), inMs);
  }

  #look(): void {
    const { lookEveryMs: everyMs = LOOK_EVERY_MS } = this.#options;
    this.#isLooking = true;
    this.#startedAt = performance.now();
    this.#looking = this.#lookUp().then((isFound) => {
      this.#isLooking = false;
      if (!this.#closed) this.#next(isFound ? everyMs : Math.min(everyMs, LOOK_AFTER_FAILURE_MS));
    });
  }

  async #lookUp(): Promise<boolean> {
    const { srvName, onFound, log } = this.#options;
    try {
      const records = await waitAtMost(LOOK_LIMIT_MS, this.#resolveSrv(srvName));
      if (records === null) throw new Error('DNS did not answer in time');
      if (this.#closed) return true;
      if (this.#isFailing) log.info({ srvName }, 'media servers can be looked up again');
      this.#isFailing = false;
      onFound(usable(records));
      return true;
    } catch (error) {
      this.#failures += 1;
      if (!this.#isFailing)
        log.warn({ srvName, err: error }, 'media servers could not be looked up: the known ones stay');
      this.#isFailing = true;
      return false;
    }
  }
}

/** A new resolver each time reads `/etc/resolv.conf` again, and has no cache. */
function resolveBySystem(name: string): Promise<SrvRecord[]> {
  return new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES }).resolveSrv(name);
}

/** The records that name a server, each server once. */
function usable(records: readonly SrvRecord[]): SrvRecord[] {
  const named = records
    .map((record) => ({ ...record, name: record.name.toLowerCase().replace(/\.$/, '') }))
    .filter(({ name }) => name !== '')
    .sort((one, other) => one.priority - other.priority || other.weight - one.weight);
  const byServer = new Map(named.toReversed().map((record) => [`${record.name}:${record.port}`, record]));
  return [...byServer.values()].reverse().slice(0, MAX_SERVERS);
}
