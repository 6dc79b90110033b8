/** How the softswitch's process is run, with a small program instead of the softswitch that listens on real ports. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { PortInUse } from '../../lib/start-error.ts';
import { type Engine, startEngine } from './engine.ts';

/** Dies at the first connection to its "SIP" port. */
const FAKE_SOFTSWITCH = `
import { createServer } from 'node:net';
process.once('message', ({ signalling }) => {
  const server = createServer(() => process.kill(process.pid, 'SIGKILL'));
  server.once('error', () => {
    process.send({ error: 'in use', setting: 'signalling.sipPort' }, () => process.exit(1));
  });
  server.listen(signalling.sipPort, '127.0.0.1', () => {
    const { port } = server.address();
    process.send({ ready: true, sipPort: port, drachtioPort: 1, eslPort: 2, mediaSipPort: 3 });
  });
});
process.once('disconnect', () => process.exit(0));
`;

const log = pino({ level: 'silent' });
let folder: string;
let entry: string;
let engine: Engine | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringkey-engine-'));
  entry = join(folder, 'fake-softswitch.mjs');
  await writeFile(entry, FAKE_SOFTSWITCH);
});

afterEach(async () => {
  await engine?.stop();
  engine = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function isListening(port: number): Promise<boolean> {
  const server = createServer();
  const taken = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(true));
    server.listen(port, '127.0.0.1', () => resolve(false));
  });
  server.close();
  return taken;
}

test('the softswitch reports its bound ports, which are free after it stops', async () => {
  engine = await startEngine(readConfig({ RINGKEY_SIP_PORT: '0' }), log, entry);
  expect(engine.ports).toMatchObject({ drachtioPort: 1, eslPort: 2, mediaSipPort: 3 });
  expect(await isListening(engine.ports.sipPort)).toBe(true);
  await engine.stop();
  expect(await isListening(engine.ports.sipPort)).toBe(false);
});

test('a softswitch that dies is restarted on the same ports', async () => {
  engine = await startEngine(readConfig({ RINGKEY_SIP_PORT: '0' }), log, entry);
  const { sipPort } = engine.ports;
  const killer = connect(sipPort, '127.0.0.1').on('error', () => undefined);
  await once(killer, 'close');
  await expect.poll(() => isListening(sipPort)).toBe(true);
});

test('the error about a SIP port in use names its setting', async () => {
  const other: Server = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const start = startEngine(readConfig({ RINGKEY_SIP_PORT: String(port) }), log, entry);
  await expect(start).rejects.toThrow(new PortInUse('RINGKEY_SIP_PORT', port));
  other.close();
});

test('a softswitch that exits immediately fails to start', async () => {
  await writeFile(entry, 'process.exit(7);');
  await expect(startEngine(readConfig({}), log, entry)).rejects.toThrow('ended with code 7');
});
