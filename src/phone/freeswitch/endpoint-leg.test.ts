/** The races of playing and stopping, on an endpoint whose every event is the test's. */
import { EventEmitter } from 'node:events';
import type { Endpoint, EndpointDialog, EslEvent } from 'drachtio-fsmrf';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type KeyKind, NoMedia } from '../ports.ts';
import { EndpointLeg } from './endpoint-leg.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function stage({ canDetectTones = true } = {}) {
  const commands: string[] = [];
  /** The replies to them. */
  const pauses: ((body: string) => void)[] = [];
  /** The answers to `set_media_stats`. */
  const measured: ((codec: string) => void)[] = [];
  const playing: { path: string; complete: (response?: string, state?: string) => void }[] = [];
  const conn = {
    socket: { cork: () => undefined, uncork: () => undefined },
    api: (command: string, args: readonly string[], replied: (reply: EslEvent) => void) => {
      commands.push([command, ...args].join(' '));
      if (command === 'uuid_fileman') pauses.push((body) => replied({ getHeader: () => null, getBody: () => body }));
    },
    sendRecv: (command: string) => commands.push(command),
    execute: (app: string, path: string, callback: (event: EslEvent) => void) => {
      if (app !== 'playback') {
        commands.push(app);
        if (app === 'set_media_stats') measured.push((codec) => callback(eventWith({ variable_read_codec: codec })));
        return;
      }
      const complete = (response = 'FILE PLAYED', state = 'answered') => {
        const headers: Record<string, string> = { 'Application-Response': response, 'Answer-State': state };
        callback(eventWith(headers));
      };
      playing.push({ path, complete });
    },
  };
  const dialog = Object.assign(new EventEmitter(), {
    id: 'd',
    connected: true,
    remote: { sdp: 'v=0' },
    byes: 0,
    modify: (sdp: string): Promise<string> => Promise.resolve(`answer to ${sdp}`),
    _reinvitesInProgress: { count: 0, admitOne: [] },
    destroy: () => {
      dialog.byes += 1;
      return Promise.resolve();
    },
  });
  const endpoint = Object.assign(new EventEmitter(), {
    uuid: 'u',
    conn,
    dialog,
    hangups: 0,
    bridged: false,
    bridge: () => {
      endpoint.bridged = true;
      return Promise.resolve();
    },
    destroy: () => {
      endpoint.hangups += 1;
      return Promise.resolve();
    },
  });
  const acceptedSdp = (sdp: string) => {
    if (/SAVP/.test(sdp)) throw new NoMedia('encryption');
    return sdp.replace('keys', '');
  };
  const keys: string[] = [];
  const kinds: KeyKind[] = [];
  const leg = new EndpointLeg(endpoint as unknown as Endpoint, dialog as unknown as EndpointDialog, {
    onKey: (key, kind) => {
      keys.push(key.reveal((text) => text));
      kinds.push(kind);
      key.wipe();
    },
    acceptedSdp,
    canDetectTones,
  });
  const breaks = () => commands.filter((command) => command === 'uuid_break u all').length;
  return { leg, endpoint, dialog, commands, playing, pauses, measured, breaks, keys, kinds };
}

