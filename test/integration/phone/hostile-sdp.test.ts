/** Session descriptions that no phone sends: the call may fail, but not the phone process or the engine. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { KeyBuffer } from '../../../src/phone/key-buffer.ts';
import { type Random, seededRandom } from '../../support/random.ts';
import type { Caller } from './caller-and-agent.ts';
import { external } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const SEED = 19;
const CALLS = 60;
/** Calls at the same time. */
const BATCH = 6;
const REQUESTS = 60;

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

/** Dials with the caller's own offer after `change`. Hangs up if the line answers. @returns the status */
async function statusOf(change: (offer: string) => string): Promise<number> {
  const { uri, id } = await harness.checkout();
  const caller = await harness.caller();
  const { status } = await caller.dial(uri, { body: change(caller.audio.offer()) });
  if (status === 200) await hangUp(caller, id);
  await caller.close();
  return status;
}

async function hangUp(caller: Caller, id: CheckoutSessionId): Promise<void> {
  await caller.heard.waitFor(({ sound }) => sound === 'loud');
  await caller.hangUp();
  await harness.endedCall(id);
}

describe('an attribute of the session description', () => {
  it.each([
    ['a name with a letter outside ASCII', 'a=xé:1'],
    ['an escape that is not UTF-8', 'a=x:%E9'],
    ['a percent sign without digits', 'a=x:100%'],
    ['a name with an escape', 'a=%C3%28:%FF%FE'],
    ['a control character, a line separator and a byte-order mark', 'a=x\u0001:\u2028\ufeff'],
    ['a header of the event socket', 'a=x:%0A%0AContent-Type: text/disconnect-notice%0A%0A'],
    ['a list of the event socket', 'a=ARRAY::1|:2'],
  ])('may have %s, and the call is answered', async (_what, line) => {
    expect(await statusOf((offer) => `${offer}${line}\r\n`)).toBe(200);
  });
});

describe('a media line', () => {
  it.each([
    ['a port above 65535', (offer: string) => offer.replace(/^m=audio \d+/m, 'm=audio 70000')],
    ['an unknown codec', (offer: string) => `${offer}a=rtpmap:101 12/8000\r\n`],
  ])('with %s does not end the engine', async (_what, change) => {
    // FreeSWITCH accepts both: an unknown codec, and a port that it cuts to 16 bits.
    expect(await statusOf(change)).toBeOneOf(external ? [200, 488] : [488]);
    expect(await statusOf((offer) => offer)).toBe(200);
  });
});

/** Replacements of a line, besides noise. */
const LINES = [
  'c=IN IP4 300.1.1.1',
  'c=IN IP6 ::1',
  'c=IN IP4',
  'c=',
  'm=audio',
  'm=audio -1 RTP/AVP 0',
  'm=audio 9 RTP/AVP',
  'm=video 70000 RTP/AVP 96',
  'm=audio 1 RTP/AVP 999 0',
  'm= 1 2 3',
  'a=rtpmap:0',
  'a=rtpmap:x y/z',
  'a=fmtp:',
  'a=ptime:99999999999999999999',
  'a=ptime:-1',
  'a=candidate:',
  'a=ssrc:1',
  'a=crypto:1',
  'a=fmtp:101 0-99999999',
  'a=xé%E9:%',
  'a=:',
  'a=sendrecv:é',
  'a=rtcp:99999',
  't=',
  'o=é é é IN IP4 é',
  's=%FF%00',
  '__proto__=1',
] as const;

/** The text with some lines lost, doubled, replaced, or with other characters. */
function damaged(text: string, random: Random): string {
  const lines = text.trimEnd().split('\r\n');
  for (let damage = 1 + random.below(4); damage > 0; damage -= 1) {
    const at = random.below(lines.length);
    const line = lines[at] ?? '';
    const how = random.below(4);
    if (how === 0) lines.splice(at, random.below(2), random.pick(LINES));
    else if (how === 1) lines.splice(at, 1);
    else if (how === 2) lines.splice(at, 0, line);
    else lines[at] = line.slice(0, random.below(line.length + 1)) + noise(random);
  }
  return `${lines.join('\r\n')}\r\n`;
}

