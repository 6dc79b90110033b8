/** The scripted caller: what it does after a REFER, and how it judges a call to something that is no payment line. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { type AudioSession, AudioSessions } from '../../../src/local/scripted-caller/audio.ts';
import { lostDifferences } from '../../../src/local/scripted-caller/differences.ts';
import type { FarEndChecks } from '../../../src/local/scripted-caller/far-end.ts';
import { callOptionsOf, createCallCommand } from '../../../src/local/scripted-caller/options.ts';
import { type KeysBy, Phone } from '../../../src/local/scripted-caller/phone.ts';
import { placeCall } from '../../../src/local/scripted-caller/place-call.ts';
import {
  createSipAgent,
  type Dialog,
  type ServerTransaction,
  type SipAgent,
} from '../../../src/local/softswitch/sip/index.ts';
import { noise } from './caller-and-agent.ts';
import { EventLog } from './event-log.ts';

const AUDIO = new AudioSessions();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A far end that answers every call. */
class FarEnd {
  readonly requests = new EventLog<ServerTransaction>();
  readonly dialogs = new EventLog<Dialog>();
  isLoud = false;
  private constructor(
    readonly sip: SipAgent,
    readonly audio: AudioSession,
  ) {}

  static async start(): Promise<FarEnd> {
    const hear = (samples: Int16Array) => {
      farEnd.isLoud ||= samples.some((sample) => Math.abs(sample) > 1_000);
    };
    const farEnd: FarEnd = new FarEnd(
      await createSipAgent({ address: '127.0.0.1', port: 0 }),
      await AUDIO.openSession((samples) => hear(samples)),
    );
    open.push(farEnd.sip, farEnd.audio);
    farEnd.sip.on('request', (invite) => farEnd.#take(invite));
    return farEnd;
  }

  get uri(): string {
    return `sip:line@127.0.0.1:${this.sip.port}`;
  }

  #take(invite: ServerTransaction): void {
    const body = this.audio.answer(invite.request.body) ?? '';
    invite.respond(200, { headers: { 'Content-Type': 'application/sdp' }, body });
    const { dialog } = invite;
    if (dialog == null) return;
    dialog.on('request', (request) => {
      request.respond(200);
      this.requests.push(request);
    });
    dialog.once('ack', () => this.dialogs.push(dialog));
  }
}

it.each(['telephone_event', 'info', 'sound'] as const)(
  'keys go to the call that a followed REFER has placed (by %s)',
  async (keysBy: KeysBy) => {
    const [platform, line] = [await FarEnd.start(), await FarEnd.start()];
    const over = deferred<string>();
    const phone = await Phone.create(
      AUDIO,
      { callerNumber: '+15550101234', keysBy, takesRefer: true },
      { sip: () => undefined, frame: () => undefined, ended: over.resolve },
    );
    open.push(phone);
    expect(await phone.dial(platform.uri)).toBe(true);
    const first = await platform.dialogs.waitFor(() => true);
    const referred = first.request({ method: 'REFER', headers: { 'Refer-To': `<${line.uri}>` } });
    expect((await referred.final).status).toBe(202);
    const second = await line.dialogs.waitFor(() => true);
    await platform.requests.waitFor(({ method, request }) => method === 'NOTIFY' && request.body.includes('200'));
    // The platform leaves the call. The caller is with the line.
    await first.bye().final;
    await phone.press('12');
    const arrived = {
      telephone_event: () => line.audio.events > 0,
      info: () => line.requests.entries.some(({ method }) => method === 'INFO'),
      sound: () => line.isLoud,
    };
    await expect.poll(arrived[keysBy as keyof typeof arrived]).toBe(true);
    await second.bye().final;
    expect(await over.promise).toBe('the agent hung up');
  },
);

it('a call to something that plays two seconds and hangs up did not go as the script expects', async () => {
  const farEnd = await FarEnd.start();
  const folder = await mkdtemp(join(tmpdir(), 'ringkey-no-prompts-'));
  open.push({ close: () => rm(folder, { recursive: true }) });
  const command = createCallCommand().parse(['--target', farEnd.uri], { from: 'user' });
  const calling = placeCall(callOptionsOf(command), { baseUrl: '', speechFolders: [folder], show: () => undefined });
  const dialog = await farEnd.dialogs.waitFor(() => true);
  // One sound: a pause between two would make them two questions for a caller that knows no prompts.
  await farEnd.audio.play(noise(2));
  const ended = once(dialog, 'ended');
  await dialog.bye().final;
  await ended;
  const { answered, differences } = await calling;
  expect(answered).toBe(true);
  expect(differences).toEqual([expect.stringMatching(/^the line never asked for: .*expiry/)]);
});

it('says where nothing answered if the call times out', async () => {
  const silent = await createSipAgent({ address: '127.0.0.1', port: 0 });
  silent.on('request', (transaction) => transaction.method === 'INVITE' && transaction.respond(408));
  const ended = deferred<string>();
  const phone = await Phone.create(
    AUDIO,
    { callerNumber: '+15550101234', takesRefer: true },
    { sip: () => undefined, frame: () => undefined, ended: (how) => ended.resolve(how) },
  );
  open.push(silent, phone);
  expect(await phone.dial(`sip:agent@127.0.0.1:${silent.port};transport=udp`)).toBe(false);
  expect(await ended.promise).toBe(`nothing answered at 127.0.0.1:${silent.port}`);
});

/** A phone on a call to a far end, and how the call ends. */
async function callTo(farEnd: FarEnd, checks: FarEndChecks): Promise<{ over: Promise<string>; dialog: Dialog }> {
  const over = deferred<string>();
  const phone = await Phone.create(
    AUDIO,
    { callerNumber: '+15550101234', takesRefer: true, checks },
    { sip: () => undefined, frame: () => undefined, ended: over.resolve },
  );
  open.push(phone);
  expect(await phone.dial(farEnd.uri)).toBe(true);
  return { over: over.promise, dialog: await farEnd.dialogs.waitFor(() => true) };
}

it('ends a call whose far end is gone without a BYE', async () => {
  const farEnd = await FarEnd.start();
  const { over } = await callTo(farEnd, { silentMs: 100, answerMs: 100 });
  farEnd.audio.close();
  await farEnd.sip.close();
  const how = await over;
  expect(how).toBe('the line no longer answers');
  expect(lostDifferences({ over: how })).toEqual([how]);
});

it('keeps a call whose far end sends no sound, but answers', async () => {
  const farEnd = await FarEnd.start();
  const { over, dialog } = await callTo(farEnd, { silentMs: 100, answerMs: 120_000 });
  farEnd.audio.close();
  const isCheck = ({ method }: ServerTransaction) => method === 'OPTIONS';
  await expect.poll(() => farEnd.requests.entries.filter(isCheck).length).toBeGreaterThan(1);
  await dialog.bye().final;
  const how = await over;
  expect(how).toBe('the line hung up');
  expect(lostDifferences({ over: how })).toEqual([]);
});
