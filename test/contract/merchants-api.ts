/** Creates and reads merchants over REST, for the contract tests on merchants. */
import { expect } from 'vitest';
import { MerchantResource } from '../../src/contract/merchants.ts';
import { MerchantStatusResource } from '../../src/http/api/routes/merchant-shapes.ts';
import { insertTestKeys } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

type Headers = Record<string, string>;

export interface MerchantsApi {
  api: TestApi;
  /** Creates a merchant. @returns the answer */
  create(body?: Record<string, unknown>, headers?: Headers): Promise<MerchantResource>;
  change(id: string, body: unknown, headers?: Headers): Promise<Answer>;
  /** Connects a processor. */
  connect(id: string, body: unknown, headers?: Headers): Promise<Answer>;
  status(id: string, headers?: Headers): Promise<MerchantStatusResource>;
}

/** Starts an API with the keys of {@link insertTestKeys}. Close it by `api.close()`. */
export async function startMerchantsApi(): Promise<MerchantsApi> {
  const api = await startTestApi();
  await insertTestKeys(api);
  let names = 0;
  return {
    api,
    async create(body = {}, headers = {}) {
      names += 1;
      const answer = await api.post('/v1/merchants', { business_name: `Shop ${names}`, ...body }, headers);
      expect(answer).toMatchObject({ status: 200 });
      return MerchantResource.strict().parse(answer.body);
    },
    change: (id, body, headers = {}) => api.send('PATCH', `/v1/merchants/${id}`, body, headers),
    connect: (id, body, headers = {}) => api.post(`/v1/merchants/${id}/processor`, body, headers),
    status: async (id, headers = {}) =>
      MerchantStatusResource.strict().parse((await api.get(`/v1/merchants/${id}/status`, headers)).body),
  };
}
