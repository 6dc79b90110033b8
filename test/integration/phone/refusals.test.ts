/** Refused calls and their SIP status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { transferNumbersIn } from '../../../src/config/derived.ts';
import { type AccountId, type CheckoutSessionId, newId, parseId, randomToken } from '../../../src/domain/ids.ts';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import type { DialOptions } from './caller-and-agent.ts';
import { external } from './engine.ts';
import { PhoneHarness } from './phone-harness.ts';

const NUMBERS = transferNumbersIn(
  readConfig({
    RINGKEY_TRANSFER_NUMBERS:
      '+15550190000=acct_demo:test,+15550190001=acct_demo:live,+15550190002=acct_rival:test,+15550190003=acct_rival:live',
  }),
);

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({
    settings: { maxCalls: 3, trunks: ['127.0.0.0/8'], trunkCountry: 'US', transferNumbers: NUMBERS },
  });
});
afterAll(() => harness.close());

async function statusOf(uri: string, headers: DialOptions['headers'] = {}, body?: string): Promise<number> {
  const caller = await harness.caller();
  const answer = await caller.dial(uri, { headers, ...(body !== undefined && { body }) });
  if (answer.status === 200) {
    await caller.hangUp();
    // Its session is free again.
    await expect.poll(() => harness.phone.calls).toBe(0);
  }
  return answer.status;
}

const sdp = (media: string) =>
  ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', media, ''].join('\r\n');

describe('the session lookup', () => {
  it('answers 404 for another name, token or ID', async () => {
    const { id } = await harness.checkout();
    expect(await statusOf(harness.uri('somebody'))).toBe(404);
    expect(await statusOf(harness.uri(`${id}-${randomToken()}`))).toBe(404);
    expect(await statusOf(harness.uri(`${newId('CheckoutSession')}-${randomToken()}`))).toBe(404);
    expect(await statusOf(harness.uri(id))).toBe(404);
    expect(await harness.call(id)).toBeUndefined();
  });

  it('answers 410 for an expired session', async () => {
    const { uri } = await harness.checkout({ ttlSeconds: -1 });
    expect(await statusOf(uri)).toBe(410);
  });

  it('answers 410 for a paid session', async () => {
    const { uri, id } = await harness.checkout();
    await harness.db.database.query(`update checkout_sessions set status = 'complete' where id = $1`, [id]);
    expect(await statusOf(uri)).toBe(410);
  });

  it('finds a session by the calling number, P-Asserted-Identity first', async () => {
    const { id } = await harness.checkout({ callerPhone: '+15550107777' });
    const asserted = { 'P-Asserted-Identity': '"A" <sip:+15550107777@trunk>', From: '<sip:+15550100000@trunk>' };
    const caller = await harness.caller();
    expect((await caller.dial(harness.uri('+15550190000'), { headers: asserted })).status).toBe(200);
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    await caller.hangUp();
    expect((await harness.endedCall(id)).answered_at).not.toBeNull();
    expect(await statusOf(harness.uri('+15550190000'), { From: '<sip:15550107777@trunk>' })).toBe(200);
    expect(await statusOf(harness.uri('+15550190000'), { From: '<sip:+15550108888@trunk>' })).toBe(404);
    expect(await statusOf(harness.uri('+15550190000'), { From: '<sip:anonymous@anonymous.invalid>' })).toBe(404);
  });
});

describe('a trunk with its own number format', () => {
  const DIALLED = '+15550190000';
  beforeAll(() => harness.checkout({ callerPhone: '+15550105555' }));

  it('may write national numbers of its country', async () => {
    expect(await statusOf(harness.uri(DIALLED), { From: '<sip:5550105555@trunk>' })).toBe(200);
    expect(await statusOf(harness.uri('5550190000'), { From: '<sip:15550105555@trunk>' })).toBe(200);
  });

  it('may assert a SIP and a tel identity', async () => {
    const From = '<sip:anonymous@anonymous.invalid>';
    const identities = ['"Lee" <sip:lee@trunk>', '<tel:+1-555-010-5555>'];
    expect(await statusOf(harness.uri(DIALLED), { From, 'P-Asserted-Identity': identities })).toBe(200);
    expect(await statusOf(harness.uri(DIALLED), { From, 'P-Asserted-Identity': identities.join(', ') })).toBe(200);
    const name = '"<sip:+15550105555@trunk>" <sip:+15550100000@trunk>';
    expect(await statusOf(harness.uri(DIALLED), { From, 'P-Asserted-Identity': name })).toBe(404);
  });

  it('may say that the caller withholds the number, whatever From says', async () => {
    const headers = { From: '<sip:+15550105555@trunk>', 'P-Asserted-Identity': '<sip:anonymous@anonymous.invalid>' };
    expect(await statusOf(harness.uri(DIALLED), headers)).toBe(404);
  });

  it('may put the dialed number in To alone', async () => {
    const headers = { From: '<sip:+15550105555@trunk>', To: `<sip:${DIALLED}@trunk>` };
    expect(await statusOf(harness.uri('ringkey'), headers)).toBe(200);
    expect(await statusOf(`sip:127.0.0.1:${harness.engine.sipPort}`, headers)).toBe(200);
    expect(await statusOf(harness.uri('ringkey'), { ...headers, To: '<sip:ringkey@trunk>' })).toBe(404);
  });
});

describe('two accounts with sessions for one caller, in both modes', () => {
  const CALLER = '+15550106666';
  const from = { From: `<sip:${CALLER}@trunk>` };
  let sessions: Record<string, string>;

  /** The session that a call to the number reaches, or the SIP status. */
  async function reached(number: string, to?: string): Promise<string | number> {
    const caller = await harness.caller();
    const headers = { ...from, ...(to !== undefined && { To: `<sip:${to}@pay.example.com>` }) };
    const { status } = await caller.dial(harness.uri(number), { headers });
    if (status !== 200) return status;
    const { rows } = await harness.db.database.query<{ id: CheckoutSessionId }>(
      'select session_id as id from calls order by started_at desc limit 1',
    );
    const id = rows[0]?.id ?? null;
    await caller.hangUp();
    if (id !== null) await harness.endedCall(id);
    return id ?? status;
  }

  beforeAll(async () => {
    const { database } = harness.db;
    await database.query(
      `insert into accounts (id, name, header_signing_secret) values ('acct_rival', 'Rival', 'c2VjcmV0');
       insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
       select 'mer_' || account_id || '_' || mode, account_id, mode::mode, 'x', 'X', 'USD', 'always', 'sandbox'
         from (values ('demo', 'live'), ('rival', 'test'), ('rival', 'live')) m (name, mode),
              lateral (select 'acct_' || name as account_id) a`,
    );
    const make = async (account: string, mode: 'test' | 'live', merchant: string) =>
      (
        await harness.checkout({
          accountId: parseId('Account', account) as AccountId,
          mode,
          callerPhone: CALLER,
          merchantId: parseId('Merchant', merchant),
        })
      ).id;
    const merchants = ['mer_demo_diner', 'mer_acct_demo_live', 'mer_acct_rival_test', 'mer_acct_rival_live'] as const;
    sessions = {
      '+15550190000': await make('acct_demo', 'test', merchants[0]),
      '+15550190001': await make('acct_demo', 'live', merchants[1]),
      '+15550190002': await make('acct_rival', 'test', merchants[2]),
      '+15550190003': await make('acct_rival', 'live', merchants[3]),
    };
  });

  it('have each number reach the session of its own account and mode, even if others are newer', async () => {
    for (const [number, id] of Object.entries(sessions)) {
      expect([number, await reached(number)]).toEqual([number, id]);
      expect([number, await reached(number.slice(1))]).toEqual([number, id]);
    }
  });

  it('are told apart by To if the Request-URI has no number of ours', async () => {
    expect(await reached('2000', '+15550190001')).toBe(sessions['+15550190001']);
    expect(await reached('+15550190000', '+15550190003')).toBe(sessions['+15550190000']);
  });

  it('are not reached by a number that is not ours: 404', async () => {
    expect(await reached('+15550190009')).toBe(404);
    expect(await reached('+15550100001')).toBe(404);
    expect(harness.log.entries).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ status: 404, reason: 'number_not_ours' }) }),
    );
  });

  it('are not reached by a withheld number: 404', async () => {
    for (const user of ['anonymous', 'Restricted', 'unavailable', '']) {
      const caller = await harness.caller();
      const headers = { From: `<sip:${user === '' ? '' : `${user}@`}anonymous.invalid>` };
      expect((await caller.dial(harness.uri('+15550190001'), { headers })).status).toBe(404);
    }
  });
});

