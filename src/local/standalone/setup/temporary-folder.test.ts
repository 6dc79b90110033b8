import { describe, expect, test } from 'vitest';
import { isRoomy } from './temporary-folder.mjs';

const GB = 2 ** 30;
const MOUNTS = '/dev/vda / ext4 rw,relatime 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n';
const STATE = { mounts: MOUNTS, freeBytes: 16 * GB, memoryBytes: 16 * GB };

describe('the temporary files of tests', () => {
  test('are in memory if there is room', () => expect(isRoomy(STATE)).toBe(true));

  test.each([
    { state: { freeBytes: GB / 16 }, reason: 'the folder is as small as in a container' },
    { state: { memoryBytes: 8 * GB }, reason: 'the machine needs its memory' },
    { state: { mounts: MOUNTS.replace('nosuid', 'noexec') }, reason: 'programs cannot run from it' },
    { state: { mounts: MOUNTS.replace('tmpfs /dev/shm tmpfs', '/dev/vdb /dev/shm ext4') }, reason: 'it is on a disk' },
    { state: { mounts: '/dev/vda / ext4 rw,relatime 0 0\n' }, reason: 'there is no such mount' },
  ])('are not in memory if $reason', ({ state }) => expect(isRoomy({ ...STATE, ...state })).toBe(false));
});
