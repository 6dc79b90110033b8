/** The phone role: the payment line on its SIP edge and media servers. */
import type { PaymentRequest, PaymentResult } from '../payments/take-payment.ts';
import type { Sql } from '../db/pool.ts';
import { beginLife, type Life } from '../db/calls/process-leases.ts';
import { endsWithin, waitUntil } from '../concurrency/time-limit.ts';
import { type Log, limitsOf, type PhoneDeps, type PhoneLimits, type PhoneSettings } from './deps.ts';
import { DrachtioEdge } from './drachtio/edge.ts';
import { FreeswitchPool } from './freeswitch/pool.ts';
import { endLostCalls } from './lost-calls.ts';
import { Reception } from './call-admission.ts';

export interface PhoneOptions {
  sql: Sql;
  /** For the connection that shows others that this process is alive. */
  databaseUrl: string;
  /** RINGKEY_INSTANCE: one running process a name. */
  instance: string;
  drachtio: { host: string; port: number; secret: string };
  freeswitches: readonly {
    address: string;
    port: number;
    secret: string;
    /** Where that FreeSWITCH dials back for each call. */
    listenAddress: string;
    listenPort: number;
    advertisedAddress?: string;
  }[];
  speech: PhoneDeps['speech'];
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** Never, where not given. */
  canKeepCards?: PhoneDeps['canKeepCards'];
  settings: PhoneSettings;
  log: Log;
  limits?: Partial<PhoneLimits>;
  onCall?: PhoneDeps['onCall'];
  onRefusal?: PhoneDeps['onRefusal'];
}

export interface Phone {
  /** Whether calls can be taken: SIP edge and a media server are there. */
  readonly connected: boolean;
  /** Calls that are up or arriving. */
  readonly calls: number;
  /** Resolves when {@link connected} is true for the first time; false when that takes longer than `limitMs`. */
  ready(limitMs: number): Promise<boolean>;
  /**
   * Takes no new calls, lets the live ones go on for `seconds`, then has them say goodbye and return to their agents, and
   * ends what is left. Charges on their way are waited for. Resolves when no call is up.
   */
  drain(seconds: number): Promise<void>;
  /** Drains at once, then lets go of the engines. Idempotent. */
  close(): Promise<void>;
}

const READY_POLL_MS = 50;
const WRAP_UP_AGAIN_MS = 1_000;
/** Past the parting: a charge on its way answers within this. */
const SETTLE_MS = 45_000;
/** For rows that a record away does not take. */
const WRITE_LIMIT_MS = 5_000;
const REAP_EVERY_MS = 30_000;

/** Starts the phone. @throws when the record can't be reached, or a setting can't be used; engines may come later */
export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const { sql, log, instance, databaseUrl, onCall, onRefusal } = options;
  const counts = { ...(onCall && { onCall }), ...(onRefusal && { onRefusal }) };
  const life = await beginLife({ url: databaseUrl, instance, log });
  const edge = new DrachtioEdge({ ...options.drachtio, log });
  const servers = options.freeswitches.map((server) => ({ ...server, log }));
  const pool = new FreeswitchPool(edge.srf, servers);
  const { speech, pay, canKeepCards = () => false, settings, limits = {} } = options;
  const deps: PhoneDeps = { sql, life, edge, pool, speech, pay, canKeepCards, log, settings, limits };
  try {
    await endLostCalls(deps);
    return new PhoneLine(deps, new Reception({ ...deps, ...counts }), life);
  } catch (error) {
    await Promise.all([pool.close(), edge.close(), life.close()]);
    throw error;
  }
}

class PhoneLine implements Phone {
  readonly #deps: PhoneDeps;
  readonly #reception: Reception;
  readonly #life: Life;
  readonly #reaper: NodeJS.Timeout;
  #closing: Promise<void> | null = null;

  constructor(deps: PhoneDeps, reception: Reception, life: Life) {
    this.#deps = deps;
    this.#reception = reception;
    this.#life = life;
    this.#reaper = setInterval(() => void this.#reap(), REAP_EVERY_MS);
  }

  get connected(): boolean {
    return this.#deps.edge.connected && this.#deps.pool.connected;
  }

  get calls(): number {
    return this.#reception.calls;
  }

  ready(limitMs: number): Promise<boolean> {
    return waitUntil(limitMs, READY_POLL_MS, () => this.connected);
  }

  async drain(seconds: number): Promise<void> {
    this.#reception.stopTaking();
    const idle = this.#reception.idle();
    if (await endsWithin(seconds * 1_000, idle)) return;
    this.#reception.wrapUp();
    const again = setInterval(() => this.#reception.wrapUp(), WRAP_UP_AGAIN_MS);
    const allEnded = await endsWithin(limitsOf(this.#deps).partingMs + SETTLE_MS, idle);
    clearInterval(again);
    if (allEnded) return;
    this.#reception.closeAll();
    await endsWithin(WRITE_LIMIT_MS, idle);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#reaper);
    this.#reception.stopTaking();
    this.#reception.closeAll();
    await endsWithin(WRITE_LIMIT_MS, this.#reception.idle());
    await this.#deps.pool.close();
    await this.#deps.edge.close();
    await this.#life.close();
  }

  async #reap(): Promise<void> {
    try {
      await endLostCalls(this.#deps);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'calls of dead processes not looked for');
    }
  }
}
