/** What tests of attention items read and change through the API. */
import { expect } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { AttentionItemResource } from '../../src/contract/attention.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type AccountId, newId } from '../../src/domain/ids.ts';
import { bearer } from './fixtures.ts';
import type { TestApi } from './test-api.ts';

type Item = AttentionItemResource;

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export function createTestAttention(api: TestApi) {
  async function items(query = '', headers?: Record<string, string>): Promise<Item[]> {
    const { status, text, body } = await api.get(`/v1/attention_items?limit=100&${query}`, headers);
    expect(status, text).toBe(200);
    return (body.attention_items as Item[]).map((item) => AttentionItemResource.strict().parse(item));
  }
  const itemAbout = async (object: string, query = '') =>
    (await items(query)).find(({ object_id }) => object_id === object);
  const mark = (id: string, verb: string, body?: object, headers?: Record<string, string>) =>
    api.post(`/v1/attention_items/${id}/${verb}`, body, headers);

  /** An account of its own, with a merchant. */
  async function newMerchant(): Promise<{ account: AccountId; merchant: string; headers: Record<string, string> }> {
    const account = newId('Account');
    await insertAccount(api.database, { id: account, name: 'Test account' });
    const { text } = await issueKey(api.database, SYSTEM, { accountId: account, mode: 'test' });
    const headers = bearer(text);
    const { body } = await api.post('/v1/merchants', { business_name: 'Bakery', slug: 'bakery' }, headers);
    // As earlier versions accepted it.
    await api.database.query('update merchants set business_name = $2 where id = $1', [
      body.merchant_id,
      'Bakery\u202e',
    ]);
    return { account, merchant: String(body.merchant_id), headers };
  }

  return { items, itemAbout, mark, newMerchant };
}
