/**
 * Each voice platform as its documentation describes it, on the whole product: it creates the checkout, its side dials
 * the line with its headers and answers our REFER in its way, and the agent learns the outcome where the platform
 * shows it. The pages of the docs about the platforms say what is played here.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { referredInvite } from '../../src/local/scripted-caller/phone.ts';
import { headerValue, type SipRequest } from '../../src/local/softswitch/sip/index.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { Agent, audioSessions, Caller } from '../integration/phone/caller-and-agent.ts';
import { createCheckout, eventually } from '../support/checkouts.ts';
import { PlatformTools, type TOOL_PLATFORMS } from '../support/platform-tools.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { turnToCall } from '../support/turn-to-call.ts';

vi.setConfig({ testTimeout: 400_000, maxConcurrency: 12 });

const NUMBER = '+15550109999';
const CALLER = '+15550101234';
/** Sessions are found by these numbers, so no other call has them. */
const CONNECT_CALLER = '+15550101377';
const GENESYS_CALLER = '+15550101378';
/** Number, expiry and security code of a test card. */
const CARD_KEYS = '42424242424242421230123';

interface Platform {
  /** The INVITE that reaches the line: of the platform, or of the trunk that follows its REFER. */
  headers: Record<string, string>;
  /** Whether its Allow has REFER. */
  allowsRefer: boolean;
  /** With definitions of its own. The others create the checkout from code. */
  tools?: keyof typeof TOOL_PLATFORMS;
  /** What its side does when the line returns the caller. `null`: there is no `return_to`, so the line hangs up. */
  back: 'follows the REFER' | 'takes the REFER to its hook' | 'refuses the REFER' | 'is bridged' | null;
  /** Its trunk drops headers of the REFER's target. */
  dropsHeaders?: true;
  /** It dials the line's number. The caller's number, by which the session is found. */
  dialsNumberFor?: string;
  /** Where the agent reads the outcome. Absent: it retrieves the session. */
  reads?: (invite: Received) => string | undefined;
}

/** What reached the agent's side: the INVITE, or for a hook the REFER. */
interface Received {
  uri: string;
  header: (name: string) => string | undefined;
}

const TWILIO = { 'User-Agent': 'Twilio Gateway', 'X-Twilio-CallSid': 'CA5f0c' };
const FREESWITCH = { 'User-Agent': 'FreeSWITCH-mod_sofia/1.10.12', 'X-FS-Support': 'update_display,send_info' };
const LIVEKIT = { 'User-Agent': 'LiveKit' };

/** Variables that a platform makes of the headers `X-…`, by their names there. */
const variable =
  (nameOf: (header: string) => string, wanted: string) =>
  ({ header }: Received) => {
    const name = ['X-Ringkey-Outcome', 'X-Ringkey-Session'].find((each) => nameOf(each) === wanted);
    return name === undefined ? undefined : header(name);
  };
const withoutX = (header: string) => header.toLowerCase().replace(/^x-/, '');

