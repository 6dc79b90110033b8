/**
 * Finds the process that listens on a port, and whether it is a private server that a killed Ringkey left behind. Reads
 * /proc, so Linux only.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface PortOwner {
  pid: number;
  /** For messages, e.g. `redis-server`. */
  program: string;
  /** Null if Ringkey did not start the process. */
  privateServer: { folder: string; isLeftBehind: boolean } | null;
}

/** Variables of a private server's environment: the process that started it, and the folder with its data. */
const [STARTED_BY, FOLDER] = ['RINGKEY_STARTED_BY', 'RINGKEY_SERVER_FOLDER'];
/** The state of a listening socket in /proc/net/tcp. */
const LISTENS = '0A';

/** The environment by which {@link portOwner} recognizes a private server. */
export function privateServerEnvironment(folder: string): Record<string, string> {
  return { [STARTED_BY]: String(process.pid), [FOLDER]: folder };
}

/** Null if there is none, or if it belongs to another user, whose processes cannot be inspected. */
export function portOwner(port: number): PortOwner | null {
  const inodes = listeningSockets(port);
  if (inodes.size === 0) return null;
  const pid = entries('/proc').find((name) => /^\d+$/.test(name) && holdsSocket(name, inodes));
  if (pid === undefined) return null;
  return { pid: Number(pid), program: textOf(`/proc/${pid}/comm`).trim(), privateServer: privateServerOf(pid) };
}

function privateServerOf(pid: string): PortOwner['privateServer'] {
  const environment = textOf(`/proc/${pid}/environ`).split('\0');
  const settingOf = (name: string) => environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
  const [startedBy, folder] = [settingOf(STARTED_BY), settingOf(FOLDER)];
  if (startedBy === undefined || folder === undefined) return null;
  // The kernel changes the parent of a process when its own has ended. In another container, IDs have another meaning.
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(textOf(`/proc/${pid}/status`)) ?? [];
  const isComparable = linkOf(`/proc/${pid}/ns/pid`) === linkOf('/proc/self/ns/pid');
  return { folder, isLeftBehind: isComparable && parent !== undefined && parent !== startedBy };
}

/** Inodes of the sockets that listen on the port, at any address. */
function listeningSockets(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => textOf(file).split('\n'));
  const columns = rows.map((row) => row.trim().split(/\s+/));
  const listening = columns.filter(([, local, , state]) => local?.endsWith(suffix) && state === LISTENS);
  return new Set(listening.map((row) => row[9] ?? ''));
}

function holdsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return entries(folder).some((name) => inodes.has(/^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${name}`))?.[1] ?? ''));
}

const entries = (folder: string) => unlessGone(() => readdirSync(folder), []);
const textOf = (file: string) => unlessGone(() => readFileSync(file, 'utf8'), '');
const linkOf = (file: string) => unlessGone(() => readlinkSync(file), '');

const GONE_OR_CLOSED = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/** Processes can end while they are inspected, and those of other users cannot be read. */
function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (GONE_OR_CLOSED.has((error as NodeJS.ErrnoException).code ?? '')) return otherwise;
    throw error;
  }
}
