/** The phone role: takes payment calls on a SIP edge and a pool of media servers. */

import { acquireProcessLease, type ProcessLease } from '../db/calls/process-leases.ts';
import { reportProcessLoad } from '../db/calls/process-load.ts';
import { reportMissingSipServers } from '../db/calls/sip-servers.ts';
import { createSessionStateReader } from '../db/sessions/session-state.ts';
import { endsWithin, waitUntil } from '../lib/concurrency/time-limit.ts';
import { CallAdmission } from './call-admission.ts';
import { type LinkTexts, limitsOf, type PhoneDeps } from './deps.ts';
import type { EdgeOptions } from './drachtio/edge.ts';
import { DrachtioEdges } from './drachtio/edges.ts';
import { watchEndRequests } from './end-requests.ts';
import { type FoundServers, FreeswitchPool } from './freeswitch/pool.ts';
import type { ServerOptions } from './freeswitch/server.ts';
import { LoadMonitor } from './load/monitor.ts';
import type { LoadReadings } from './load/overload.ts';
import { endLostCalls } from './lost-calls.ts';
import { MediaDrains } from './media-drains.ts';
import { NumberReports } from './number-reports.ts';

type GivenDeps = Pick<
  PhoneDeps,
  | 'sql'
  | 'vault'
  | 'progress'
  | 'speech'
  | 'pay'
  | 'log'
  | 'settings'
  | 'resolver'
  | 'limits'
  | 'onCall'
  | 'onAnswer'
  | 'onRefusal'
  | 'checkIdentities'
  | 'codes'
>;

export interface PhoneOptions extends GivenDeps {
  /** For the connection of the process lease. */
  databaseUrl: string;
  /** RINGKEY_INSTANCE: unique among the running processes. */
  instance: string;
  /** At least one. */
  sipServers: readonly Omit<EdgeOptions, 'log'>[];
  /** `listenAddress` and `listenPort`: where this process listens for that server's outbound event sockets. */
  freeswitches: readonly Omit<ServerOptions, 'log'>[];
  /** Absent: only those. */
  foundFreeswitches?: FoundServers;
  /**
   * RINGKEY_MAX_LOAD, 0 to 1: the share of its time that the event loop may work. If 1 or absent, no call is refused
   * because of load.
   */
  maxLoad?: number;
  /** Absent: every merchant's processor does. */
  takesKeypad?: PhoneDeps['takesKeypad'];
  takesBankAccounts?: NonNullable<PhoneDeps['takesBankAccounts']>;
  /** Absent: no merchant's callers can. */
  takesSavedCards?: PhoneDeps['takesSavedCards'];
  canKeepCards?: PhoneDeps['canKeepCards'];
  /** Absent: no links are texted. */
  links?: LinkTexts;
}

/** `failedLookups`: DNS lookups of media servers since the start. */
type MediaServers = Pick<FreeswitchPool, 'states' | 'failedLookups'>;

export interface Phone {
  /** Whether the process can take calls: the SIP edge, a media server and the database are connected. */
  readonly connected: boolean;
  /** Live and arriving calls. */
  readonly calls: number;
  /** The load of the process. Null if it is not watched. */
  readonly load: LoadReadings | null;
  /** For metrics and health checks. */
  readonly media: MediaServers;
  /** Waits until {@link connected}. @returns false if it is not after `limitMs` */
  ready(limitMs: number): Promise<boolean>;
  /**
   * Takes no new calls, lets the live ones continue for `seconds`, then makes each say its last sentence and return to
   * its agent, and ends the remaining ones. Waits for charges in flight. Resolves when no call is live.
   */
  drain(seconds: number): Promise<void>;
  /** Ends all calls now, then disconnects from the engines. Idempotent. */
  close(): Promise<void>;
}

const READY_POLL_MS = 50;
/** Repeated for calls with a charge in flight, until it is answered. */
const WRAP_UP_AGAIN_MS = 1_000;
/** Limit for the answer to a charge in flight. */
const SETTLE_MS = 45_000;
/** Limit for the last writes if the database is away. */
const WRITE_LIMIT_MS = 5_000;
/** Interval of looking for calls of dead processes. */
const LOST_CALLS_EVERY_MS = 1_000;
const LOST_CALLS_ALONE_MS = 10_000;
/** How long after the last heartbeat of another process its calls can become lost, with a margin (process-leases.ts). */
const OTHERS_LIMIT_MS = 30_000;

const NO_LINKS: LinkTexts = {
  canSend: () => false,
  send: () => Promise.resolve({ result: 'not_sent', reason: 'unavailable' }),
};

/**
 * Starts the phone role. The engines may be started later. @throws if the database cannot be reached or a setting is
 * unusable
 */
