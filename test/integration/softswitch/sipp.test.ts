/** Calls with SIPp, an independent SIP stack, and many calls at once. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../support/ports.ts';
import type { App, AppDialog } from './drachtio-app.ts';
import { ANSWER, type Engine, OFFER, once, startEngine } from './engine.ts';

let engine: Engine;
let app: App;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sipp-'));
  engine = await startEngine();
  app = await engine.app();
});

afterEach(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

const scenario = (name: string) => ['-sf', fileURLToPath(new URL(`../../sipp/${name}.xml`, import.meta.url))];

/** Runs SIPp to its end. Rejects with its output if a call failed. */
async function sipp(args: string[], limitSeconds = 200): Promise<void> {
  const common = ['-i', '127.0.0.1', '-nostdin', '-nd', '-timeout', `${limitSeconds}s`, '-timeout_error'];
  await new Promise<void>((resolve, reject) => {
    execFile('sipp', [...args, ...common], { cwd: folder }, (error, stdout, stderr) => {
      if (error) reject(new Error(`SIPp failed with ${error.code}: ${stderr.slice(-2_000)} ${stdout.slice(-2_000)}`));
      else resolve();
    });
  });
}

const target = () => `127.0.0.1:${engine.sipPort}`;

describe.each([
  ['udp', 'u1'],
  ['tcp', 't1'],
])('SIPp over %s', (transport, mode) => {
  it('calls, is answered and hangs up', async () => {
    app.invite((req, res) => void app.createUAS(req, res, { localSdp: ANSWER }));
    await sipp([target(), '-sn', 'uac', '-t', mode, '-m', '3', '-r', '10', '-d', '100', '-p', `${await freePort()}`]);
    await expect.poll(engine.callCount).toBe(0);
  });

  it('is called by the application', async () => {
    const port = await freePort();
    const phone = sipp(['-sn', 'uas', '-t', mode, '-m', '1', '-p', `${port}`]);
    const uri = `sip:agent@127.0.0.1:${port};transport=${transport}`;
    let dialog: AppDialog | undefined;
    // Until SIPp listens, TCP connections are refused, and the engine repeats UDP requests.
    while (!dialog) dialog = await app.createUAC(uri, { localSdp: OFFER }).catch(() => undefined);
    await dialog.destroy();
    await phone;
  });

  it('cancels a ringing call', async () => {
    app.invite((_req, res) => res.send(180));
    await sipp([target(), ...scenario('cancel'), '-t', mode, '-m', '3', '-r', '10', '-p', `${await freePort()}`]);
    await expect.poll(engine.callCount).toBe(0);
  });

  it('sends a key, holds, is transferred and hung up on', async () => {
    const seen: string[] = [];
    app.invite(async (req, res) => {
      const dialog = await app.createUAS(req, res, { localSdp: ANSWER });
      for (const event of ['info', 'modify', 'notify']) {
        dialog.on(event, (_request, response) => {
          seen.push(event);
          response.send(200, event === 'modify' ? { body: ANSWER } : {});
        });
      }
      // The ACKs of the INVITE and of the re-INVITE.
      await once(dialog, 'ack');
      await once(dialog, 'ack');
      const notified = once(dialog, 'notify');
      await dialog.request({ method: 'REFER', headers: { 'Refer-To': '<sip:agent@127.0.0.1>' } });
      await notified;
      await dialog.destroy();
    });
    await sipp([target(), ...scenario('transfer'), '-t', mode, '-m', '1', '-p', `${await freePort()}`]);
    expect(seen).toEqual(['info', 'modify', 'notify']);
  });
});

describe('load', () => {
  it('answers 600 calls at 60 a second', async () => {
    app.invite((req, res) => void app.createUAS(req, res, { localSdp: ANSWER }));
    await sipp([target(), '-sn', 'uac', '-m', '600', '-r', '60', '-d', '1000', '-p', `${await freePort()}`]);
    await expect.poll(engine.callCount).toBe(0);
  });
});
