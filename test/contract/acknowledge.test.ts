/** `POST /v1/charges/{charge_id}/acknowledge`: a person has seen a late charge. */
import { expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { ListedChargeResource } from '../../src/contract/charges.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { lateCharge, lateDuplicate } from './late-charges.ts';
import { startRefundsApi } from './refunds-api.ts';

const refunds = useFixture(() => startRefundsApi());

const acknowledge = (id: string, headers?: Record<string, string>) =>
  refunds.api.post(`/v1/charges/${id}/acknowledge`, undefined, headers);
const read = async (id: string) => (await refunds.api.get(`/v1/charges/${id}`)).body;
const row = async (id: string) =>
  (await refunds.api.database.query('select * from charges where id = $1', [id])).rows[0] as Record<string, unknown>;
const auditOf = async (id: string) =>
  (await refunds.api.get(`/v1/audit_events?object=${id}&action=charge.acknowledged`)).body.audit_events;

async function needingAttention(): Promise<string[]> {
  const { body } = await refunds.api.get('/v1/charges?needs_attention=true&limit=100');
  return (body.charges as { charge_id: string }[]).map(({ charge_id }) => charge_id);
}

test('marks a late charge as seen, once, and changes nothing else of it', async () => {
  const { charge } = await lateCharge(refunds.api);
  expect(await needingAttention()).toContain(charge);
  const [before, stored] = [await read(charge), await row(charge)];
  expect(before).toMatchObject({ was_late: true, needs_attention: true });
  const [first, second] = await Promise.all([acknowledge(charge), acknowledge(charge)]);
  expect([first.status, second.status]).toEqual([200, 200]);
  const { needs_attention, ...rest } = before;
  const seen = ListedChargeResource.strict().parse(first.body);
  expect(seen).toEqual({ ...rest, attention_acknowledged_at: expect.stringMatching(/Z$/) });
  expect(second.body).toEqual(first.body);
  expect((await acknowledge(charge)).body).toEqual(first.body);
  expect(await read(charge)).toEqual(first.body);
  expect(await needingAttention()).not.toContain(charge);
  const { attention_acknowledged_at, ...others } = await row(charge);
  expect(attention_acknowledged_at).toBeInstanceOf(Date);
  expect({ ...others, attention_acknowledged_at: null }).toEqual(stored);
  expect(await auditOf(charge)).toMatchObject([{ object_type: 'charge', actor: 'key', changes: {} }]);
});

test('can be refunded after it was marked as seen', async () => {
  const { charge } = await lateCharge(refunds.api);
  expect((await acknowledge(charge)).status).toBe(200);
  expect((await refunds.refund({ charge })).body).toMatchObject({ status: 'succeeded' });
});

test('a refund of either charge of a duplicate pair ends the attention, but not a partial one', async () => {
  const [one, two] = [await lateDuplicate(refunds.api), await lateDuplicate(refunds.api)];
  expect(await needingAttention()).toEqual(expect.arrayContaining([one.charge, two.charge]));
  await refunds.refund({ charge: one.other, amount_cents: 1_000 });
  await refunds.refund({ charge: two.charge, amount_cents: 1_000 });
  expect(await needingAttention()).toEqual(expect.arrayContaining([one.charge, two.charge]));
  await refunds.refund({ charge: one.other });
  await refunds.refund({ charge: two.charge });
  const left = await needingAttention();
  expect(left).not.toContain(one.charge);
  expect(left).not.toContain(two.charge);
  expect(await read(one.charge)).toMatchObject({ was_late: true, duplicate_of: one.other, refunded_cents: 0 });
});

test('rejects a charge that was not late', async () => {
  const { id } = await refunds.createCharge();
  const answer = await acknowledge(id);
  expectError(answer, 'invalid_value', 'charge_id');
  expect(answer.body.error).toMatchObject({ charge: id, message: expect.stringContaining('`was_late`') });
  expect(await auditOf(id)).toEqual([]);
});

test('rejects unknown charges, other accounts, the other mode and agent keys', async () => {
  const { charge } = await lateCharge(refunds.api);
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  const { text: agentKey } = await issueKey(refunds.api.database, SYSTEM, scope, { scope: 'agent' });
  for (const id of ['ch_nobodys', 'nonsense']) expectError(await acknowledge(id), 'not_found', 'charge_id');
  expectError(await acknowledge(charge, bearer(OTHER_KEY)), 'not_found', 'charge_id');
  expectError(await acknowledge(charge, bearer(LIVE_KEY)), 'invalid_key');
  expectError(await acknowledge(charge, bearer(agentKey)), 'invalid_key');
  expect(await read(charge)).toMatchObject({ needs_attention: true });
});
