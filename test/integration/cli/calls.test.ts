/** `ringkey call list` and `ringkey call show`. */
import { expect, test } from 'vitest';
import { insertEndedCall } from '../../support/ended-call.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import { useCommandRunner } from './command-runner.ts';

const cli = useCommandRunner();

async function call(facts: Parameters<typeof insertEndedCall>[2] = {}, merchant = cli.merchant) {
  const { accountId, merchantId } = merchant;
  const sessionId = await createTestSession(cli.database, merchant);
  const id = await insertEndedCall(cli.database, { accountId, mode: 'test', sessionId, merchantId }, facts);
  return { id, sessionId };
}

test('lists calls, newest first, filtered by outcome, mode and live calls', async () => {
  const merchant = await createTestMerchant(cli.database);
  const paid = await call({}, merchant);
  const failed = await call({ outcome: 'failed', reason: 'declined' }, merchant);
  const live = await call({ outcome: null, endedAt: null, stage: 'expiry' }, merchant);
  const list = async (more: string) => (await cli.run(`call list --account ${merchant.accountId} ${more}`.trim())).out;
  const ids = (out: string) => [...out.matchAll(/call_[a-z0-9]+/g)].map(([id]) => id);
  expect(ids(await list(''))).toEqual([live.id, failed.id, paid.id]);
  expect(await list('--outcome failed')).toMatch(new RegExp(`${failed.id}.*failed \\(declined\\)`));
  expect(ids(await list('--outcome failed'))).toEqual([failed.id]);
  expect(ids(await list('--live'))).toEqual([live.id]);
  expect(ids(await list('--mode live'))).toEqual([]);
  const { calls } = JSON.parse(await list('--json')) as { calls: { call_id: string; status: string }[] };
  expect(calls.map(({ call_id, status }) => [call_id, status])).toEqual([
    [live.id, 'live'],
    [failed.id, 'ended'],
    [paid.id, 'ended'],
  ]);
});

test('shows a call with its legs, keys, audio quality and steps', async () => {
  const { id, sessionId } = await call();
  const { code, out } = await cli.run(`call show ${id}`);
  expect(code).toBe(0);
  for (const fact of [id, sessionId, 'succeeded', `sip-${id}`, 'telephone-event', '3 of 2000', '1.5 ms']) {
    expect(out).toContain(fact);
  }
  expect(out).toMatch(/0\.000 s {2}invite\n\s+0\.080 s {2}answered\n\s+4\.000 s {2}caller hung up/);
  const { out: json } = await cli.run(`call show ${id} --json`);
  expect(JSON.parse(json)).toMatchObject({ call_id: id, timeline: [{ step: 'invite' }, {}, {}] });
});

test('reports an unknown call and invalid options, and lists its options in the help', async () => {
  expect(await cli.run('call show call_nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('call not found'),
  });
  expect((await cli.run('call show 1')).code).toBe(2);
  expect((await cli.run('call list')).code).toBe(2);
  expect((await cli.run('call --script nonsense')).err).toContain('It must be one of the scripts listed below');
  const { out } = await cli.run('call --help');
  for (const word of ['--script', '--merchant', 'list', 'show']) expect(out).toContain(word);
});
