/** A caller who dials the line's number without a waiting session hears so, and the line hangs up. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { transferNumbersIn } from '../../../src/config/derived.ts';
import { PhoneHarness } from './phone-harness.ts';

const NUMBER = '+15550190000';
const transferNumbers = transferNumbersIn(readConfig({ RINGKEY_TRANSFER_NUMBERS: `${NUMBER}=acct_demo:test` }));

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({
    settings: { trunks: ['127.0.0.0/8'], transferNumbers, numberUnknown: 'speak' },
  });
});
afterAll(() => harness.close());

const rows = async () => (await harness.db.database.query('select from calls')).rowCount;

async function dial(from: string, number = NUMBER) {
  const caller = await harness.caller();
  const { status } = await caller.dial(harness.uri(number), { headers: { From: from } });
  return { caller, status };
}

it.each(['<sip:+15550104444@trunk>', '<sip:anonymous@anonymous.invalid>'])(
  'hears one sentence and is hung up on, and nothing is kept of it (%s)',
  async (from) => {
    const said = harness.said.entries.length;
    const before = await rows();
    const { caller, status } = await dial(from);
    expect(status).toBe(200);
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    await caller.press('12');
    expect(await caller.ended()).toBe('remote');
    expect(harness.said.entries.slice(said)).toEqual(['no_payment_waiting']);
    expect(await rows()).toBe(before);
    await expect.poll(() => harness.phone.calls).toBe(0);
  },
);

it('a caller without a session hears the language of most of the account’s merchants', async () => {
  await harness.db.database.query(`update merchants set language = 'fr-FR' where account_id = 'acct_demo'`);
  const { caller } = await dial('<sip:+15550104444@trunk>');
  await caller.ended();
  expect(harness.languages.at(-1)).toBe('fr-FR');
});

it('a caller without a session may hang up at any time', async () => {
  const { caller } = await dial('<sip:+15550104444@trunk>');
  await caller.hangUp();
  await expect.poll(() => harness.phone.calls).toBe(0);
  expect(harness.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
});

it('a caller with a waiting session is answered as usual', async () => {
  const { id } = await harness.checkout({ callerPhone: '+15550105555' });
  const { caller, status } = await dial('<sip:+15550105555@trunk>');
  expect(status).toBe(200);
  await caller.hangUp();
  await harness.endedCall(id);
});

it('a caller of a number that is not ours gets 404', async () => {
  expect((await dial('<sip:+15550104444@trunk>', '+15550190009')).status).toBe(404);
});
