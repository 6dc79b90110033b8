import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  channelApi,
  type Endpoint,
  type EslEvent,
  hangUp,
  type MediaHarness,
  nextKeys,
  once,
  startMediaHarness,
} from './media-harness.ts';

let harness: MediaHarness;

beforeEach(async () => {
  harness = await startMediaHarness();
});

afterEach(async () => {
  await harness.close();
});

/**
 * Collects the files whose playback stops. Asks for these events itself: the library does, but not after another test
 * file of this process has started the product (`src/phone/freeswitch/event-socket.ts`).
 */
async function stoppedFiles(endpoint: Endpoint): Promise<string[]> {
  const files: string[] = [];
  endpoint.on('playback-stop', ({ file }: { file: string }) => files.push(file));
  await new Promise<void>((resolve) => endpoint.conn.sendRecv('event plain PLAYBACK_STOP', resolve));
  return files;
}

describe('an endpoint', () => {
  it('knows its addresses and its channel', async () => {
    const call = await harness.call();
    const { endpoint, rtpPhone } = call;
    expect(endpoint.local.sdp).toMatch(/m=audio \d+ RTP\/AVP 0 101\r\n/);
    expect(endpoint.local.mediaPort).toBe(/m=audio (\d+)/.exec(endpoint.local.sdp)?.[1]);
    expect(endpoint.remote.mediaPort).toBe(String(rtpPhone.stream.port));
    expect(endpoint.dtmfType).toBe('rfc2833');
    const variables = await endpoint.getChannelVariables(true);
    expect(variables.variable_uuid).toBe(endpoint.uuid);
    expect(variables['Channel-Call-State']).toBe('ACTIVE');
    await hangUp(call);
  });

  it('plays a file to its end, with silence before and after', async () => {
    const call = await harness.call();
    await call.rtpPhone.hears('silence');
    const started = once<[{ file: string }]>(call.endpoint, 'playback-start');
    const file = await harness.prompt(400);
    const played = call.endpoint.play(file);
    await call.rtpPhone.hears('sound');
    expect((await started)[0].file).toBe(file);
    expect(await played).toEqual({ playbackSeconds: '0', playbackMilliseconds: '400', playbackLastOffsetPos: '3200' });
    await call.rtpPhone.hears('silence');
    await hangUp(call);
  });

  it('plays files one after the other', async () => {
    const call = await harness.call();
    const files = [await harness.prompt(100), await harness.prompt(160)];
    const stopped = await stoppedFiles(call.endpoint);
    await call.endpoint.play(files);
    expect(stopped).toEqual(files);
    stopped.length = 0;
    await call.endpoint.execute('set', 'playback_delimiter');
    await call.endpoint.play('silence_stream://100');
    expect(stopped).toEqual(['silence_stream://100']);
    await hangUp(call);
  });

  it('reports a missing file and continues', async () => {
    const call = await harness.call();
    await expect(call.endpoint.play('/no/such/file.wav')).rejects.toThrow('File Not Found');
    await call.endpoint.play('tone_stream://%(60,40,400)');
    await hangUp(call);
  });

  it('stops a playback within 100 ms of uuid_break', async () => {
    const call = await harness.call();
    const tookMs: number[] = [];
    // The fastest of several tries, because a busy machine is sometimes late.
    while (tookMs.every((ms) => ms >= 100) && tookMs.length < 30) {
      const played = call.endpoint.play(await harness.prompt(5000));
      await call.rtpPhone.hears('sound');
      const silent = call.rtpPhone.hears('silence');
      const startedMs = performance.now();
      expect(await channelApi(call.endpoint, 'uuid_break', call.endpoint.uuid)).toBe('+OK\n');
      await Promise.all([silent, played]);
      tookMs.push(performance.now() - startedMs);
    }
    expect(Math.min(...tookMs)).toBeLessThan(100);
    await hangUp(call);
  });

  it('is silent while uuid_fileman has paused a file', async () => {
    const call = await harness.call();
    const { uuid } = call.endpoint;
    expect(await channelApi(call.endpoint, 'uuid_fileman', [uuid, 'pause'])).toBe('-ERR No file handle!\n');
    const played = call.endpoint.play(await harness.prompt(60_000));
    const toggle = async () => expect(await channelApi(call.endpoint, 'uuid_fileman', [uuid, 'pause'])).toBe('+OK\n');
    await call.rtpPhone.hears('sound');
    await toggle();
    await call.rtpPhone.hears('silence');
    await toggle();
    await call.rtpPhone.hears('sound');
    await toggle();
    await call.rtpPhone.hears('silence');
    expect(await channelApi(call.endpoint, 'uuid_break', [uuid, 'all'])).toBe('+OK\n');
    await played;
    await hangUp(call);
  });

  it('continues with the next file after uuid_break, also if a command ran during the list', async () => {
    const call = await harness.call();
    const [long, short] = [await harness.prompt(4000), await harness.prompt(120)];
    const stopped = await stoppedFiles(call.endpoint);
    const played = call.endpoint.play([long, short]);
    await call.rtpPhone.hears('sound');
    const inside = call.endpoint.execute('sleep', '3000');
    await call.rtpPhone.hears('silence');
    await channelApi(call.endpoint, 'uuid_break', call.endpoint.uuid);
    await Promise.all([inside, played]);
    expect(stopped).toEqual([long, short]);
    await hangUp(call);
  });

  it('runs commands during a playback', async () => {
    const call = await harness.call();
    const played = call.endpoint.play(await harness.prompt(1000));
    await call.rtpPhone.hears('sound');
    await call.endpoint.set({ first: 'one', second: 'two' });
    const variables = await call.endpoint.getChannelVariables();
    expect(variables).toMatchObject({ variable_first: 'one', variable_second: 'two' });
    await played;
    await hangUp(call);
  });

  it('stops a playback only at a terminator', async () => {
    const call = await harness.call();
    await call.endpoint.set('playback_terminators', '#');
    const played = call.endpoint.play(await harness.prompt(8000));
    await call.rtpPhone.hears('sound');
    await call.rtpPhone.stream.sendDigits('*#', { toneMs: 60, gapMs: 60 });
    expect(Number((await played).playbackLastOffsetPos)).toBeLessThan(8000 * 4);
    await hangUp(call);
  });
});

