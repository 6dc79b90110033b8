/** A separate PostgreSQL from Debian's packages, which, unlike npm's, have `pg_dump` and `pg_restore` of its version. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { choosePlace } from '../../src/local/standalone/servers/place.ts';
import { startPostgres } from '../../src/local/standalone/servers/postgres.ts';

export interface DebianPostgres {
  /** Where commands run. */
  folder: string;
  urlOf(database: string): string;
  /**
   * Runs shell commands with the server's own programs, which connect to it.
   * @throws Error with what they printed on standard error
   */
  run(commands: string, environment?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** A server with no database of ours. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const home = await mkdtemp(join(tmpdir(), `ringkey-test-${process.pid}-`));
  // PostgreSQL does not run as root, and its user must be able to enter this folder.
  await chmod(home, 0o711);
  const place = choosePlace(home);
  const postgres = await startPostgres({ place, port: 0, durable: false, programsOf: 'debian' });
  const { hostname, port, username, password, pathname } = new URL(postgres.url);
  const server = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
  const PATH = `${postgres.programs}:/usr/bin:/bin`;
  const started: DebianPostgres = {
    folder: home,
    urlOf: (database) => new URL(`/${database}`, postgres.url).href,
    async run(commands, environment = {}) {
      await promisify(execFile)('sh', ['-ec', commands], { cwd: home, env: { PATH, ...server, ...environment } });
    },
    async close() {
      await postgres.stop();
      for (const folder of [home, place.directory]) await rm(folder, { recursive: true, force: true });
    },
  };
  await started.run(`dropdb ${pathname.slice(1)}`);
  return started;
}