const PLATFORMS: Record<string, Platform> = {
  'Twilio, <Dial><Sip>': { headers: TWILIO, allowsRefer: true, back: null },
  'Twilio, <Dial> with a referUrl': {
    headers: TWILIO,
    allowsRefer: true,
    back: 'takes the REFER to its hook',
    reads: ({ uri }) => new URLSearchParams(uri.split('?')[1]).get('X-Ringkey-Outcome') ?? undefined,
  },
  'Twilio, <Dial> without a referUrl': {
    headers: TWILIO,
    allowsRefer: true,
    back: 'refuses the REFER',
    reads: variable((header) => `SipHeader_${header}`, 'SipHeader_X-Ringkey-Outcome'),
  },
  'LiveKit over a Twilio trunk': {
    headers: Object.assign({ 'Referred-By': '<sip:+15550100001@sip.livekit.cloud>' }, TWILIO),
    allowsRefer: true,
    back: 'follows the REFER',
    reads: variable((header) => ({ 'X-Ringkey-Outcome': 'ringkey.outcome' })[header] ?? '', 'ringkey.outcome'),
  },
  Vapi: {
    headers: { 'User-Agent': 'Vapi', 'Referred-By': '<sip:assistant@sip.vapi.ai>' },
    allowsRefer: true,
    tools: 'vapi',
    back: 'follows the REFER',
    reads: variable(withoutX, 'ringkey-outcome'),
  },
  'Retell, sip_invite': {
    headers: LIVEKIT,
    allowsRefer: false,
    tools: 'retell',
    back: 'is bridged',
    reads: variable(withoutX, 'ringkey-outcome'),
  },
  'ElevenLabs, sip_refer': {
    headers: { 'X-Conversation-ID': 'conv_01', 'X-Caller-ID': CALLER },
    allowsRefer: true,
    tools: 'elevenlabs',
    back: 'follows the REFER',
    dropsHeaders: true,
  },
  'OpenAI Realtime': {
    headers: { 'Referred-By': '<sip:proj_1@sip.api.openai.com>' },
    allowsRefer: true,
    back: 'follows the REFER',
    reads: variable((header) => header, 'X-Ringkey-Outcome'),
  },
  'Telnyx, transfer': { headers: { 'User-Agent': 'Telnyx' }, allowsRefer: false, back: null },
  'jambonz, dial with a referHook': {
    headers: FREESWITCH,
    allowsRefer: true,
    back: 'takes the REFER to its hook',
    reads: variable((header) => header.toLowerCase().replaceAll('-', '_'), 'x_ringkey_outcome'),
  },
  'jambonz, dial without a referHook': {
    headers: FREESWITCH,
    allowsRefer: true,
    back: 'refuses the REFER',
    reads: variable((header) => header.toLowerCase(), 'x-ringkey-outcome'),
  },
  'Pipecat over Daily': { headers: {}, allowsRefer: true, back: 'follows the REFER', dropsHeaders: true },
  Bland: {
    headers: { 'X-Bland-Call-Id': 'b_1' },
    allowsRefer: false,
    back: 'is bridged',
    reads: variable((header) => `sip_header_${header.toLowerCase()}`, 'sip_header_x-ringkey-outcome'),
  },
  'Amazon Connect': {
    headers: { 'P-Asserted-Identity': `<sip:${CONNECT_CALLER}@connect.example.com>` },
    allowsRefer: false,
    dialsNumberFor: CONNECT_CALLER,
    back: null,
  },
  'Genesys Cloud, Transfer to Number': {
    headers: { 'P-Asserted-Identity': `<sip:${GENESYS_CALLER}@genesys.example.com>` },
    allowsRefer: false,
    dialsNumberFor: GENESYS_CALLER,
    back: 'is bridged',
    reads: ({ header }) => {
      const [uuiData = ''] = header('User-to-User')?.split(';') ?? [];
      return new URLSearchParams(Buffer.from(uuiData, 'hex').toString()).get('o') ?? undefined;
    },
  },
  'FreeSWITCH, bridge with a return_to': {
    headers: FREESWITCH,
    allowsRefer: true,
    back: 'takes the REFER to its hook',
    reads: ({ uri }) => /X-Ringkey-Outcome=(\w+)/.exec(uri)?.[1],
  },
  'FreeSWITCH, bridge': { headers: FREESWITCH, allowsRefer: true, back: null },
  'Asterisk, Dial': { headers: { 'User-Agent': 'Asterisk PBX 22.6.0' }, allowsRefer: true, back: null },
};

let product: TestProduct;
beforeAll(async () => {
  product = await startProduct({ RINGKEY_TRANSFER_NUMBERS: `${NUMBER}=acct_demo:test`, RINGKEY_TRUNKS: '127.0.0.0/8' });
});
afterAll(() => product.close());

