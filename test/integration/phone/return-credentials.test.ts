/** A return target that requires digest credentials (RFC 8760): only their own host gets them. */
import { createHash } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import {
  headerValue,
  type ServerTransaction,
  type SipRequest,
  tagOf,
} from '../../../src/local/softswitch/sip/index.ts';
import type { Agent } from './caller-and-agent.ts';
import { PhoneHarness } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const REALM = 'agents';
const NONCE = 'f00d';

let harness: PhoneHarness;
afterEach(() => harness.close());

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

function isAuthorized({ headers, uri }: SipRequest, password: string, header: string): boolean {
  const value = headers.find(({ name }) => name.toLowerCase() === header.toLowerCase())?.value ?? '';
  const field = (name: string) => new RegExp(`\\b${name}="?([^",]+)`).exec(value)?.[1] ?? '';
  const ha1 = md5(`line:${REALM}:${password}`);
  const parts = [ha1, NONCE, field('nc'), field('cnonce'), field('qop'), md5(`INVITE:${uri}`)];
  return field('response') === md5(parts.join(':'));
}

/** Challenges an unauthorized INVITE, and answers an authorized one. */
const challenging =
  (status: 401 | 407) =>
  (agent: Agent, invite: ServerTransaction): void => {
    const [asks, answers] =
      status === 407 ? ['Proxy-Authenticate', 'Proxy-Authorization'] : ['WWW-Authenticate', 'Authorization'];
    if (isAuthorized(invite.request, 'secret', answers)) agent.answer(invite);
    else invite.respond(status, { headers: { [asks]: `Digest realm="${REALM}", nonce="${NONCE}", qop="auth"` } });
  };

/** For the app, every name resolves to this machine. The SIP server has no such resolver. */
const resolver = { addresses: async () => ['127.0.0.1'], srv: () => Promise.reject(new Error('ENOTFOUND')) };
const settings = {
  returnAllowed: ['127.0.0.0/8', 'agents.example.com', 'other.example.com'],
  returnCredentials: [
    { host: 'agents.example.com', accountId: 'acct_demo', username: 'line', password: 'secret' },
    { host: 'other.example.com', accountId: 'acct_other', username: 'line', password: 'secret' },
  ],
};

it.each([401, 407] as const)('the bridge answers a %s in the same dialog and at the same address', async (status) => {
  harness = await PhoneHarness.start({ settings, resolver });
  const agent = await harness.agent(challenging(status));
  const returnTo = `sip:agent@agents.example.com:${agent.sip.port}`;
  const { caller, id } = await harness.answered({ returnTo }, { takesRefer: false });
  await caller.press('**');
  await agent.acked.waitFor(() => true);
  const [first, second] = agent.calls.entries.map(({ request }) => request);
  if (first === undefined || second === undefined) throw new Error('not asked again');
  const same = (request: SipRequest) => [headerValue(request, 'Call-ID'), tagOf(headerValue(request, 'From'))];
  expect(same(second)).toEqual(same(first));
  const cseq = (request: SipRequest) => Number.parseInt(headerValue(request, 'CSeq') ?? '', 10);
  expect(cseq(second)).toBe(cseq(first) + 1);
  agent.calls.entries[1]?.dialog?.bye();
  expect(await caller.ended()).toBe('remote');
  expect(await harness.endedCall(id)).toMatchObject({ return_mode: 'bridge' });
});

it.each(['127.0.0.1', 'other.example.com'])(
  '%s gets no credentials, because it has none for this account',
  async (host) => {
    harness = await PhoneHarness.start({ settings, resolver });
    const agent = await harness.agent(challenging(401));
    const returnTo = `sip:agent@${host}:${agent.sip.port}`;
    const { caller, id } = await harness.answered({ returnTo }, { takesRefer: false });
    await caller.press('**');
    expect(await caller.ended()).toBe('remote');
    expect(stepsOf(await harness.endedCall(id))).toContain('bridge failed 401');
    expect(agent.calls.entries).toHaveLength(1);
  },
);

it('the bridge does not repeat credentials that a host refuses', async () => {
  const returnCredentials = [{ host: '127.0.0.1', accountId: null, username: 'line', password: 'wrong' }];
  harness = await PhoneHarness.start({ settings: { ...settings, returnCredentials } });
  const agent = await harness.agent(challenging(401));
  const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await caller.press('**');
  expect(await caller.ended()).toBe('remote');
  expect(stepsOf(await harness.endedCall(id))).toContain('bridge failed 401');
  expect(agent.calls.entries).toHaveLength(2);
});

it("the caller's hang-up cancels the second INVITE", async () => {
  harness = await PhoneHarness.start({ settings, resolver });
  const agent = await harness.agent((_agent, invite) => {
    if (isAuthorized(invite.request, 'secret', 'Authorization')) invite.respond(180);
    else challenging(401)(_agent, invite);
  });
  const returnTo = `sip:agent@agents.example.com:${agent.sip.port}`;
  const { caller, id } = await harness.answered({ returnTo }, { takesRefer: false });
  await caller.press('**');
  const second = await agent.calls.waitFor(({ request }) => isAuthorized(request, 'secret', 'Authorization'));
  const canceled = new Promise((resolve) => second.once('cancel', resolve));
  await caller.hangUp();
  await canceled;
  expect(await harness.endedCall(id)).toMatchObject({ return_mode: null });
});
