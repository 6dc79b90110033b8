/** The dashboard's test calls: a scripted caller in its own process dials the running product; recordings expire. */
import { randomUUID } from 'node:crypto';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import wavefile from 'wavefile';
import type { CallerProcess } from '../../src/app/caller-process.ts';
import { type ClosableTestCalls, openTestCalls, type TestCallOptions } from '../../src/app/test-calls.ts';
import type { TestCall, TestCallOrder, TestCheckout } from '../../src/http/dashboard/try-it/ports.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { createCheckout, waitForEndedCall, waitForSettledCharges } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { startProduct } from '../support/product.ts';

const product = useFixture(() => startProduct());
const ENTRY = new URL('../../dist/main.js', import.meta.url).pathname;
const SILENT = createLog({ level: 'silent', instance: 'test' });
const ORDER: TestCallOrder = {
  accountId: DEMO_ACCOUNT,
  script: 'type-ahead',
  card: null,
  caller: '+15550101234',
  onceKey: 'one-form',
};

const CHECKOUT: TestCheckout = {
  transferTo: 'sip:nobody@127.0.0.1',
  sessionId: 'cs_none',
  returnTo: null,
  agentMessage: '',
  merchantId: 'mer_demo_diner',
  businessName: 'Demo Diner',
  amountCents: 4_250,
  currency: 'USD',
};

const opened: ClosableTestCalls[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((calls) => calls.close()));
});

async function testCalls(options: Partial<TestCallOptions> = {}): Promise<ClosableTestCalls> {
  const calls = await openTestCalls({ config: product.config, log: SILENT, entry: ENTRY, ...options });
  opened.push(calls);
  return calls;
}

const ended = (call: TestCall) => until(call, () => call.state !== 'running');
const answered = (call: TestCall) => until(call, () => call.steps.some(({ text }) => text.startsWith('200')));

function until(call: TestCall, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      stop();
      resolve();
    };
    const stop = call.watch(look);
    look();
  });
}

/** @throws Error if the call was refused */
async function placed(calls: ClosableTestCalls, order: Partial<TestCallOrder> = {}) {
  let sessionId = '';
  const call = await calls.place({ ...ORDER, onceKey: randomUUID(), ...order }, async (returnTo) => {
    const checkout = await createCheckout(product, { return_to: returnTo, caller_phone: ORDER.caller });
    sessionId = checkout.id;
    return { ...CHECKOUT, sessionId: checkout.id, transferTo: checkout.transferTo, returnTo };
  });
  if (typeof call === 'string') throw new Error(`the call was refused: ${call}`);
  return { call, sessionId };
}

test('shows a paid call step by step, and records it', async () => {
  const calls = await testCalls();
  const { call, sessionId } = await placed(calls, { card: '5555555555554444', enters: { expiry: '0135' } });
  expect(calls.find(DEMO_ACCOUNT, call.id)).toBe(call);
  await ended(call);
  expect(await waitForSettledCharges(product.testDatabase, sessionId)).toMatchObject([{ status: 'succeeded' }]);
  expect(call).toMatchObject({ state: 'over', ending: 'the agent hung up' });
  expect(call.headers).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Session': sessionId });
  const kinds = new Set(call.steps.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['sip', 'said', 'keyed', 'agent']));
  expect(call.steps.filter(({ kind }) => kind === 'keyed').map(({ text }) => text)).toContain('••••••••••••4444');
  expect(JSON.stringify(call.steps)).not.toMatch(/5555555/);
  const audio = new wavefile.WaveFile(await readFile(call.recording ?? ''));
  expect(audio.fmt).toMatchObject({ numChannels: 1, sampleRate: 8_000, bitsPerSample: 16 });
  const samples = audio.getSamples(false, Int16Array) as unknown as Int16Array;
  expect(Math.max(...samples.filter((_, index) => index % 7 === 0))).toBeGreaterThan(3_000);
  // The recording has everything that was heard. (Between the line and the agent, a busy machine can be silent for long.)
  const heardMs = call.steps.reduce((sum, step) => sum + (step.kind === 'said' ? (step.forMs ?? 0) : 0), 0);
  expect(heardMs).toBeGreaterThan(1_000);
  expect(samples.length / 8).toBeGreaterThan(heardMs * 0.8);
});

test('places two calls at a time, and hangs up with a BYE when told to', async () => {
  const calls = await testCalls();
  const [one, two] = await Promise.all([placed(calls, { script: 'silent' }), placed(calls, { script: 'silent' })]);
  expect(await calls.place(ORDER, () => Promise.reject(new Error('not to be asked')))).toBe('busy');
  await answered(one.call);
  one.call.hangUp();
  await ended(one.call);
  expect(one.call).toMatchObject({ state: 'over', ending: 'the caller hung up' });
  await waitForEndedCall(product.testDatabase, one.sessionId);
  two.call.hangUp();
  await ended(two.call);
});

