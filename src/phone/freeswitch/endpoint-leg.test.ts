/** Races of playing and stopping, on an endpoint whose every event comes from the test. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stageEndpoint } from '../../../test/support/staged-endpoint.ts';
import { NoMedia } from '../ports.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('playing', () => {
  it('resolves to how it ended', async () => {
    const { leg, playing } = stageEndpoint();
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

  it('counts as stopped after a hang-up, although FreeSWITCH says that the file was played', async () => {
    const { leg, playing } = stageEndpoint();
    const cutOff = leg.play(['/a.wav']);
    await settle();
    playing[0]?.complete('FILE PLAYED', 'hangup');
    expect(await cutOff).toBe('stopped');
  });

  it('waits for the end of the previous file, which would otherwise be heard twice', async () => {
    const { leg, endpoint, playing, breaks } = stageEndpoint();
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

  it('skips all but the newest of several files', async () => {
    const { leg, endpoint, playing } = stageEndpoint();
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
  it('waits for the start of a file, before which it would have no effect', async () => {
    const { leg, endpoint, playing, breaks } = stageEndpoint();
    const play = leg.play(['/a.wav']);
    await settle();
    leg.stop();
    expect(breaks()).toBe(0);
    endpoint.emit('playback-start');
    expect(breaks()).toBe(1);
    playing[0]?.complete();
    expect(await play).toBe('stopped');
  });

  it('is repeated until it has worked', async () => {
    const { leg, endpoint, playing, breaks } = stageEndpoint();
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
    const { leg, breaks } = stageEndpoint();
    leg.stop();
    expect(breaks()).toBe(0);
  });
});

describe('stopping during tone detection', () => {
  /** A file plays during tone detection. */
  async function singing() {
    const staged = stageEndpoint();
    staged.leg.detectTones();
    const play = staged.leg.play(['/a.wav', '/b.wav']);
    await settle();
    return {
      ...staged,
      play,
      commandsSince: () => staged.commands.filter((command) => /^uuid_(break|file)/.test(command)),
    };
  }

  it('pauses the file, because a break discards sound, and ends it before the next file', async () => {
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

  it('ends the paused file for the next one only after the current tone', async () => {
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

  it('waits for the start of a file', async () => {
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
  ])('ends the file if %s', async (_why, happens) => {
    const { leg, endpoint, pauses, breaks } = await singing();
    endpoint.emit('playback-start');
    leg.stop();
    await happens((body) => pauses[0]?.(body));
    expect(breaks()).toBe(1);
  });

  it('ends the list if the next file starts after the paused one, because a second pause would end the first', async () => {
    const { leg, endpoint, pauses, breaks } = await singing();
    endpoint.emit('playback-start');
    leg.stop();
    pauses[0]?.('+OK\n');
    endpoint.emit('playback-start');
    expect([pauses.length, breaks()]).toEqual([1, 1]);
  });

  it('ends the file for a bridge', async () => {
    const { leg, endpoint, pauses, breaks } = await singing();
    endpoint.emit('playback-start');
    leg.stop();
    pauses[0]?.('+OK\n');
    await leg.bridge(stageEndpoint().leg);
    expect(breaks()).toBe(1);
  });
});

describe('keys', () => {
  it('arrive from the first moment until the leg ends, except letters', async () => {
    const { leg, endpoint, keys } = stageEndpoint();
    for (const dtmf of ['4', 'A', '*', '#']) endpoint.emit('dtmf', { dtmf });
    void leg.destroy();
    endpoint.emit('dtmf', { dtmf: '2' });
    expect(keys.join('')).toBe('4*#');
  });

  it('have the kind that FreeSWITCH reports', () => {
    const { endpoint, kinds } = stageEndpoint();
    for (const source of ['RTP', 'ENDPOINT', 'INBAND_AUDIO', 'UNKNOWN', null])
      endpoint.emit('dtmf', { dtmf: '1', source });
    expect(kinds).toEqual(['telephone_event', 'sip_info', 'sound', 'telephone_event', 'telephone_event']);
  });

  it('are detected in the sound on request, until the leg is bridged', async () => {
    const { leg, endpoint, commands } = stageEndpoint();
    const apps = () => commands.filter((command) => command.startsWith('spandsp'));
    leg.detectTones();
    leg.detectTones();
    expect(apps()).toEqual(['spandsp_start_dtmf']);
    await leg.negotiate('m=audio 4002 RTP/AVP 8');
    expect(apps()).toEqual(['spandsp_start_dtmf', 'spandsp_stop_dtmf', 'spandsp_start_dtmf']);
    await leg.bridge(stageEndpoint().leg);
    expect(apps().at(-1)).toBe('spandsp_stop_dtmf');
    expect(endpoint.bridged).toBe(true);
  });

  it('are no longer detected in the sound from the next prompt after a key of another kind', async () => {
    const { leg, endpoint, commands, playing } = stageEndpoint();
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

  it('delay a prompt if they are tones, but not otherwise', async () => {
    const { leg, endpoint, playing } = stageEndpoint();
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

  it('are not detected by a media server without mod_spandsp, which would hang up', async () => {
    const { leg, commands } = stageEndpoint({ canDetectTones: false });
    leg.detectTones();
    await leg.bridge(stageEndpoint().leg);
    expect(commands.filter((command) => command.startsWith('spandsp'))).toEqual([]);
  });
});

describe('the end', () => {
  it.each([
    ['a media timeout', { reason: 'MEDIA_TIMEOUT' }, 'media_timeout'],
    ['a hangup of the server', { reason: 'MANAGER_REQUEST' }, 'engine_lost'],
    ['a broken event socket', undefined, 'engine_lost'],
  ])('by %s stops playing and hangs up the SIP side', async (_how, hangup, cause) => {
    const { leg, endpoint, dialog } = stageEndpoint();
    const play = leg.play(['/a.wav']);
    await settle();
    endpoint.emit('destroy', hangup);
    expect(await play).toBe('stopped');
    expect(await leg.lost).toEqual({ cause });
    expect(dialog.byes).toBe(1);
    expect(await leg.play(['/b.wav'])).toBe('stopped');
    await leg.destroy();
  });

  it('by a BYE waits briefly for its reason', async () => {
    const { leg, endpoint, dialog } = stageEndpoint();
    dialog.emit('destroy');
    endpoint.emit('destroy', { reason: 'MEDIA_TIMEOUT' });
    expect(await leg.lost).toEqual({ cause: 'media_timeout' });
    const other = stageEndpoint();
    other.dialog.emit('destroy');
    await vi.advanceTimersByTimeAsync(300);
    expect(await other.leg.lost).toEqual({ cause: 'engine_lost' });
  });

  it('by our hangup waits for the sound statistics, which may come after the BYE, with a limit', async () => {
    const { leg, measured } = stageEndpoint();
    const gone = leg.destroy();
    await settle();
    expect(leg.quality).toBeNull();
    measured[0]?.('PCMA');
    await gone;
    expect(leg.quality?.codec).toBe('PCMA');
    const other = stageEndpoint();
    const alsoGone = other.leg.destroy();
    await vi.advanceTimersByTimeAsync(500);
    await alsoGone;
    expect(other.leg.quality).toBeNull();
  });

  it('by our hangup happens once, by SIP if the server does not answer', async () => {
    const { leg, endpoint, dialog } = stageEndpoint();
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

it('checks every later SDP against the policy, so that the media server sees none that it forbids', async () => {
  const { leg, dialog } = stageEndpoint();
  const modify = vi.spyOn(dialog, 'modify');
  expect(await leg.negotiate('m=audio 4000 RTP/AVP 0 keys')).toBe('answer to m=audio 4000 RTP/AVP 0 ');
  await expect(leg.negotiate('m=audio 4000 RTP/SAVP 0')).rejects.toThrow(NoMedia);
  expect(modify.mock.calls).toEqual([['m=audio 4000 RTP/AVP 0 ']]);
});
