/** The kernel's data about processes (Linux's /proc): CPU time, children, listeners on a port. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** USER_HZ: 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** User and system time so far, in steps of 10 ms; 0 for a process that is gone. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}

function cpuMsOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The command name may contain any characters, even parentheses, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK;
}

/** A process and all its descendants. */
export function familyOf(pid: number): number[] {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`).trim().split(/\s+/).filter(Boolean).map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

/** The process of this machine that listens on a TCP port; null if there is none that this process may inspect. */
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
    // It has exited in the meantime, or must not be inspected.
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