test('returns the existing call for a repeated order, running or ended', async () => {
  const calls = await testCalls();
  const order = { ...ORDER, script: 'silent' };
  const first = placed(calls, order);
  const never = () => Promise.reject(new Error('not to be asked'));
  const again = await calls.place(order, never);
  const { call } = await first;
  expect(again).toBe(call);
  expect((await placed(calls, { script: 'silent' })).call).not.toBe(call);
  await answered(call);
  call.hangUp();
  await ended(call);
  expect(await calls.place(order, never)).toBe(call);
});

test('places a call if its checkout was refused the first time', async () => {
  const calls = await testCalls();
  const refused = new Error('no such merchant');
  await expect(calls.place({ ...ORDER, script: 'silent' }, () => Promise.reject(refused))).rejects.toBe(refused);
  expect((await placed(calls, { ...ORDER, script: 'silent' })).call.state).toBe('running');
});

test('does not find a call of another account', async () => {
  const calls = await testCalls();
  const { call } = await placed(calls, { script: 'silent' });
  expect(calls.find('acct_another' as typeof DEMO_ACCOUNT, call.id)).toBeNull();
  expect(calls.find(DEMO_ACCOUNT, 'try_unknown')).toBeNull();
});

test('throws the error of creating the checkout, and leaves no caller process', async () => {
  const calls = await testCalls();
  const refused = new Error('no such merchant');
  for (let turn = 0; turn < 3; turn += 1) {
    await expect
      .poll(() => calls.place(ORDER, () => Promise.reject(refused)).catch((error: unknown) => error))
      .toBe(refused);
  }
});

test('hangs up all callers when the product stops', async () => {
  const calls = await testCalls();
  const { call, sessionId } = await placed(calls, { script: 'silent' });
  await answered(call);
  await calls.close();
  expect(call.state).toBe('over');
  const { reason } = await waitForEndedCall(product.testDatabase, sessionId);
  expect(reason).not.toBe('error');
  expect(await calls.place(ORDER, () => Promise.reject(new Error('not to be asked')))).toBe('unavailable');
});

/** Writes a program that replaces the scripted caller. */
async function withProgram(source: string, use: (entry: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ringkey-fake-caller-'));
  const entry = join(directory, 'caller.mjs');
  await writeFile(entry, source);
  try {
    await use(entry);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const READY = `console.log(JSON.stringify({ type: 'ready', return_to: 'sip:agent@127.0.0.1:1' }));`;
const dialNowhere = () => Promise.resolve(CHECKOUT);

async function fakeCall(calls: ClosableTestCalls): Promise<TestCall> {
  const call = await calls.place(ORDER, dialNowhere);
  if (typeof call === 'string') throw new Error(call);
  return call;
}

test.each([
  ['dies during the call', `${READY} process.stdin.once('data', () => process.kill(process.pid, 'SIGKILL'));`],
  [
    'prints invalid steps',
    `${READY} process.stdin.once('data', () => { console.log('{"type":"step"}\\nx'); process.exit(1); });`,
  ],
])('fails a call whose program %s', (_, source) =>
  withProgram(source, async (entry) => {
    const calls = await testCalls({ entry });
    const call = await fakeCall(calls);
    await ended(call);
    expect(call).toMatchObject({ state: 'failed', steps: [], recording: null });
  }),
);

test('places no call if the program does not start', () =>
  withProgram('process.exit(3);', async (entry) => {
    expect(await (await testCalls({ entry })).place(ORDER, dialNowhere)).toBe('unavailable');
  }));

test('kills a program that does not end by itself, after its time limit and when the product stops', () =>
  withProgram(
    `${READY} process.stdin.resume(); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`,
    async (entry) => {
      const calls = await testCalls({ entry });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const call = await fakeCall(calls);
      // The limit of a call, then the limits to hang up and to exit.
      await vi.advanceTimersByTimeAsync(180_000);
      expect(call.state).toBe('running');
      await vi.advanceTimersByTimeAsync(5_000 + 2_000);
      await ended(call);
      expect(call.state).toBe('failed');
      await fakeCall(calls);
      const closed = calls.close();
      await vi.advanceTimersByTimeAsync(5_000 + 2_000);
      await closed;
    },
  ));

test('deletes recording and steps after 15 minutes', () =>
  withProgram(
    `import { writeFileSync } from 'node:fs';
     ${READY}
     process.stdin.once('data', () => {
       writeFileSync(process.argv[process.argv.indexOf('--record') + 1], 'sound');
       console.log(JSON.stringify({ type: 'over', report: { over: 'done', answered: true, headers: {} } }));
       process.exit(0);
     });`,
    async (entry) => {
      const calls = await testCalls({ entry });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const call = (await fakeCall(calls)) as CallerProcess;
      await call.gone;
      const file = call.recording ?? '';
      await access(file);
      expect(calls.find(DEMO_ACCOUNT, call.id)).toBe(call);
      vi.advanceTimersByTime(15 * 60_000);
      expect(calls.find(DEMO_ACCOUNT, call.id)).toBeNull();
      vi.useRealTimers();
      await expect.poll(() => access(file).catch((error: { code: string }) => error.code)).toBe('ENOENT');
    },
  ));
