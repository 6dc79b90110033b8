/**
 * The folder and the user of the private servers. PostgreSQL refuses to run as root, so root's servers run as another
 * user. If that user cannot enter the home (a clone under a folder of mode 0700), the data goes to /var/lib/ringkey.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { childEnvironment } from '../../../config/config.ts';
import { CannotStart } from '../../../lib/start-error.ts';

export interface Owner {
  uid: number;
  gid: number;
}

export interface Place {
  /** Contains the servers' data, passwords and logs; the owner can enter it. */
  directory: string;
  /** Null for the user of this process. */
  owner: Owner | null;
}

const OUTSIDE = '/var/lib/ringkey';
/** The first existing user is used: Debian's package has the first, every system the second. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** The place for a home; its directory exists afterwards and belongs to the owner. */
export function choosePlace(home: string): Place {
  mkdirSync(home, { recursive: true });
  const owner = serverOwner();
  if (!owner) return { directory: home, owner };
  if (outputOf('test', ['-x', home], owner) !== null) return { directory: home, owner };
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 12);
  const directory = join(OUTSIDE, `${basename(dirname(home))}-${hash}`);
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  return { directory, owner };
}

/** A folder inside the place that only the owner can read. An existing folder keeps its owner. */
export function privateFolder(place: Place, name: string): { path: string; owner: Owner | null } {
  const path = join(place.directory, name);
  if (!existsSync(path)) {
    mkdirSync(path, { mode: 0o700 });
    if (place.owner) chownSync(path, place.owner.uid, place.owner.gid);
    return { path, owner: place.owner };
  }
  if (!place.owner) return { path, owner: null };
  const { uid, gid } = statSync(path);
  return { path, owner: { uid, gid } };
}

/** The output of the command as `owner`; null if it fails. A real run checks permissions, mounts and libraries. */
export function outputOf(command: string, args: readonly string[], owner: Owner | null): string | null {
  const options = { ...identity(owner), env: childEnvironment(), cwd: '/', encoding: 'utf8', timeout: 10_000 } as const;
  const { status, stdout } = spawnSync(command, args, options);
  return status === 0 ? stdout : null;
}

/** spawn()'s options for running as the owner. */
export function identity(owner: Owner | null): { uid?: number; gid?: number } {
  return owner ? { uid: owner.uid, gid: owner.gid } : {};
}

/** The user that the servers run as: null for the user of this process, another one for root. */
export function serverOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const user of UNPRIVILEGED) {
    const fields = lines.find((line) => line.startsWith(`${user}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(`PostgreSQL cannot run as root, and none of these users exists: ${UNPRIVILEGED.join(', ')}`);
}

/** Another process uses this home. Its servers can be used, but not started. */
export class HomeInUse extends CannotStart {}

/**
 * Claims the home for this process. The claim is a socket in Linux's abstract namespace, which the kernel always frees
 * when the process ends; other systems have no claim. @throws HomeInUse if another process has it
 */
export async function claimHome(home: string): Promise<{ release(): void }> {
  const server = createServer().unref();
  if (process.platform !== 'linux') return { release: () => undefined };
  const { dev, ino } = statSync(home);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = new HomeInUse(`Ringkey already runs on ${home}: stop it, or set RINGKEY_HOME to another folder.`);
      reject(error.code === 'EADDRINUSE' ? taken : error);
    });
    server.listen({ path: `\0ringkey-home-${dev}-${ino}` }, resolve);
  });
  return { release: () => server.close() };
}
