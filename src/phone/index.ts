/** The phone role: takes payment calls on a SIP edge and a pool of media servers. */
import type { PaymentRequest, PaymentResult } from '../payments/take-payment.ts';
import type { Sql } from '../db/pool.ts';
import { acquireProcessLease, type ProcessLease } from '../db/calls/process-leases.ts';
import { endsWithin, waitUntil } from '../concurrency/time-limit.ts';
import { type Log, limitsOf, type PhoneDeps, type PhoneLimits, type PhoneSettings } from './deps.ts';
import { DrachtioEdge } from './drachtio/edge.ts';
import { FreeswitchPool } from './freeswitch/pool.ts';
import { endLostCalls } from './lost-calls.ts';
import { CallAdmission } from './call-admission.ts';

export interface PhoneOptions {
  sql: Sql;
  /** For the connection of the process lease. */
  databaseUrl: string;
  /** RINGKEY_INSTANCE: unique among the running processes. */
  instance: string;
  drachtio: { host: string; port: number; secret: string };
  freeswitches: readonly {
    address: string;
    port: number;
    secret: string;
    /** Where this process listens for that FreeSWITCH's outbound event socket. */
    listenAddress: string;
    listenPort: number;
    advertisedAddress?: string;
  }[];
  speech: PhoneDeps['speech'];
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** Default: never. */
  canKeepCards?: PhoneDeps['canKeepCards'];
  settings: PhoneSettings;
  log: Log;
  limits?: Partial<PhoneLimits>;
  onCall?: PhoneDeps['onCall'];
  onRefusal?: PhoneDeps['onRefusal'];
}

export interface Phone {
  /** Whether calls can be taken: the SIP edge and a media server are connected. */
  readonly connected: boolean;
  /** Calls that are up or arriving. */
  readonly calls: number;
  /** Waits until {@link connected}. @returns false when it is not after `limitMs` */
  ready(limitMs: number): Promise<boolean>;
  /**
   * Takes no new calls, lets the live ones go on for `seconds`, then lets each say its last sentence and return to its agent,
   * and ends those that are left. Waits for charges in flight. Resolves when no call is up.
   */
  drain(seconds: number): Promise<void>;
  /** Ends all calls now, then disconnects from the engines. Idempotent. */
  close(): Promise<void>;
}

const READY_POLL_MS = 50;
/** Calls with a charge in flight are asked again, until its answer is here. */
const WRAP_UP_AGAIN_MS = 1_000;
/** A charge in flight is answered within this. */
const SETTLE_MS = 45_000;
/** For the last database writes when the database is away. */
const WRITE_LIMIT_MS = 5_000;
/** Between two looks for calls of dead processes. */
const REAP_EVERY_MS = 30_000;

/** Starts the phone role. @throws when the database can't be reached or a setting can't be used. Engines may come later */
export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const { sql, log, instance, databaseUrl, onCall, onRefusal } = options;
  const counts = { ...(onCall && { onCall }), ...(onRefusal && { onRefusal }) };
  const lease = await acquireProcessLease({ url: databaseUrl, instance, log });
  const edge = new DrachtioEdge({ ...options.drachtio, log });
  const servers = options.freeswitches.map((server) => ({ ...server, log }));
  const pool = new FreeswitchPool(edge.srf, servers);
  const { speech, pay, canKeepCards = () => false, settings, limits = {} } = options;
  const deps: PhoneDeps = { sql, lease, edge, pool, speech, pay, canKeepCards, log, settings, limits };
  try {
    await endLostCalls(deps);
    return new PhoneLine(deps, new CallAdmission({ ...deps, ...counts }), lease);
  } catch (error) {
    await Promise.all([pool.close(), edge.close(), lease.close()]);
    throw error;
  }
}

class PhoneLine implements Phone {
  readonly #deps: PhoneDeps;
  readonly #admission: CallAdmission;
  readonly #lease: ProcessLease;
  readonly #reaper: NodeJS.Timeout;
  #closing: Promise<void> | null = null;

  constructor(deps: PhoneDeps, admission: CallAdmission, lease: ProcessLease) {
    this.#deps = deps;
    this.#admission = admission;
    this.#lease = lease;
    this.#reaper = setInterval(() => void this.#reap(), REAP_EVERY_MS);
  }

  get connected(): boolean {
    return this.#deps.edge.connected && this.#deps.pool.connected;
  }

  get calls(): number {
    return this.#admission.calls;
  }

  ready(limitMs: number): Promise<boolean> {
    return waitUntil(limitMs, READY_POLL_MS, () => this.connected);
  }

  async drain(seconds: number): Promise<void> {
    this.#admission.stopTaking();
    const idle = this.#admission.idle();
    if (await endsWithin(seconds * 1_000, idle)) return;
    this.#admission.wrapUp();
    const again = setInterval(() => this.#admission.wrapUp(), WRAP_UP_AGAIN_MS);
    const allEnded = await endsWithin(limitsOf(this.#deps).windDownMs + SETTLE_MS, idle);
    clearInterval(again);
    if (allEnded) return;
    this.#admission.closeAll();
    await endsWithin(WRITE_LIMIT_MS, idle);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#reaper);
    this.#admission.stopTaking();
    this.#admission.closeAll();
    await endsWithin(WRITE_LIMIT_MS, this.#admission.idle());
    await this.#deps.pool.close();
    await this.#deps.edge.close();
    await this.#lease.close();
  }

  async #reap(): Promise<void> {
    try {
      await endLostCalls(this.#deps);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'lost calls not looked for');
    }
  }
}
