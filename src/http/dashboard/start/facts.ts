/** The first steps of an integration that the account has done, read from the REST surface. */

import { DEMO_KEY } from '../../../contract/demo.ts';
import type { ListedSessionResource } from '../../../contract/listed-sessions.ts';
import type { CallList } from '../../api/routes/calls.ts';
import type { KeyList } from '../../api/routes/keys.ts';
import type { MerchantList } from '../../api/routes/merchant-shapes.ts';
import type { DeliveryList } from '../../api/routes/webhook-deliveries.ts';
import type { WebhookEndpointList } from '../../api/routes/webhook-endpoint-shapes.ts';
import type { Visit } from '../page/visit.ts';

export const STEP_IDS = ['merchant', 'processor', 'key', 'checkout', 'call', 'webhook'] as const;
export type StepId = (typeof STEP_IDS)[number];

export interface StartFacts {
  /** Completed steps. */
  done: ReadonlySet<StepId>;
  /** For the commands; null if there is no merchant. */
  merchantId: string | null;
  /** Whether an endpoint is registered. */
  hasEndpoint: boolean;
}

/** An account has at most 16 endpoints. */
const LIMIT = '100';
/** The caller of the checkout that the demo creates at each start, for the pay link in its welcome. */
const DEMO_PAYER = '+15550101299';

/** @throws DashboardFault */
export async function readStartFacts(visit: Visit): Promise<StartFacts> {
  const [keys, sessions, paid, merchants, endpoints] = await Promise.all([
    visit.ask<KeyList>({ path: '/v1/keys', query: { limit: LIMIT } }),
    visit.ask<{ checkout_sessions: ListedSessionResource[] }>({
      path: '/v1/checkout_sessions',
      query: { limit: '20' },
    }),
    visit.ask<CallList>({ path: '/v1/calls', query: { outcome: 'succeeded', limit: '1' } }),
    visit.ask<MerchantList>({ path: '/v1/merchants', query: { limit: LIMIT } }),
    visit.ask<WebhookEndpointList>({ path: '/v1/webhook_endpoints', query: { limit: LIMIT } }),
  ]);
  const steps: Record<StepId, boolean> = {
    key: keys.keys.some(({ prefix, revoked_at }) => !DEMO_KEY.startsWith(prefix) && revoked_at === null),
    checkout: sessions.checkout_sessions.some(({ caller_phone }) => caller_phone !== DEMO_PAYER),
    call: paid.calls.length > 0,
    webhook: await hasDelivered(visit, endpoints.webhook_endpoints),
    merchant: merchants.merchants.length > 0,
    processor: merchants.merchants.some(({ processor }) => processor !== null),
  };
  return {
    done: new Set(STEP_IDS.filter((id) => steps[id])),
    merchantId: merchants.merchants.at(-1)?.merchant_id ?? null,
    hasEndpoint: endpoints.webhook_endpoints.length > 0,
  };
}

/** Whether one of the endpoints has acknowledged an event. */
export async function hasDelivered(
  visit: Visit,
  endpoints: WebhookEndpointList['webhook_endpoints'],
): Promise<boolean> {
  const answers = await Promise.all(
    endpoints.map(({ webhook_endpoint_id: id }) =>
      visit.ask<DeliveryList>({
        path: `/v1/webhook_endpoints/${id}/deliveries`,
        query: { status: 'delivered', limit: '1' },
      }),
    ),
  );
  return answers.some(({ deliveries }) => deliveries.length > 0);
}