describe('an INVITE', () => {
  it('without a common codec gets 488, and its session stays free', async () => {
    const { uri, id } = await harness.checkout();
    expect(await statusOf(uri, {}, sdp('m=audio 40000 RTP/AVP 9'))).toBe(488);
    expect(await statusOf(uri, {}, sdp('m=audio 40000 RTP/SAVP 0'))).toBe(488);
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', answered_at: null });
    expect(await statusOf(uri)).toBe(200);
  });

  it('that requires an unknown extension gets 420', async () => {
    const { uri } = await harness.checkout();
    const caller = await harness.caller();
    const answer = await caller.dial(uri, { headers: { Require: 'foo, 100rel' } });
    expect([answer.status, headerValue(answer, 'Unsupported')]).toEqual([420, 'foo']);
  });
});

describe('a line at its limit', () => {
  it('refuses a second call to a session with 486 until the first is over', async () => {
    const { uri, id } = await harness.checkout();
    const first = await harness.caller();
    expect((await first.dial(uri)).status).toBe(200);
    expect(await statusOf(uri)).toBe(486);
    await first.hangUp();
    await harness.endedCall(id);
    expect(await statusOf(uri)).toBe(200);
  });

  it('refuses more calls than its limit with 503 and Retry-After', async () => {
    await expect.poll(() => harness.phone.calls).toBe(0);
    const callers = await Promise.all([1, 2, 3].map(() => harness.caller()));
    for (const caller of callers) expect((await caller.dial((await harness.checkout()).uri)).status).toBe(200);
    const { uri } = await harness.checkout();
    const fourth = await harness.caller();
    const answer = await fourth.dial(uri);
    // A full phone that is the only one answers itself, because drachtio-server would answer without Retry-After.
    expect([answer.status, headerValue(answer, 'Retry-After')]).toEqual([503, '5']);
    for (const caller of callers) await caller.hangUp();
    await expect.poll(() => harness.phone.calls).toBe(0);
    expect(await statusOf(uri)).toBe(200);
  });
});

describe('a caller from outside the trusted trunks', () => {
  // Needs a second app, which on real daemons would share the calls with the first.
  it.runIf(!external)('gets 403 for a number, whatever they claim, and 404 otherwise', async () => {
    const strange = await PhoneHarness.start({ settings: { trunks: ['192.0.2.0/24'] } });
    try {
      await strange.checkout({ callerPhone: '+15550107777' });
      const caller = await strange.caller();
      const headers = { From: '<sip:+15550107777@trunk>' };
      expect((await caller.dial(strange.uri('+15550190000'), { headers })).status).toBe(403);
      expect((await caller.dial(strange.uri('hello'), { headers })).status).toBe(404);
      const { uri } = await strange.checkout();
      expect((await caller.dial(uri)).status).toBe(200);
      await caller.hangUp();
    } finally {
      await strange.close();
    }
  });
});

it('refusals leave no media behind', async () => {
  if (!external) await expect.poll(() => harness.engine.portsInUse()).toBe(0);
});
