/** The engine dies, or the connections to it break, during calls: nothing crashes, and every call has an outcome. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { startEngine } from '../../../src/local/standalone/engine.ts';
import { build } from '../../../src/local/standalone/setup/build.mjs';
import {
  listCalls,
  listCharges,
  readSessionStatus,
  waitForEndedCall,
  waitForSettledCall,
  waitForSettledCharges,
  waitForStep,
} from '../../support/checkouts.ts';
import { freePort } from '../../support/ports.ts';
import { cardKeys } from '../../support/sipp-calls.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import {
  Cleanup,
  external,
  type FaultTest,
  payByPhone,
  waitForPendingCharge,
  waitForReady,
  withProduct,
} from './fault-harness.ts';

const SOFTSWITCH = fileURLToPath(new URL('../../../dist/local/softswitch/main.js', import.meta.url));

export function engineFaults(): void {
  test
    .runIf(!external)
    .concurrent('a killed softswitch comes back; its callers return to the agent, the charge settles', () =>
      withProduct({}, async ({ product, newCaller }) => {
        const [idle, paying] = [await newCaller(), await newCaller()];
        await Promise.all([idle.dial(), paying.dial()]);
        await paying.press(cardKeys('slow'));
        await waitForPendingCharge(product, paying.checkout.id);
        const pid = product.pid();
        const died = product.waitForOutput(/softswitch died/);
        process.kill(softswitchOf(pid), 'SIGKILL');
        await died;
        const { testDatabase } = product;
        expect(await idle.outcomeHeaders()).toMatchObject({ 'X-Ringkey-Outcome': 'failed' });
        expect(await waitForEndedCall(testDatabase, idle.checkout.id)).toMatchObject({ charge_id: null });
        expect(await readSessionStatus(testDatabase, idle.checkout.id)).toBe('open');
        expect(await waitForSettledCharges(testDatabase, paying.checkout.id)).toMatchObject([{ status: 'succeeded' }]);
        expect(await waitForSettledCall(testDatabase, paying.checkout.id)).toMatchObject({ outcome: 'succeeded' });
        await waitForReady(product);
        await payByPhone(await newCaller());
        expect(product.pid()).toBe(pid);
      }),
    );

  describe.concurrent('a broken connection', () => {
    test('to the SIP server lets callers pay, and returns them when it is back', () =>
      behindEngineProxies(async ({ product, newCaller, drachtio }) => {
        const caller = await newCaller();
        await caller.dial();
        await caller.waitForSentence(/card number/);
        drachtio.cut();
        await caller.press(cardKeys('visa'));
        await waitForStep(product.testDatabase, caller.checkout.id, 'waits for the SIP server');
        drachtio.restore();
        expect(await caller.outcomeHeadersAfterCall()).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
        await waitForReady(product);
        await payByPhone(await newCaller());
      }));

    test('to the media server leaves every outcome in the database, and new calls are accepted when it is back', () =>
      behindEngineProxies(async ({ product, newCaller, freeswitch }) => {
        const caller = await newCaller();
        await caller.dial();
        await caller.waitForSentence(/card number/);
        freeswitch.cut();
        await caller.press(cardKeys('visa'));
        await caller.over;
        const ended = await waitForEndedCall(product.testDatabase, caller.checkout.id);
        const charges = await listCharges(product.testDatabase, caller.checkout.id);
        expect(ended.outcome).toBe(charges.length === 0 ? 'failed' : 'succeeded');
        freeswitch.restore();
        await waitForReady(product);
        await payByPhone(await newCaller());
        expect(await listCalls(product.testDatabase, caller.checkout.id)).toHaveLength(1);
      }));
  });
}

/** The child of `pid` that runs the softswitch. */
function softswitchOf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(/\s+/),
  );
  const found = children.find(
    (child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('softswitch'),
  );
  if (found === undefined) throw new Error('the product has no softswitch');
  return Number(found);
}

interface EngineProxied extends FaultTest {
  drachtio: TcpProxy;
  freeswitch: TcpProxy;
}

/** An engine that is not the product's child, behind proxies that can be cut: the real daemons, or the softswitch. */
async function behindEngineProxies(play: (faultTest: EngineProxied) => Promise<void>): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const [drachtio, freeswitch] = await Promise.all([startTcpProxy(), startTcpProxy()]);
    cleanup.add(drachtio);
    cleanup.add(freeswitch);
    const wires = await engineWires(cleanup);
    const settings = {
      ...wires.settings,
      RINGKEY_ENGINE: 'external',
      DRACHTIO_HOST: '127.0.0.1',
      DRACHTIO_PORT: new URL(drachtio.forwardTo(wires.drachtio)).port,
      FREESWITCH_HOST: '127.0.0.1',
      FREESWITCH_PORT: new URL(freeswitch.forwardTo(wires.freeswitch)).port,
    };
    await withProduct(settings, (faultTest) => play({ ...faultTest, drachtio, freeswitch }));
  } finally {
    await cleanup.close();
  }
}

interface Wires {
  drachtio: string;
  freeswitch: string;
  settings: Record<string, string>;
}

async function engineWires(cleanup: Cleanup): Promise<Wires> {
  if (external) {
    const { DRACHTIO_HOST, DRACHTIO_PORT, FREESWITCH_HOST, FREESWITCH_PORT } = readConfig(process.env);
    const wire = (host: string, port: number) => `tcp://${host}:${port}`;
    return {
      drachtio: wire(DRACHTIO_HOST, DRACHTIO_PORT),
      freeswitch: wire(FREESWITCH_HOST, FREESWITCH_PORT),
      settings: {},
    };
  }
  build();
  const config = readConfig({ RINGKEY_SIP_PORT: String(await freePort()) });
  const engine = await startEngine(config, pino({ level: 'silent' }), SOFTSWITCH);
  cleanup.add({ close: () => engine.stop() });
  const { sipPort, drachtioPort, eslPort } = engine.ports;
  return {
    drachtio: `tcp://127.0.0.1:${drachtioPort}`,
    freeswitch: `tcp://127.0.0.1:${eslPort}`,
    settings: {
      DRACHTIO_SECRET: engine.secret,
      FREESWITCH_SECRET: engine.secret,
      RINGKEY_SIP_DOMAIN: `127.0.0.1:${sipPort}`,
    },
  };
}