describe('a bridge', () => {
  /** A second leg, created without an offer and connected to a phone by a re-INVITE. */
  async function secondLeg(): Promise<{ endpoint: Endpoint; rtpPhone: Awaited<ReturnType<MediaHarness['rtpPhone']>> }> {
    const rtpPhone = await harness.rtpPhone(['PCMA']);
    const endpoint = await harness.ms.createEndpoint();
    // FreeSWITCH has its own order, and adds Opus if its module is installed.
    const [, offered = ''] = /m=audio \d+ RTP\/AVP (.*)/.exec(endpoint.local.sdp) ?? [];
    expect(offered.split(' ')).toEqual(expect.arrayContaining(['0', '8', '101']));
    await endpoint.modify(rtpPhone.sdp());
    rtpPhone.talkTo(endpoint.local.sdp);
    // FreeSWITCH may set the variable after its answer to the re-INVITE.
    const remotePort = async () => (await endpoint.getChannelVariables(true)).variable_remote_media_port;
    await expect.poll(remotePort).toBe(String(rtpPhone.stream.port));
    return { endpoint, rtpPhone };
  }

  it('carries audio between legs with different codecs, and digits only if enabled', async () => {
    const call = await harness.call();
    const agent = await secondLeg();
    await call.endpoint.set('bridge_filter_dtmf', 'true');
    await call.endpoint.bridge(agent.endpoint);
    call.rtpPhone.shout(true);
    await agent.rtpPhone.hears('sound');
    call.rtpPhone.shout(false);
    await agent.rtpPhone.hears('silence');
    agent.rtpPhone.shout(true);
    await call.rtpPhone.hears('sound');
    const keys = nextKeys(call.endpoint, 1);
    await call.rtpPhone.stream.sendDigits('5');
    expect((await keys)[0]?.dtmf).toBe('5');
    await call.endpoint.set('bridge_filter_dtmf', 'false');
    await call.endpoint.unbridge();
    await call.endpoint.bridge(agent.endpoint);
    await call.rtpPhone.stream.sendDigits('6', { toneMs: 100, gapMs: 500 });
    await expect.poll(() => agent.rtpPhone.digits.map(({ key }) => key)).toEqual(['6']);
    await Promise.all([hangUp(call), agent.endpoint.destroy()]);
  });

  it('ends with unbridge, after which both legs play again', async () => {
    const call = await harness.call();
    const agent = await secondLeg();
    await call.endpoint.bridge(agent.endpoint);
    agent.rtpPhone.shout(true);
    await call.rtpPhone.hears('sound');
    await call.endpoint.unbridge();
    await call.rtpPhone.hears('silence');
    await call.endpoint.play(await harness.prompt(100));
    await agent.endpoint.play(await harness.prompt(100));
    await Promise.all([hangUp(call), agent.endpoint.destroy()]);
  });

  it('keeps the caller’s leg when the other leg ends', async () => {
    const call = await harness.call();
    const agent = await secondLeg();
    await call.endpoint.bridge(agent.endpoint);
    agent.rtpPhone.shout(true);
    await call.rtpPhone.hears('sound');
    await agent.endpoint.destroy();
    await call.rtpPhone.hears('silence');
    await call.endpoint.play(await harness.prompt(100));
    await hangUp(call);
  });

  it('refuses an unknown channel', async () => {
    const call = await harness.call();
    const other = { uuid: '00000000-0000-0000-0000-000000000000' };
    expect(await channelApi(call.endpoint, 'uuid_bridge', [call.endpoint.uuid, other.uuid])).toBe(
      '-ERR Invalid uuid\n',
    );
    await hangUp(call);
  });
});

