/** What the kernel knows of a process (Linux's /proc): CPU time, children, who listens on a port. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** USER_HZ: 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** User and system time so far, in steps of 10 ms; 0 for a process that is gone. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}

function cpuMsOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The command name may hold anything, parentheses too: fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK;
}

/** A process and all that descend from it. */
export function familyOf(pid: number): number[] {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`).trim().split(/\s+/).filter(Boolean).map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

/** The process of this machine that listens on a TCP port; null when there is none that we may look into. */
export function listenerOn(port: number): number | null {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readOrEmpty('/proc/net/tcp')
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const inode = rows.find(([, local, , state]) => local?.endsWith(suffix) && state === '0A')?.[9];
  if (inode === undefined) return null;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return Number(pids.find((pid) => holds(pid, `socket:[${inode}]`)) ?? 0) || null;
}

function holds(pid: string, target: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === target);
  } catch {
    // Gone meanwhile, or not ours to look into.
    return false;
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
