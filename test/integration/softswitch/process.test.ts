/** The softswitch process: gets its options, responds with its ports or the wrong setting, and ends with its parent. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SoftswitchAnswer, SoftswitchOptions } from '../../../src/local/softswitch/options.ts';
import { build } from '../../../src/local/standalone/setup/build.mjs';

const MAIN = fileURLToPath(new URL('../../../dist/local/softswitch/main.js', import.meta.url));
const children: ChildProcess[] = [];

const OPTIONS: SoftswitchOptions = {
  signalling: {
    sipAddress: '127.0.0.1',
    sipPort: 0,
    drachtioAddress: '127.0.0.1',
    drachtioPort: 0,
    drachtioSecret: 's',
  },
  media: {
    eslAddress: '127.0.0.1',
    eslPort: 0,
    eslSecret: 's',
    mediaSipPort: 0,
    rtpAddress: '127.0.0.1',
    rtpPortMin: 38_000,
    rtpPortMax: 38_100,
  },
};

// `npm test` has already built everything. A build now would slow down concurrent tests.
beforeAll(build);

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Started {
  child: ChildProcess;
  answer: SoftswitchAnswer;
  /** The exit code. */
  exited: Promise<number | null>;
}

async function start(options: unknown): Promise<Started> {
  const child = fork(MAIN, { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  children.push(child);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  child.send(options as object);
  const [answer] = await once(child, 'message');
  return { child, answer: answer as SoftswitchAnswer, exited };
}

describe('the softswitch process', () => {
  it('responds with its ports, and ends when its parent disconnects', async () => {
    const { child, answer, exited } = await start(OPTIONS);
    expect(answer).toEqual({
      ready: true,
      sipPort: expect.any(Number),
      drachtioPort: expect.any(Number),
      eslPort: expect.any(Number),
      mediaSipPort: expect.any(Number),
    });
    child.disconnect();
    expect(await exited).toBe(0);
  });

  it('ends on SIGTERM, and ignores SIGINT', async () => {
    const { child, exited } = await start(OPTIONS);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  it('names the setting whose port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    for (const [half, setting] of [
      ['signalling', 'sipPort'],
      ['signalling', 'drachtioPort'],
      ['media', 'eslPort'],
    ] as const) {
      const { answer, exited } = await start({ ...OPTIONS, [half]: { ...OPTIONS[half], [setting]: port } });
      expect(answer).toEqual({ error: expect.stringContaining('EADDRINUSE'), setting: `${half}.${setting}` });
      expect(await exited).toBe(1);
    }
    other.close();
  });

  it('names the setting with an address that this machine does not have', async () => {
    const signalling = { ...OPTIONS.signalling, sipAddress: '192.0.2.1' };
    const { answer } = await start({ ...OPTIONS, signalling });
    expect(answer).toMatchObject({ setting: 'signalling.sipAddress' });
  });
});
