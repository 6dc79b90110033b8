/** The engine dies, or the connections to it break, with calls up: nothing crashes, every call is accounted for. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { startEngine } from '../../../src/standalone/engine.ts';
import { build } from '../../../src/standalone/setup/build.mjs';
import { cardKeys } from '../../support/sipp-calls.ts';
import { freePort } from '../../support/ports.ts';
import { callsOf, chargesOf, endedCall, sessionStatus, settledCharges } from '../../support/checkouts.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { Cleanup, chargeBegun, external, onProduct, pays, ready, type Scene } from './fault-harness.ts';

const SOFTSWITCH = fileURLToPath(new URL('../../../dist/softswitch/main.js', import.meta.url));

export function engineFaults(): void {
  test
    .runIf(!external)
    .concurrent('a killed softswitch comes back; calls of before are closed, the charge settles', () =>
      onProduct({}, async ({ product, person }) => {
        const [idle, paying] = [await person(), await person()];
        await Promise.all([idle.dial(), paying.dial()]);
        await paying.press(cardKeys('slow'));
        await chargeBegun(product, paying.checkout.id);
        const pid = product.pid();
        const died = product.says(/softswitch died/);
        process.kill(softswitchOf(pid), 'SIGKILL');
        await died;
        const { record } = product;
        expect(await endedCall(record, idle.checkout.id)).toMatchObject({ charge_id: null });
        expect(await sessionStatus(record, idle.checkout.id)).toBe('open');
        expect(await settledCharges(record, paying.checkout.id)).toMatchObject([{ status: 'succeeded' }]);
        expect(await endedCall(record, paying.checkout.id)).toMatchObject({ outcome: 'succeeded' });
        await ready(product);
        await pays(await person());
        expect(product.pid()).toBe(pid);
      }),
    );

  describe.concurrent('a broken connection', () => {
    test('to the SIP server: its calls are closed and their callers hung up on; new ones land when it is back', () =>
      behindEngineProxies(async ({ product, person, drachtio }) => {
        const caller = await person();
        await caller.dial();
        await caller.hears(/card number/);
        drachtio.cut();
        const ended = await endedCall(product.record, caller.checkout.id);
        expect(ended.steps).toContain('SIP server lost');
        expect(await chargesOf(product.record, caller.checkout.id)).toEqual([]);
        drachtio.restore();
        await ready(product);
        expect(await caller.over).toBe('the line hung up');
        await pays(await person());
      }));

    test('to the media server: no call is lost from the record; new ones land when it is back', () =>
      behindEngineProxies(async ({ product, person, freeswitch }) => {
        const caller = await person();
        await caller.dial();
        await caller.hears(/card number/);
        freeswitch.cut();
        await caller.press(cardKeys('visa'));
        await caller.over;
        const ended = await endedCall(product.record, caller.checkout.id);
        const charges = await chargesOf(product.record, caller.checkout.id);
        expect(ended.outcome).toBe(charges.length === 0 ? 'failed' : 'succeeded');
        freeswitch.restore();
        await ready(product);
        await pays(await person());
        expect(await callsOf(product.record, caller.checkout.id)).toHaveLength(1);
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

interface EngineProxied extends Scene {
  drachtio: TcpProxy;
  freeswitch: TcpProxy;
}

/** An engine that is not the product's child, behind proxies that can be cut: the real daemons, or the softswitch. */
async function behindEngineProxies(play: (scene: EngineProxied) => Promise<void>): Promise<void> {
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
      DRACHTIO_PORT: new URL(drachtio.before(wires.drachtio)).port,
      FREESWITCH_HOST: '127.0.0.1',
      FREESWITCH_PORT: new URL(freeswitch.before(wires.freeswitch)).port,
    };
    await onProduct(settings, (scene) => play({ ...scene, drachtio, freeswitch }));
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
