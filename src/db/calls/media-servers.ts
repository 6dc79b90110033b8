/** The tables `media_drains` and `media_reports`: drained media servers, and what each phone process knows of its servers. */
import type { Actor, OperatorAuditEntry } from '../../domain/audit.ts';
import { insertAuditEvent } from '../audit/audit-events.ts';
import { type Database, readFirst, type Sql } from '../pool.ts';
import { FROZEN_SECONDS } from './process-leases.ts';

/** A media server as a phone process knows it. */
export interface MediaServerState {
  /** Host and port of its event socket. */
  host: string;
  isConnected: boolean;
  /** DNS no longer names it. It gets no new calls. */
  isLeaving: boolean;
  /** `ringkey media drain`. It gets no new calls. */
  isDrained: boolean;
  /** Calls of this process that are live or arriving there. */
  calls: number;
}

export interface MediaReport extends MediaServerState {
  /** RINGKEY_INSTANCE and the lease of the process. */
  instance: string;
  leaseId: number;
}

export interface MediaDrain {
  host: string;
  drainedAt: Date;
  drainedBy: string;
}

/** Replaces the report of a phone process. Writes what has changed. @returns the drained servers */
export async function reportMediaServers(
  sql: Sql,
  leaseId: number,
  servers: readonly MediaServerState[],
): Promise<string[]> {
  const text = `
    with reported as (
      select * from unnest($2::text[], $3::boolean[], $4::boolean[], $5::boolean[], $6::integer[])
        as reported (host, is_connected, is_leaving, is_drained, calls)
    ), forgotten as (
      delete from media_reports where lease_id = $1 and host <> all ($2)
    ), written as (
      insert into media_reports as m (lease_id, host, is_connected, is_leaving, is_drained, calls)
      select $1, host, is_connected, is_leaving, is_drained, calls from reported
      on conflict (lease_id, host) do update
        set (is_connected, is_leaving, is_drained, calls)
          = (excluded.is_connected, excluded.is_leaving, excluded.is_drained, excluded.calls)
        where (m.is_connected, m.is_leaving, m.is_drained, m.calls)
          is distinct from (excluded.is_connected, excluded.is_leaving, excluded.is_drained, excluded.calls)
    )
    select host from media_drains`;
  const column = <K extends keyof MediaServerState>(name: K) => servers.map((server) => server[name]);
  const values = [
    leaseId,
    column('host'),
    column('isConnected'),
    column('isLeaving'),
    column('isDrained'),
    column('calls'),
  ];
  const { rows } = await sql.query<{ host: string }>({ name: 'report_media_servers', text, values });
  return rows.map(({ host }) => host);
}

/** The latest reports of all live phone processes. */
export async function readMediaReports(sql: Sql): Promise<MediaReport[]> {
  const { rows } = await sql.query<MediaReport>(
    `select m.host, m.is_connected as "isConnected", m.is_leaving as "isLeaving", m.is_drained as "isDrained", m.calls,
            l.instance, l.id as "leaseId"
       from media_reports m join process_leases l on l.id = m.lease_id
      where l.seen_at > now() - interval '${FROZEN_SECONDS} seconds'
      order by m.host, l.id`,
  );
  return rows;
}

export async function readMediaDrains(sql: Sql): Promise<MediaDrain[]> {
  const { rows } = await sql.query<MediaDrain>(
    'select host, drained_at as "drainedAt", drained_by as "drainedBy" from media_drains order by host',
  );
  return rows;
}

/**
 * Drains a media server, and audits it. Drains wait for each other.
 * @param check gets the drained servers before it; if it throws, nothing is changed
 * @returns false if it was drained before
 */
export function drainMediaServer(
  database: Database,
  by: Actor,
  host: string,
  check: (sql: Sql, drained: readonly string[]) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    await sql.query('lock table media_drains in share row exclusive mode');
    const drained = (await readMediaDrains(sql)).map((drain) => drain.host);
    if (drained.includes(host)) return false;
    await check(sql, drained);
    const text = 'insert into media_drains (host, drained_by) values ($1, $2)';
    await sql.query(text, [host, `${by.id ?? by.kind} at ${by.source ?? 'unknown'}`]);
    await audit(sql, by, 'media_server.drained', host);
    return true;
  });
}

/** @returns false if it was not drained */
export function undrainMediaServer(database: Database, by: Actor, host: string): Promise<boolean> {
  return database.transaction(async (sql) => {
    const gone = await readFirst(sql, 'delete from media_drains where host = $1 returning host', [host]);
    if (gone !== null) await audit(sql, by, 'media_server.undrained', host);
    return gone !== null;
  });
}

function audit(sql: Sql, by: Actor, action: OperatorAuditEntry['action'], host: string): Promise<void> {
  return insertAuditEvent(sql, by, { accountId: null, mode: null, action, objectId: host });
}