const eventWith = (headers: Record<string, string>): EslEvent => ({
  getHeader: (name) => headers[name] ?? '',
  getBody: () => '',
});

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('playing', () => {
  it('tells how it ended', async () => {
    const { leg, playing } = stage();
    const first = leg.play(['/a.wav']);
    await settle();
    playing[0]?.complete();
    expect(await first).toBe('finished');
    const second = leg.play(['/b.wav', '/c.wav']);
    await settle();
    expect(playing[1]?.path).toBe('/b.wav!/c.wav');
    playing[1]?.complete('FILE NOT FOUND');
    expect(await second).toBe('failed');
  });

  it('that the hang-up of the channel cut off was stopped, though FreeSWITCH says that it was played', async () => {
    const { leg, playing } = stage();
    const cutOff = leg.play(['/a.wav']);
    await settle();
    playing[0]?.complete('FILE PLAYED', 'hangup');
    expect(await cutOff).toBe('stopped');
  });

  it('waits for the end of what it replaces: one inside the other would be heard twice', async () => {
    const { leg, endpoint, playing, breaks } = stage();
    const first = leg.play(['/a.wav']);
    await settle();
    endpoint.emit('playback-start');
    const second = leg.play(['/b.wav']);
    await settle();
    expect([breaks(), playing.length]).toEqual([1, 1]);
    playing[0]?.complete();
    expect(await first).toBe('stopped');
    await settle();
    expect(playing[1]?.path).toBe('/b.wav');
    playing[1]?.complete();
    expect(await second).toBe('finished');
  });

  it('of which only the newest is wanted skips those between', async () => {
    const { leg, endpoint, playing } = stage();
    void leg.play(['/a.wav']);
    await settle();
    endpoint.emit('playback-start');
    const skipped = leg.play(['/b.wav']);
    const wanted = leg.play(['/c.wav']);
    playing[0]?.complete();
    await settle();
    expect(await skipped).toBe('stopped');
    expect(playing.map(({ path }) => path)).toEqual(['/a.wav', '/c.wav']);
    leg.stop();
    endpoint.emit('playback-start');
    playing[1]?.complete();
    expect(await wanted).toBe('stopped');
  });
});

describe('stopping', () => {
  it('before the start waits for it, or it would be forgotten', async () => {
    const { leg, endpoint, playing, breaks } = stage();
    const play = leg.play(['/a.wav']);
    await settle();
    leg.stop();
    expect(breaks()).toBe(0);
    endpoint.emit('playback-start');
    expect(breaks()).toBe(1);
    playing[0]?.complete();
    expect(await play).toBe('stopped');
  });

  it('is said again until it is heard, and then no more', async () => {
    const { leg, endpoint, playing, breaks } = stage();
    const play = leg.play(['/a.wav']);
    await settle();
    endpoint.emit('playback-start');
    leg.stop();
    await vi.advanceTimersByTimeAsync(250);
    expect(breaks()).toBe(3);
    playing[0]?.complete();
    expect(await play).toBe('stopped');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(breaks()).toBe(3);
  });

  it('does nothing in silence', () => {
    const { leg, breaks } = stage();
    leg.stop();
    expect(breaks()).toBe(0);
  });
});

