import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tonesOf } from '../../../src/local/softswitch/rtp/index.ts';
import {
  channelApi,
  type Dtmf,
  externalMedia,
  hangUp,
  type MediaHarness,
  nextKeys,
  startMediaHarness,
} from './media-harness.ts';

let harness: MediaHarness;

beforeEach(async () => {
  harness = await startMediaHarness();
});

afterEach(async () => {
  await harness.close();
});

describe('a digit', () => {
  it('arrives once from RTP, with its length', async () => {
    const call = await harness.call();
    const keys = nextKeys(call.endpoint, 6);
    await call.rtpPhone.stream.sendDigits('4422*#', { toneMs: 80, gapMs: 60 });
    const digits = await keys;
    expect(digits.map(({ dtmf }) => dtmf).join('')).toBe('4422*#');
    expect(digits[0]).toMatchObject({ duration: '640', source: 'RTP' });
    await hangUp(call);
  });

  it('arrives by SIP INFO', async () => {
    const call = await harness.call();
    const keys = nextKeys(call.endpoint, 1);
    call.dialog.on('info', (_request, response) => response.send(200));
    const relay = {
      method: 'INFO',
      headers: { 'Content-Type': 'application/dtmf-relay' },
      body: 'Signal=7\r\nDuration=160\r\n',
    };
    await call.endpoint.dialog.request(relay);
    expect((await keys)[0]).toMatchObject({ dtmf: '7', duration: '1280' });
    await hangUp(call);
  });

  // Not with FreeSWITCH, which reads an unknown body as 0. In production the app reads INFO itself.
  it
    .skipIf(externalMedia)
    .each([
      'not a key at all',
      'Signal=',
      'Signal=42',
      'Signal=55',
      'Signal=%s%n',
      `Signal=${'5'.repeat(5_000)}`,
      '\0\xff\r\n\r\n',
      '',
    ])('does not arrive by an INFO with the body %j, and the call continues', async (body) => {
    const call = await harness.call();
    const keys = nextKeys(call.endpoint, 1);
    call.dialog.on('info', (_request, response) => response.send(200));
    for (const type of ['application/dtmf-relay', 'application/dtmf']) {
      const headers = { 'Content-Type': type };
      await call.endpoint.dialog.request({ method: 'INFO', headers, body });
    }
    const headers = { 'Content-Type': 'application/dtmf-relay' };
    await call.endpoint.dialog.request({ method: 'INFO', headers, body: 'Signal=#\r\nDuration=100\r\n' });
    expect((await keys).map(({ dtmf }) => dtmf)).toEqual(['#']);
    await hangUp(call);
  });

  it.each(['PCMU', 'PCMA'] as const)('is detected in the audio (%s) only while detection is on', async (codec) => {
    const call = await harness.call(await harness.rtpPhone([codec]));
    expect((await harness.ms.api('module_exists mod_spandsp')).trim()).toBe('true');
    const digits: Dtmf[] = [];
    call.endpoint.on('dtmf', (digit: Dtmf) => void digits.push(digit));
    const { stream, playOnce } = call.rtpPhone;
    const presses = (digits: string) => playOnce(tonesOf(digits, { toneMs: 80, gapMs: 60 }));
    await presses('1');
    // Without it, FreeSWITCH detects a tone with a gap in the network as two.
    await call.endpoint.set('min_dup_digit_spacing_ms', '30');
    await call.endpoint.execute('spandsp_start_dtmf');
    const keys = nextKeys(call.endpoint, 6);
    await presses('4422*#');
    expect((await keys).map(({ dtmf, source }) => `${dtmf} ${source}`)).toEqual(
      [...'4422*#'].map((key) => `${key} INBAND_AUDIO`),
    );
    await call.endpoint.execute('spandsp_stop_dtmf');
    await presses('7');
    const last = nextKeys(call.endpoint, 1);
    await stream.sendDigits('9', { toneMs: 60, gapMs: 60 });
    expect((await last)[0]).toMatchObject({ dtmf: '9', source: 'RTP' });
    expect(digits.map(({ dtmf }) => dtmf).join('')).toBe('4422*#9');
    await hangUp(call);
  });

  it('is detected in the audio during a prompt, which continues', async () => {
    const call = await harness.call();
    const played = call.endpoint.play(await harness.prompt(1_500));
    await call.rtpPhone.hears('sound');
    await call.endpoint.execute('spandsp_start_dtmf');
    const keys = nextKeys(call.endpoint, 3);
    await call.rtpPhone.playOnce(tonesOf('123', { toneMs: 80, gapMs: 60 }));
    expect((await keys).map(({ dtmf }) => dtmf).join('')).toBe('123');
    expect(await played).toMatchObject({ playbackMilliseconds: expect.any(String) });
    await hangUp(call);
  });

  it('is sent by uuid_send_dtmf', async () => {
    const call = await harness.call();
    const answer = await channelApi(call.endpoint, 'uuid_send_dtmf', [call.endpoint.uuid, '19@100']);
    expect(answer).toBe(`+OK ${call.endpoint.uuid} sent DTMF 19@100.\n`);
    await expect.poll(() => call.rtpPhone.digits.map(({ key }) => key).join('')).toBe('19');
    await hangUp(call);
  });

  it('is collected by play_and_get_digits', async () => {
    const call = await harness.call();
    const collected = call.endpoint.playCollect({
      file: await harness.prompt(2000),
      min: 1,
      max: 4,
      timeout: 60_000,
      digitTimeout: 30_000,
    });
    await call.rtpPhone.hears('sound');
    await call.rtpPhone.stream.sendDigits('123#', { toneMs: 60, gapMs: 60 });
    expect(await collected).toMatchObject({ digits: '123', terminatorUsed: '#' });
    await hangUp(call);
  });
});
