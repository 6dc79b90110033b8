/**
 * PgBouncer in transaction mode, between the product and PostgreSQL. `RINGKEY_TEST_PGBOUNCER` names the program: with
 * it, all test databases are behind one.
 */
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Daemon, startDaemon } from '../../src/local/standalone/servers/daemon.ts';
import { type Place, privateFolder } from '../../src/local/standalone/servers/place.ts';

export interface PgBouncer extends Daemon {
  /** The URL of the same database through PgBouncer. */
  through(url: string): string;
}

interface PgBouncerOptions {
  program: string;
  place: Place;
  postgresUrl: string;
  /** Default: any free one. */
  port?: number;
  /** Lines of its configuration that replace ours. */
  settings?: Readonly<Record<string, string | number>>;
}

const READY_LIMIT_MS = 60_000;

/** Fewer server connections than clients, so that they take turns. */
const SETTINGS = {
  pool_mode: 'transaction',
  default_pool_size: 5,
  max_client_conn: 1_000,
  max_prepared_statements: 200,
  server_idle_timeout: 5,
};

export async function startPgBouncer({
  program,
  place,
  postgresUrl,
  port = 0,
  settings,
}: PgBouncerOptions): Promise<PgBouncer> {
  const folder = privateFolder(place, `pgbouncer-${Math.random().toString(36).slice(2)}`);
  const through = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).href;
  const daemon = await startDaemon({
    name: 'PgBouncer',
    command: program,
    owner: folder.owner,
    folder: folder.path,
    stopSignal: 'SIGTERM',
    port,
    portSetting: 'none',
    readyLimitMs: READY_LIMIT_MS,
    configure(listenPort) {
      const { hostname, port: serverPort, username, password } = new URL(postgresUrl);
      const file = join(folder.path, 'pgbouncer.ini');
      const users = join(folder.path, 'users');
      const write = (path: string, lines: readonly string[]) => {
        writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
        if (folder.owner) chownSync(path, folder.owner.uid, folder.owner.gid);
      };
      write(users, [`"${username}" "${password}"`]);
      const own = { listen_addr: '127.0.0.1', listen_port: listenPort, auth_type: 'scram-sha-256', auth_file: users };
      const files = { pidfile: join(folder.path, 'pid'), unix_socket_dir: '' };
      const all = Object.entries(Object.assign({}, SETTINGS, own, files, settings));
      write(file, [
        '[databases]',
        `* = host=${hostname} port=${serverPort} connect_query='set lock_timeout = 2000; set statement_timeout = 10000'`,
        '[pgbouncer]',
        ...all.map(([name, value]) => `${name} = ${value}`),
      ]);
      return [file];
    },
    isReady: (listenPort) => answers(through(postgresUrl, listenPort)),
  });
  return { ...daemon, through: (url) => through(url, daemon.port) };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