const CHARACTERS = [
  '%',
  '%E9',
  'é',
  '\u{1f600}',
  '\u0001',
  '\ufffd',
  ':',
  ' ',
  '|',
  '#',
  '"',
  '\\',
  '0',
  '99999',
] as const;

function noise(random: Random): string {
  return Array.from({ length: random.below(12) }, () => random.pick(CHARACTERS)).join('');
}

describe('random damage', () => {
  it('to offers of new calls does not prevent the next call', async () => {
    const statuses: number[] = [];
    for (let made = 0; made < CALLS; made += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, at) => attempt(seededRandom(SEED + made + at)));
      statuses.push(...(await Promise.all(batch)));
    }
    expect(statuses.filter((status) => ![200, 400, 415, 488].includes(status))).toEqual([]); //
    expect(statuses).toContain(200);
    expect(statuses).toContain(488);
    expect(await statusOf((offer) => offer)).toBe(200);
  });

  it('to requests in a call does not prevent its payment', async () => {
    const random = seededRandom(SEED);
    const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
    const offer = caller.audio.offer();
    for (let sent = 0; sent < REQUESTS; sent += 1) await caller.dialog?.request(oddRequest(offer, random)).final;
    // Its audio is still as agreed at first.
    await caller.dialog?.request({ method: 'INVITE', headers: { 'Content-Type': 'application/sdp' }, body: offer })
      .final;
    await harness.keyCard(caller);
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  });
});

/** A call with a damaged offer. It hangs up at once if answered. */
async function attempt(random: Random): Promise<number> {
  const { uri } = await harness.checkout();
  const caller = await harness.caller();
  const offer = damaged(caller.audio.offer(), random);
  const { status } = await caller.dial(uri, { body: offer, headers: { 'X-Odd': noise(random).trim() || 'x' } });
  if (status === 200) await caller.hangUp();
  await caller.close();
  return status;
}

function oddRequest(offer: string, random: Random) {
  const kind = random.below(4);
  if (kind === 0) return { method: 'INFO', headers: { 'Content-Type': 'application/dtmf-relay' }, body: noise(random) };
  if (kind === 1) return { method: 'OPTIONS', headers: { 'X-Odd': noise(random).trim() || 'x' } };
  if (kind === 2) {
    const headers = {
      Event: 'refer',
      'Subscription-State': noise(random).trim() || 'x',
      'Content-Type': 'message/sipfrag',
    };
    return { method: 'NOTIFY', headers, body: `SIP/2.0 ${noise(random)}` };
  }
  const headers = { 'Content-Type': 'application/sdp' };
  return { method: random.pick(['INVITE', 'UPDATE']), headers, body: damaged(offer, random) };
}

it('a bug in the handling of an event ends only the media of its call', async () => {
  const [first, second] = [await harness.answered({ returnTo: UNREACHABLE_AGENT_URI }), await harness.answered()];
  const press = vi.spyOn(KeyBuffer.prototype, 'press').mockImplementationOnce(() => {
    throw new Error('a bug');
  });
  await first.caller.press('4');
  expect(headerValue(await first.caller.followRefer(), 'X-Ringkey-Outcome')).toBe('failed');
  await first.caller.hangUp();
  press.mockRestore();
  expect(stepsOf(await harness.endedCall(first.id))).toContain('media server lost');
  expect(harness.log.entries.map(({ message }) => message)).toContain('event of the media server could not be handled');
  await harness.keyCard(second.caller);
  expect(await second.caller.ended()).toBe('remote');
  expect(await harness.endedCall(second.id)).toMatchObject({ outcome: 'succeeded' });
});