/** The checkout of a platform: by its tool, or by the code on its page. @returns the session, and what to dial */
async function checkoutOf(platform: Platform, id: string, returnTo: string) {
  if (platform.tools !== undefined) {
    const tools = await PlatformTools.load(product.baseUrl, platform.tools, { caller: CALLER, id, returnTo });
    await tools.use('create_checkout', { amount_cents: 4_250 });
    return { session: tools.variables.checkout_session_id ?? '', target: tools.variables.transfer_to ?? '' };
  }
  const fields = {
    platform_call_id: id,
    return_to: platform.back === null ? '' : returnTo,
    ...(platform.dialsNumberFor !== undefined && { caller_phone: platform.dialsNumberFor }),
  };
  const checkout = await createCheckout(product, fields);
  const host = checkout.transferTo.slice(checkout.transferTo.indexOf('@'));
  return {
    session: checkout.id,
    target: platform.dialsNumberFor !== undefined ? `sip:${NUMBER}${host}` : checkout.transferTo,
  };
}

const received = (request: SipRequest, uri: string = request.uri): Received => ({
  uri,
  header: (name) => headerValue(request, name),
});

/** Places the call that our REFER asks for, as a trunk does, and reports it. */
async function followRefer(caller: Caller, dropsHeaders: boolean): Promise<void> {
  const refer = await caller.requested('REFER');
  refer.respond(202);
  const target = referredInvite(headerValue(refer.request, 'Refer-To') ?? '');
  if (target === null) throw new Error('the Refer-To is no SIP URI');
  const audio = await audioSessions.openSession(() => undefined);
  const headers = Object.assign({ 'Content-Type': 'application/sdp' }, dropsHeaders ? {} : target.headers);
  const invite = caller.sip.request({ method: 'INVITE', uri: target.uri, headers, body: audio.offer() });
  const answer = await invite.final;
  await caller.notify(`SIP/2.0 ${answer.status} ${answer.reason}`);
  await invite.dialog?.bye().final;
  audio.close();
}

/** Brings the caller back to the agent's side. @returns what arrived there, or null if the line hung up */
async function comesBack({ back, dropsHeaders }: Platform, caller: Caller, agent: Agent): Promise<Received | null> {
  if (back === null) return null;
  if (back === 'takes the REFER to its hook') {
    const request = await caller.followRefer();
    return received(request, headerValue(request, 'Refer-To')?.replace(/^<|>$/g, ''));
  }
  if (back === 'follows the REFER') await followRefer(caller, dropsHeaders === true);
  if (back === 'refuses the REFER') (await caller.requested('REFER')).respond(501);
  const invite = await agent.calls.waitFor(() => true);
  if (back !== 'follows the REFER') {
    await agent.acked.waitFor(() => true);
    await caller.hangUp();
  }
  return received(invite.request);
}

async function retrieve(session: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${DEMO_KEY}` };
  const response = await fetch(`${product.baseUrl}/v1/checkout_sessions/${session}`, { headers });
  return (await response.json()) as Record<string, unknown>;
}

describe.concurrent('a paid call', () => {
  test.each(Object.keys(PLATFORMS))('by %s', async (name) => {
    const platform = PLATFORMS[name] as Platform;
    const [caller, agent] = [await Caller.make(), await Agent.make()];
    // An ID in the user part survives a trunk that drops headers.
    const returnTo = agent.uri.replace('sip:agent@', 'sip:room-7@');
    try {
      const { session, target } = await checkoutOf(platform, `call of ${name}`, returnTo);
      await turnToCall();
      const answer = await caller.dial(target, { headers: platform.headers, takesRefer: platform.allowsRefer });
      expect(answer.status).toBe(200);
      await caller.press(CARD_KEYS);
      const arrived = await comesBack(platform, caller, agent);
      await caller.ended();

      if (platform.reads !== undefined && arrived !== null) expect(platform.reads(arrived)).toBe('succeeded');
      if (platform.dropsHeaders === true) expect(arrived?.uri).toContain('room-7@');
      await eventually(180_000, async () =>
        expect(await retrieve(session)).toMatchObject({
          session_status: 'complete',
          platform_call_id: `call of ${name}`,
          charge: { status: 'succeeded', amount_cents: 4_250 },
        }),
      );
    } finally {
      await caller.close();
      await agent.close();
    }
  });
});
