import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { announceService, findRunningService } from './running-service.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ringkey-home-'));
});
afterEach(() => rm(home, { recursive: true }));

const service = { pid: process.pid, instance: 'here', httpUrl: 'http://127.0.0.1:8123' };

it('finds a running service until it stops', async () => {
  expect(await findRunningService(home)).toBeNull();
  const withdraw = await announceService(home, service);
  expect(await findRunningService(home)).toEqual(service);
  await withdraw();
  expect(await findRunningService(home)).toBeNull();
});

it('does not find a dead service, and keeps the file of its successor', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const withdraw = await announceService(home, { ...service, pid });
  expect(await findRunningService(home)).toBeNull();
  await announceService(home, service);
  await withdraw();
  expect(await findRunningService(home)).toEqual(service);
});

it.each(['', '{', '{"pid": "x"}'])('finds no service in a file with %j', async (text) => {
  await writeFile(join(home, 'running.json'), text);
  expect(await findRunningService(home)).toBeNull();
});
