/** Messages that no phone sends, made by fast-check: a good call at the same time is paid, and the phone process stays. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import {
  DIALOG_METHODS,
  type HostileBody,
  hostileAddress,
  hostileBody,
  hostileHeaders,
} from '../../support/hostile-sip.ts';
import { endOf, OFFER, openRawSipSocket, type RawSipSocket, rawInvite } from '../../support/raw-sip.ts';
import { external } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

/** Each run has a good call and so many hostile ones. */
const RUNS = 5;
const CALLS = 8;
const REQUESTS = 12;
/** Calls to the agent at the same time. */
const ANSWERS = 3;

let harness: PhoneHarness;
let wire: RawSipSocket;
/** Errors that would have ended the process. */
const faults: unknown[] = [];
const noteFault = (error: unknown) => void faults.push(error);

beforeAll(async () => {
  process.on('uncaughtException', noteFault).on('unhandledRejection', noteFault);
  harness = await PhoneHarness.start();
  wire = await openRawSipSocket(`127.0.0.1:${harness.engine.sipPort}`);
});
afterAll(async () => {
  await wire.close();
  await harness.close();
  process.off('uncaughtException', noteFault).off('unhandledRejection', noteFault);
});

/** A caller pays while `hostile` runs. */
async function expectPaidBeside(hostile: Promise<unknown>): Promise<void> {
  const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
  await harness.keyCard(caller);
  expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
  await caller.hangUp();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  await caller.close();
  await hostile;
  expect(faults).toEqual([]);
}

interface HostileInvite {
  from: string | undefined;
  to: string | undefined;
  contact: string | undefined;
  headers: [name: string, value: string][];
  body: HostileBody;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const hostileInvite: fc.Arbitrary<HostileInvite> = fc.record({
  from: maybe(hostileAddress),
  to: maybe(hostileAddress),
  // drachtio-server (0.9.10) crashes on a Contact without a URI.
  contact: external ? fc.constant(undefined) : maybe(hostileAddress),
  headers: hostileHeaders,
  body: hostileBody(OFFER),
});

/** Sends an INVITE to a session, and hangs up if it is answered. */
async function invite({ from, to, contact, headers, body }: HostileInvite): Promise<void> {
  const { uri } = await harness.checkout();
  const parts = { ...(contact !== undefined && { Contact: contact }), ...(to !== undefined && { To: to }) };
  const plain = rawInvite(uri, wire.address, { headers: { ...parts, 'Content-Type': body.type }, body: body.body });
  const more = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const text = (from === undefined ? plain : plain.replace(/^From: .*?(?=;tag=)/m, () => `From: ${from}`)).replace(
    /^Content-Type: /m,
    (line) => more + line,
  );
  const branch = /branch=(\S+)/.exec(text)?.[1] ?? '';
  wire.send(text);
  const answer = await wire
    .next((reply) => /^SIP\/2\.0 [2-6]/.test(reply) && reply.includes(branch))
    .catch((error: unknown) => {
      throw new Error(`no answer to ${JSON.stringify(text)}`, { cause: error });
    });
  if (!answer.startsWith('SIP/2.0 2')) return;
  wire.send(...endOf(text, answer));
  await wire.next((reply) => reply.includes(`${branch}BYE`));
}

it('hostile INVITEs are answered, and a call beside them is paid', async () => {
  const batch = fc.array(hostileInvite, { minLength: CALLS, maxLength: CALLS });
  await fc.assert(
    fc.asyncProperty(batch, (invites) => expectPaidBeside(Promise.all(invites.map(invite)))),
    { numRuns: RUNS, endOnFailure: true },
  );
});

it('hostile requests in a call are answered, and a call beside it is paid', async () => {
  const request = fc.record({
    method: fc.constantFrom(...DIALOG_METHODS),
    headers: hostileHeaders.map((headers) => Object.fromEntries(headers)),
    body: hostileBody(OFFER),
  });
  const requests = fc.array(request, { minLength: REQUESTS, maxLength: REQUESTS });
  await fc.assert(
    fc.asyncProperty(requests, (all) => expectPaidBeside(requestInCall(all))),
    { numRuns: RUNS, endOnFailure: true },
  );
});

async function requestInCall(
  requests: readonly { method: string; headers: Record<string, string>; body: HostileBody }[],
): Promise<void> {
  const { caller, id } = await harness.answered();
  for (const { method, headers, body } of requests) {
    const { type, body: text } = body;
    await caller.dialog?.request({ method, headers: { ...headers, 'Content-Type': type }, body: text }).final;
  }
  await caller.hangUp();
  await harness.endedCall(id);
  await caller.close();
}

it('hostile answers of the agent end the bridge or are bridged, and a call beside it is paid', async () => {
  const answer = fc.record({
    status: fc.constantFrom(200, 200, 302, 401, 407, 422),
    headers: hostileHeaders.map((headers) => Object.fromEntries(headers)),
    body: hostileBody(OFFER),
  });
  const answers = fc.array(answer, { minLength: ANSWERS, maxLength: ANSWERS });
  await fc.assert(
    fc.asyncProperty(answers, (all) => expectPaidBeside(Promise.all(all.map(returnTo)))),
    { numRuns: RUNS, endOnFailure: true },
  );
});

async function returnTo(given: { status: number; headers: Record<string, string>; body: HostileBody }): Promise<void> {
  const { type, body } = given.body;
  const headers = { ...given.headers, 'Content-Type': type };
  const agent = await harness.agent((_agent, call) => call.respond(given.status, { headers, body }));
  const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await caller.press('**');
  await expect
    .poll(async () => (await harness.call(id))?.return_mode === 'bridge' || caller.dialog?.alive !== true)
    .toBe(true);
  await caller.hangUp();
  await harness.endedCall(id);
  await caller.close();
}