describe('the end of an endpoint', () => {
  it('frees its ports', async () => {
    const call = await harness.call();
    await hangUp(call);
    if (harness.half) await expect.poll(() => harness.half?.portsInUse).toBe(0);
    expect(await harness.ms.api(`uuid_exists ${call.endpoint.uuid}`)).toBe('false');
  });

  it('by uuid_kill is reported to the app with its cause', async () => {
    const call = await harness.call();
    const destroyed = once<[{ reason: string }]>(call.endpoint, 'destroy');
    expect(await harness.ms.api(`uuid_kill ${call.endpoint.uuid} USER_BUSY`)).toBe('+OK\n');
    expect((await destroyed)[0].reason).toBe('USER_BUSY');
    await call.dialog.destroy();
  });

  it('follows a BYE of the signalling half, also during a playback', async () => {
    const call = await harness.call();
    const played = call.endpoint.play(await harness.prompt(5000));
    await call.rtpPhone.hears('sound');
    const destroyed = once<[{ reason: string }]>(call.endpoint, 'destroy');
    await call.endpoint.dialog.destroy();
    expect((await destroyed)[0].reason).toBe('NORMAL_CLEARING');
    await played;
    if (harness.half) await expect.poll(() => harness.half?.portsInUse).toBe(0);
    await call.dialog.destroy();
  });

  it('has the cause DESTINATION_OUT_OF_ORDER if the app runs an unknown application', async () => {
    const call = await harness.call();
    const destroyed = once<[{ reason: string }]>(call.endpoint, 'destroy');
    void call.endpoint.execute('no_such_application');
    expect((await destroyed)[0].reason).toBe('DESTINATION_OUT_OF_ORDER');
    await call.dialog.destroy();
  });
});

describe('a command', () => {
  it('gets the same response as from FreeSWITCH', async () => {
    expect(await harness.ms.api('no_such_command at all')).toBe('-ERR no_such_command Command not found!\n');
    expect(await harness.ms.api('uuid_break 00000000-0000-0000-0000-000000000000')).toBe('-ERR No such channel!\n');
    expect(await harness.ms.api('uuid_exists 00000000-0000-0000-0000-000000000000')).toBe('false');
    expect(await harness.ms.api('create_uuid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await harness.ms.api('fsctl loglevel')).toBe('+OK log level: DISABLE [-1]\n');
    expect(await harness.ms.api('fsctl loglevel warning')).toBe('+OK log level: WARNING [4]\n');
    expect(await harness.ms.api('fsctl loglevel 6')).toBe('+OK log level: INFO [6]\n');
    expect(await harness.ms.api('fsctl loglevel 4')).toBe('+OK log level: WARNING [4]\n');
    expect(await harness.ms.api('fsctl loglevel nonsense')).toBe('-ERR syntax error, log level not set!\n');
    expect(await harness.ms.api('status')).toMatch(/^UP 0 years, .*\nFreeSWITCH \(Version .*\) is ready\n/);
  });

  it('sets and gets variables', async () => {
    const call = await harness.call();
    const { uuid } = call.endpoint;
    expect(await channelApi(call.endpoint, 'uuid_setvar', [uuid, 'colour', 'red'])).toBe('+OK\n');
    expect(await channelApi(call.endpoint, 'uuid_getvar', [uuid, 'colour'])).toBe('red');
    expect(await channelApi(call.endpoint, 'uuid_getvar', [uuid, 'flavour'])).toBe('_undef_');
    const event: EslEvent = await call.endpoint.execute('set', `taste=\${colour}dish`);
    expect(event.getHeader('Application-Data')).toBe('taste=reddish');
    expect(event.getHeader('Application-Response')).toBe('_none_');
    await hangUp(call);
  });
});

describe('an offer', () => {
  const offer = (body: string): Promise<unknown> => harness.ms.createEndpoint({ remoteSdp: body });

  it('without a supported codec is refused with 488', async () => {
    const sdp = [
      'v=0',
      'o=x 1 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 4000 RTP/AVP 18',
      '',
    ];
    await expect(offer(sdp.join('\r\n'))).rejects.toMatchObject({ status: 488 });
  });

  it('is answered with the first codec of its list', async () => {
    const rtpPhone = await harness.rtpPhone(['PCMA', 'PCMU']);
    const endpoint = await harness.ms.createEndpoint({ remoteSdp: rtpPhone.sdp() });
    expect(endpoint.local.sdp).toMatch(/RTP\/AVP 8 101/);
    const preferring = await harness.ms.createEndpoint({ remoteSdp: rtpPhone.sdp(), codecs: ['PCMU'] });
    expect(preferring.local.sdp).toMatch(/RTP\/AVP 0 101/);
    await Promise.all([endpoint.destroy(), preferring.destroy()]);
  });
});
