/**
 * Process leases: which phone processes are alive, so that the callers of one that died are not left in silence.
 *
 * Each phone process holds a session-level advisory lock on a connection of its own, which PostgreSQL releases the moment the
 * process is gone, SIGKILL included, and moves `seen_at` every second, its heartbeat. A process counts as dead when its lock is
 * free and two heartbeats are missing: a free lock alone may be a broken connection. A heartbeat that has stopped for longer is
 * enough by itself: a host that is frozen or lost its power leaves its connection open. Nobody is judged by a process whose own
 * lease is new: after a restart of PostgreSQL the others may not have come back yet.
 */
import pg from 'pg';
import type { BaseLogger } from 'pino';
import type { CallStage } from '../../domain/call-stage.ts';
import type { CallId, ChargeId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { OutcomeReason, OutcomeKind } from '../../domain/outcome.ts';
import { connectionSettings } from '../connection.ts';
import { readOne, type Sql } from '../pool.ts';
import { armTextAfterDrop } from './texts-after-drop.ts';

export interface ProcessLease {
  /** `calls.lease_id`. */
  readonly id: number;
  readonly instance: string;
  /** Whether the last heartbeat was written: false while this process is cut off from the database. */
  readonly held: boolean;
  /** Sets the handler of changes of {@link held}. */
  onChange(handler: () => void): void;
  /** Releases the lease. Other processes may then close its calls that are still open. */
  close(): Promise<void>;
}

export interface ProcessLeaseOptions {
  url: string;
  instance: string;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  beatMs?: number;
}

const BEAT_MS = 1_000;
/** Dead: no heartbeat for so long, and the lock is free. */
const SILENT_SECONDS = 2.5;
/**
 * Dead: no heartbeat for so long, whether the lock is free or not. Longer than a living process takes to notice that its
 * connection has died, and to beat on another one: some 6 s.
 */
const FROZEN_SECONDS = 9;
/** How long a lease must have been held, without a break, before its process judges others. */
const JUDGE_AFTER_SECONDS = 10;
const CONNECT_LIMIT_MS = 1_500;
/** The first connection has no later try, and many processes may be starting at once. */
const FIRST_CONNECT_LIMIT_MS = 30_000;
const STATEMENT_LIMIT_MS = 2_000;
/** First key of the advisory locks; the second is the lease's id. */
const LOCK_CLASS = 72_140;

/** The process of the lease `l` is dead: it has left its lock, and no heartbeat comes. */
const IS_DEAD = `(l.seen_at < now() - interval '${SILENT_SECONDS} seconds' and pg_try_advisory_xact_lock(${LOCK_CLASS}, l.id))`;
/** The lease `l` is over: released (no row), or its process is dead. `$1`, `$2`: our own lease and instance. */
const IS_OVER = `(l.id is null
  or (l.instance = $2 and ${IS_DEAD})
  or (exists (select from process_leases mine
               where mine.id = $1 and mine.acquired_at < now() - interval '${JUDGE_AFTER_SECONDS} seconds')
      and (l.seen_at < now() - interval '${FROZEN_SECONDS} seconds' or ${IS_DEAD})))`;

/** First their callers are brought back to the agent, where they can be. */
const TEXT_LOST_AFTER_SECONDS = 60;
/** Of the calls that are being closed, those whose callers are to be texted the link. */
const BROKEN_OFF = `
  select c.session_id from closed
    join calls c on c.id = closed.id
    join checkout_sessions s on s.id = c.session_id
    join merchants m on m.id = s.merchant_id
   where m.text_after_drop and c.answered_at is not null and closed.outcome = 'failed' and closed.reason = 'error'`;

/** A call whose process has died. */
export interface LostCall {
  id: CallId;
  /** Null: its caller had not chosen one yet. */
  sessionId: CheckoutSessionId | null;
  merchantId: MerchantId | null;
  sipCallId: string;
  returnSipCallId: string | null;
  /** The last that was written; null in calls of an earlier version. */
  stage: CallStage | null;
  /** The caller's, then the agent's. They may still be up. */
  sipDialogs: string[];
  localContact: string | null;
  allowsRefer: boolean;
  /** By the session's charges: what the agent is told must be true. */
  outcome: OutcomeKind;
  reason: OutcomeReason | null;
  chargeId: ChargeId | null;
  /** Milliseconds since the INVITE. */
  atMs: number;
}

/**
 * Closes the open calls of dead processes, so that their sessions can be called and paid again, and takes them over: if such a
 * process comes back to life, it writes no more to their rows. An earlier process of our own instance may be judged at once
 * after our start; a living one of the same name (two containers of one host name) is told by its heartbeat.
 * @param sessionId look at this session's call only
 */
export async function closeLostCalls(
  sql: Sql,
  lease: Pick<ProcessLease, 'id' | 'instance'>,
  sessionId: CheckoutSessionId | null = null,
): Promise<LostCall[]> {
  const { rows } = await sql.query<LostCall>(
    `with lost as (
       select calls.id, stage = 'by_link' as is_by_link, charges.id as charge_id, charges.status::text as charge_status from calls
         left join charges on charges.session_id = calls.session_id and charges.status in ('pending', 'succeeded')
        where ended_at is null and lease_id in (
          select c.lease_id from (
            select distinct lease_id from calls
             where ended_at is null and lease_id <> $1 and ($3::text is null or session_id = $3)
          ) c left join process_leases l on l.id = c.lease_id
          where ${IS_OVER})
        for update of calls),
     closed as (update calls set ended_at = now(), lease_id = $1,
            outcome = coalesce(charge_status, outcome, case when is_by_link then 'agent' else 'failed' end),
            reason = case when charge_status is not null then null
                          when outcome is not null then reason
                          when is_by_link then 'link_sent' else 'error' end,
            charge_id = coalesce(lost.charge_id, calls.charge_id)
       from lost where calls.id = lost.id
     returning calls.id, session_id as "sessionId", merchant_id as "merchantId", sip_call_id as "sipCallId",
               return_sip_call_id as "returnSipCallId", stage, sip_dialogs as "sipDialogs", local_contact as "localContact",
               allows_refer as "allowsRefer", outcome, reason, calls.charge_id as "chargeId",
               floor(extract(epoch from now() - started_at) * 1000)::integer as "atMs"),
     broken_off as (${armTextAfterDrop(BROKEN_OFF, TEXT_LOST_AFTER_SECONDS)})
     select * from closed`,
    [lease.id, lease.instance, sessionId],
  );
  return rows;
}

/** Writes the outcome of a lost call as its session's charges have it by now. */
export function judgeLostCall(sql: Sql, id: CallId): Promise<Pick<LostCall, 'outcome' | 'reason' | 'chargeId'>> {
  return readOne(
    sql,
    `update calls set outcome = coalesce(live.status, case when outcome = 'pending' then 'failed' else outcome end),
            reason = case when live.status is not null then null when outcome = 'pending' then 'error' else reason end,
            charge_id = coalesce(live.id, charge_id)
       from (values (1)) one left join lateral (
         select charges.id, charges.status::text from charges join calls of_call on of_call.session_id = charges.session_id
          where of_call.id = $1 and charges.status in ('pending', 'succeeded')) live on true
      where calls.id = $1
     returning outcome, reason, charge_id as "chargeId"`,
    [id],
  );
}

/** Acquires the lease of this process and keeps it alive. @throws when the database can't be reached now; later it retries */
export async function acquireProcessLease(options: ProcessLeaseOptions): Promise<ProcessLease> {
  const first = await connect(options.url, FIRST_CONNECT_LIMIT_MS);
  const insert = 'insert into process_leases (instance) values ($1) returning id';
  const { id } = await readOne<{ id: number }>(first, insert, [options.instance]);
  const heartbeat = new Heartbeat(options, id);
  await heartbeat.start(first);
  return {
    id,
    instance: options.instance,
    get held() {
      return heartbeat.held;
    },
    onChange: (handler) => heartbeat.onChange(handler),
    close: () => heartbeat.stop(),
  };
}

async function connect(url: string, limitMs = CONNECT_LIMIT_MS): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings(url),
    connectionTimeoutMillis: limitMs,
    statement_timeout: STATEMENT_LIMIT_MS,
    query_timeout: STATEMENT_LIMIT_MS + 1_000,
  });
  await client.connect();
  return client;
}

