/**
 * The folder of the tests' temporary files: hundreds of databases, images, browser profiles. In memory, if there is
 * enough, because creating their files on a disk takes up to a fifth of the processor's time.
 */
import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import process, { env } from 'node:process';

const FOLDER = '/dev/shm';
const GB = 2 ** 30;
/** A whole run writes about 5 GB. */
const MIN_FREE_BYTES = 8 * GB;
/** Including what the tests' own processes need. */
const MIN_MEMORY_BYTES = 12 * GB;

/** Sets TMPDIR for this process and all that it starts, unless the caller has set it. */
export function useTestFolder() {
  if (env.TMPDIR) return;
  try {
    const { bavail, bsize } = statfsSync(FOLDER);
    // Node.js 20.12 lacks it.
    const memoryBytes = process.availableMemory?.() ?? freemem();
    if (isRoomy({ mounts: readFileSync('/proc/mounts', 'utf8'), freeBytes: bavail * bsize, memoryBytes })) {
      env.TMPDIR = FOLDER;
    }
  } catch (error) {
    // Another system than Linux.
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Whether the folder is in memory, has room, and can contain programs: containers often have it small and `noexec`. */
export function isRoomy({ mounts, freeBytes, memoryBytes }) {
  const [, , type, options = ''] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === FOLDER) ?? [];
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return false;
  return freeBytes >= MIN_FREE_BYTES && memoryBytes >= MIN_MEMORY_BYTES;
}