export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const {
    databaseUrl,
    instance,
    sipServers,
    freeswitches,
    foundFreeswitches = null,
    takesKeypad = () => true,
    takesSavedCards = () => false,
    canKeepCards = () => false,
    links = NO_LINKS,
    maxLoad,
    ...given
  } = options;
  const { log } = given;
  const lease = await acquireProcessLease({ url: databaseUrl, instance, log });
  const edge = new DrachtioEdges(sipServers.map((server) => ({ ...server, log })));
  const pool = new FreeswitchPool(edge.dialing, freeswitches, log, foundFreeswitches);
  const load = maxLoad === undefined ? null : new LoadMonitor(maxLoad, () => pool.response, log);
  const sql = load?.timed(given.sql) ?? given.sql;
  const deps: PhoneDeps = {
    ...given,
    ...(load && { load }),
    sql,
    readSessionState: createSessionStateReader(sql),
    takesKeypad,
    takesSavedCards,
    canKeepCards,
    links,
    lease,
    edge,
    pool,
  };
  try {
    await lookForLostCalls(deps);
    const drains = await MediaDrains.start(deps, pool);
    return new PhoneLine(deps, new CallAdmission(deps), { lease, load, pool, drains });
  } catch (error) {
    load?.close();
    await Promise.all([pool.close(), edge.close(), lease.close()]);
    throw error;
  }
}

/** A busy database is no reason not to start: the next look is a second later. */
async function lookForLostCalls(deps: PhoneDeps): Promise<void> {
  try {
    await endLostCalls(deps);
  } catch (error) {
    deps.log.warn({ err: error }, 'could not look for lost calls');
  }
}

interface Parts {
  lease: ProcessLease;
  load: LoadMonitor | null;
  pool: FreeswitchPool;
  drains: MediaDrains;
}

/** What this process reports to the others by its lease. */
function reportsOf(deps: PhoneDeps, admission: CallAdmission, load: LoadMonitor | null): NumberReports[] {
  const { sql, lease, edge } = deps;
  const sipServers = new NumberReports(deps, {
    read: () => edge.missing,
    write: (missing) => reportMissingSipServers(sql, lease.id, missing),
    failure: 'missing SIP servers could not be reported',
  });
  if (load === null) return [sipServers];
  const ofLoad = new NumberReports(deps, {
    read: () => load.percentOfLimit(admission.calls),
    write: (percent) => reportProcessLoad(sql, lease.id, percent),
    failure: 'the load could not be reported',
  });
  return [sipServers, ofLoad];
}

class PhoneLine implements Phone {
  readonly media: MediaServers;
  readonly #deps: PhoneDeps;
  readonly #admission: CallAdmission;
  readonly #lease: ProcessLease;
  readonly #lostCallTimer: NodeJS.Timeout;
  readonly #drains: MediaDrains;
  readonly #reports: readonly NumberReports[];
  readonly #stopEndRequests: () => Promise<void>;
  readonly #load: LoadMonitor | null;
  #closing: Promise<void> | null = null;
  #looking = false;
  #othersUntil = performance.now() + OTHERS_LIMIT_MS;
  #lookedAt = 0;

  constructor(deps: PhoneDeps, admission: CallAdmission, { lease, load, pool, drains }: Parts) {
    this.#load = load;
    this.media = pool;
    this.#drains = drains;
    this.#reports = reportsOf(deps, admission, load);
    this.#deps = deps;
    this.#admission = admission;
    this.#lease = lease;
    this.#lostCallTimer = setInterval(() => void this.#endLostCalls(), LOST_CALLS_EVERY_MS);
    const hasCalls = () => admission.calls > 0;
    this.#stopEndRequests = watchEndRequests(deps, hasCalls, (calls) => admission.endCalls(calls));
  }

  get connected(): boolean {
    return this.#deps.edge.connected && this.#deps.pool.connected && this.#lease.held;
  }

  get calls(): number {
    return this.#admission.calls;
  }

  get load(): LoadReadings | null {
    return this.#load?.readings ?? null;
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
    clearInterval(this.#lostCallTimer);
    this.#load?.close();
    this.#admission.stopTaking();
    this.#admission.closeAll();
    await endsWithin(WRITE_LIMIT_MS, Promise.all([this.#admission.idle(), this.#stopEndRequests()]));
    await Promise.all([this.#drains, ...this.#reports].map((each) => each.close()));
    await this.#deps.pool.close();
    await this.#deps.edge.close();
    await this.#lease.close();
  }

  /**
   * Only the calls of another process can be lost. Once this one has been alone for longer than a frozen process takes
   * to count as dead, it looks rarely.
   */
  #mayHaveLostCalls(): boolean {
    const now = performance.now();
    if (!this.#lease.alone) this.#othersUntil = now + OTHERS_LIMIT_MS;
    if (now > this.#othersUntil && now - this.#lookedAt < LOST_CALLS_ALONE_MS) return false;
    this.#lookedAt = now;
    return true;
  }

  async #endLostCalls(): Promise<void> {
    if (this.#looking || !this.#lease.held || !this.#mayHaveLostCalls()) return;
    this.#looking = true;
    await lookForLostCalls(this.#deps);
    this.#looking = false;
  }
}