/** Moves `seen_at` and keeps the lock, on a new connection when the old one breaks. */
class Heartbeat {
  readonly #options: ProcessLeaseOptions;
  readonly #id: number;
  readonly #beatMs: number;
  #client: pg.Client | null = null;
  #locked = false;
  #held = false;
  #onChange: () => void = () => undefined;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: ProcessLeaseOptions, id: number) {
    this.#options = options;
    this.#id = id;
    this.#beatMs = options.beatMs ?? BEAT_MS;
  }

  get held(): boolean {
    return this.#held;
  }

  onChange(handler: () => void): void {
    this.#onChange = handler;
  }

  async start(client: pg.Client): Promise<void> {
    await this.#use(client);
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#working;
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    try {
      await client.query('delete from process_leases where id = $1', [this.#id]);
      await client.end();
    } catch (error) {
      // The others will see that the heartbeat has stopped.
      this.#options.log.warn({ err: error }, 'process lease not released');
    }
  }

  #next(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#working = this.#beat();
    }, this.#beatMs);
  }

  async #beat(): Promise<void> {
    try {
      if (this.#client === null) {
        await this.#use(await connect(this.#options.url));
        this.#options.log.info({}, 'process lease connected again');
      } else await this.#write(this.#client, 'seen_at = now()');
    } catch (error) {
      if (this.#client !== null) this.#lose(this.#client, error);
    }
    this.#next();
  }

  /** The first heartbeat of a connection. @throws when it can't be written; then the connection is closed */
  async #use(client: pg.Client): Promise<void> {
    client.on('error', (error) => this.#lose(client, error));
    this.#locked = false;
    try {
      // A heartbeat is worth no wait for the disk.
      await client.query('set synchronous_commit = off');
      await this.#write(client, 'seen_at = now(), acquired_at = now()');
    } catch (error) {
      this.#discard(client);
      throw error;
    }
  }

  async #write(client: pg.Client, change: string): Promise<void> {
    // Inserts the row again if it was deleted meanwhile.
    await client.query(
      `insert into process_leases (id, instance) overriding system value values ($1, $2)
       on conflict (id) do update set ${change}`,
      [this.#id, this.#options.instance],
    );
    // Does not wait: an older connection of ours, which PostgreSQL believes to be alive, may hold it for minutes.
    if (!this.#locked) {
      const lock = await client.query('select pg_try_advisory_lock($1, $2) as locked', [LOCK_CLASS, this.#id]);
      this.#locked = lock.rows[0].locked;
    }
    this.#client = client;
    this.#change(true);
  }

  #change(held: boolean): void {
    if (this.#held === held) return;
    this.#held = held;
    this.#onChange();
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#change(false);
    this.#options.log.warn({ err: error }, 'process lease lost its database connection');
    this.#discard(client);
  }

  #discard(client: pg.Client): void {
    client.end().catch((cause: unknown) => this.#options.log.warn({ err: cause }, 'broken connection not closed'));
  }
}