describe('stopping while keys are looked for in the sound', () => {
  /** A file plays, and tones are looked for. */
  async function singing() {
    const staged = stage();
    staged.leg.detectTones();
    const play = staged.leg.play(['/a.wav', '/b.wav']);
    await settle();
    return {
      ...staged,
      play,
      commandsSince: () => staged.commands.filter((command) => /^uuid_(break|file)/.test(command)),
    };
  }

  it('pauses the file, for a break throws away what waits of the sound, and ends it when something else is to play', async () => {
    const { leg, endpoint, playing, pauses, play, commandsSince } = await singing();
    endpoint.emit('playback-start');
    leg.stop();
    expect(await play).toBe('stopped');
    pauses[0]?.('+OK\n');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(commandsSince()).toEqual(['uuid_fileman u pause']);
    const next = leg.play(['/c.wav']);
    await settle();
    expect([commandsSince().at(-1), playing.length]).toEqual(['uuid_break u all', 1]);
    playing[0]?.complete();
    await settle();
    expect(playing[1]?.path).toBe('/c.wav');
    playing[1]?.complete();
    expect(await next).toBe('finished');
  });

  it('ends the paused file for the next one only once no tone is under way', async () => {
    const { leg, endpoint, playing, pauses, breaks } = await singing();
    endpoint.emit('playback-start');
    endpoint.emit('dtmf', { dtmf: '4', source: 'INBAND_AUDIO' });
    void leg.play(['/c.wav']);
    pauses[0]?.('+OK\n');
    await vi.advanceTimersByTimeAsync(390);
    expect([pauses.length, breaks()]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(20);
    expect(breaks()).toBe(1);
    endpoint.emit('dtmf', { dtmf: '2', source: 'INBAND_AUDIO' });
    playing[0]?.complete();
    await vi.advanceTimersByTimeAsync(390);
    expect(playing.length).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(playing[1]?.path).toBe('/c.wav');
  });

  it('before the start waits for it', async () => {
    const { leg, endpoint, commandsSince } = await singing();
    leg.stop();
    expect(commandsSince()).toEqual([]);
    endpoint.emit('playback-start');
    expect(commandsSince()).toEqual(['uuid_fileman u pause']);
  });

  it.each([
    [
      'FreeSWITCH has no file to pause, as between two of them',
      (reply: (body: string) => void) => reply('-ERR No file handle!\n'),
    ],
    ['it does not answer', () => vi.advanceTimersByTimeAsync(100)],
  ])('breaks off where %s', async (_why, happens) => {
    const { leg, endpoint, pauses, breaks } = await singing();
    endpoint.emit('playback-start');
    leg.stop();
    await happens((body) => pauses[0]?.(body));
    expect(breaks()).toBe(1);
  });

  it('breaks off where the paused file was at its end and the next one begins: a second pause would end the first', async () => {
    const { leg, endpoint, pauses, breaks } = await singing();
    endpoint.emit('playback-start');
    leg.stop();
    pauses[0]?.('+OK\n');
    endpoint.emit('playback-start');
    expect([pauses.length, breaks()]).toEqual([1, 1]);
  });

  it('breaks off for a bridge', async () => {
    const { leg, endpoint, pauses, breaks } = await singing();
    endpoint.emit('playback-start');
    leg.stop();
    pauses[0]?.('+OK\n');
    await leg.bridge(stage().leg);
    expect(breaks()).toBe(1);
  });
});

describe('keys', () => {
  it('arrive from the first moment until the leg ends, without the letters', async () => {
    const { leg, endpoint, keys } = stage();
    for (const dtmf of ['4', 'A', '*', '#']) endpoint.emit('dtmf', { dtmf });
    void leg.destroy();
    endpoint.emit('dtmf', { dtmf: '2' });
    expect(keys.join('')).toBe('4*#');
  });

  it('are of the kind that FreeSWITCH says', () => {
    const { endpoint, kinds } = stage();
    for (const source of ['RTP', 'ENDPOINT', 'INBAND_AUDIO', 'UNKNOWN', null])
      endpoint.emit('dtmf', { dtmf: '1', source });
    expect(kinds).toEqual(['telephone_event', 'sip_info', 'sound', 'telephone_event', 'telephone_event']);
  });

  it('are looked for in the sound where that is asked for, until the leg is bridged', async () => {
    const { leg, endpoint, commands } = stage();
    const apps = () => commands.filter((command) => command.startsWith('spandsp'));
    leg.detectTones();
    leg.detectTones();
    expect(apps()).toEqual(['spandsp_start_dtmf']);
    await leg.negotiate('m=audio 4002 RTP/AVP 8');
    expect(apps()).toEqual(['spandsp_start_dtmf', 'spandsp_stop_dtmf', 'spandsp_start_dtmf']);
    await leg.bridge(stage().leg);
    expect(apps().at(-1)).toBe('spandsp_stop_dtmf');
    expect(endpoint.bridged).toBe(true);
  });

  it('are not looked for in the sound any more from the prompt on that follows a key of another kind', async () => {
    const { leg, endpoint, commands, playing } = stage();
    const apps = () => commands.filter((command) => command.startsWith('spandsp'));
    leg.detectTones();
    leg.ignoreTones();
    endpoint.emit('dtmf', { dtmf: '4', source: 'INBAND_AUDIO' });
    expect(apps()).toEqual(['spandsp_start_dtmf']);
    void leg.play(['next.wav']);
    await settle();
    expect(playing).toHaveLength(1);
    expect(apps()).toEqual(['spandsp_start_dtmf', 'spandsp_stop_dtmf']);
    leg.detectTones();
    expect(apps().at(-1)).toBe('spandsp_start_dtmf');
  });

  it('that are tones are let finish before a prompt begins, other keys are not waited for', async () => {
    const { leg, endpoint, playing } = stage();
    const paths = () => playing.map(({ path }) => path);
    endpoint.emit('dtmf', { dtmf: '4', source: 'INBAND_AUDIO' });
    void leg.play(['early.wav']);
    await vi.advanceTimersByTimeAsync(300);
    endpoint.emit('dtmf', { dtmf: '2', source: 'INBAND_AUDIO' });
    void leg.play(['late.wav']);
    await vi.advanceTimersByTimeAsync(390);
    expect(paths()).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(paths()).toEqual(['late.wav']);
    playing[0]?.complete();
    endpoint.emit('dtmf', { dtmf: '2', source: 'RTP' });
    void leg.play(['next.wav']);
    await vi.advanceTimersByTimeAsync(0);
    expect(paths()).toEqual(['late.wav', 'next.wav']);
  });

  it('are not looked for by a media server without mod_spandsp, which would hang up', async () => {
    const { leg, commands } = stage({ canDetectTones: false });
    leg.detectTones();
    await leg.bridge(stage().leg);
    expect(commands.filter((command) => command.startsWith('spandsp'))).toEqual([]);
  });
});

describe('the end', () => {
  it.each([
    ['a media timeout', { reason: 'MEDIA_TIMEOUT' }, 'media_timeout'],
    ['a hangup of the server', { reason: 'MANAGER_REQUEST' }, 'engine_lost'],
    ['a broken event socket', undefined, 'engine_lost'],
  ])('by %s stops the playing and hangs up the SIP side', async (_how, hangup, cause) => {
    const { leg, endpoint, dialog } = stage();
    const play = leg.play(['/a.wav']);
    await settle();
    endpoint.emit('destroy', hangup);
    expect(await play).toBe('stopped');
    expect(await leg.lost).toEqual({ cause });
    expect(dialog.byes).toBe(1);
    expect(await leg.play(['/b.wav'])).toBe('stopped');
    await leg.destroy();
  });

  it('by a BYE waits a moment for its reason', async () => {
    const { leg, endpoint, dialog } = stage();
    dialog.emit('destroy');
    endpoint.emit('destroy', { reason: 'MEDIA_TIMEOUT' });
    expect(await leg.lost).toEqual({ cause: 'media_timeout' });
    const other = stage();
    other.dialog.emit('destroy');
    await vi.advanceTimersByTimeAsync(300);
    expect(await other.leg.lost).toEqual({ cause: 'engine_lost' });
  });

  it('of our own waits for the figures of the sound, which may come after the BYE, and not for ever', async () => {
    const { leg, measured } = stage();
    const gone = leg.destroy();
    await settle();
    expect(leg.quality).toBeNull();
    measured[0]?.('PCMA');
    await gone;
    expect(leg.quality?.codec).toBe('PCMA');
    const other = stage();
    const alsoGone = other.leg.destroy();
    await vi.advanceTimersByTimeAsync(500);
    await alsoGone;
    expect(other.leg.quality).toBeNull();
  });

  it('of our own comes once, from the SIP side when the server does not answer', async () => {
    const { leg, endpoint, dialog } = stage();
    endpoint.destroy = () => new Promise(() => undefined);
    const gone = leg.destroy();
    expect(leg.destroy()).toBe(gone);
    await vi.advanceTimersByTimeAsync(2_000);
    await gone;
    expect(dialog.byes).toBe(1);
    expect(await leg.lost).toEqual({ cause: 'destroyed' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('holds every later SDP against the policy of the first: the media server sees none that it rules out', async () => {
  const { leg, dialog } = stage();
  const asked = vi.spyOn(dialog, 'modify');
  expect(await leg.negotiate('m=audio 4000 RTP/AVP 0 keys')).toBe('answer to m=audio 4000 RTP/AVP 0 ');
  await expect(leg.negotiate('m=audio 4000 RTP/SAVP 0')).rejects.toThrow(NoMedia);
  expect(asked.mock.calls).toEqual([['m=audio 4000 RTP/AVP 0 ']]);
});
