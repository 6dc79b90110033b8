/** `GET /v1/webhook_endpoints/:id/deliveries`: what went there, and what was answered. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { parseId } from '../../domain/ids.ts';
import type { Sql } from '../../db/pool.ts';
import { findWebhookEndpoint } from '../../db/webhooks/webhook-endpoints.ts';
import { type LoggedDelivery, listDeliveries } from '../../db/webhooks/webhook-log.ts';
import { LIST_WEBHOOK_DELIVERIES } from '../operations/webhook-deliveries.ts';
import { type IdRoute, pageFound, pageRequest } from '../require-in-scope.ts';
import { type DeliveryList, type DeliveryResource, ListDeliveriesQuery } from '../schemas/webhook-deliveries.ts';
import { parseQuery } from '../validation.ts';

/** Another account's endpoint is `not_found`, one of the other mode `invalid_key`. */
export function webhookDeliveryRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  app.get<IdRoute>(
    '/webhook_endpoints/:id/deliveries',
    { config: { operation: LIST_WEBHOOK_DELIVERIES } },
    async ({ params, query, scope }): Promise<DeliveryList> => {
      const id = parseId('WebhookEndpoint', params.id);
      const endpoint = id === null ? null : await findWebhookEndpoint(database, scope.accountId, id);
      if (endpoint === null) {
        const message = 'No webhook endpoint of this account has that id.';
        throw new ApiError('not_found', { param: 'webhook_endpoint_id', message });
      }
      if (endpoint.mode !== scope.mode) throw new ApiError('invalid_key');
      const asked = parseQuery(ListDeliveriesQuery, query);
      const page = pageFound(await listDeliveries(database, endpoint.id, asked.status ?? null, pageRequest(asked)));
      return { deliveries: page.items.map(resource), has_more: page.hasMore };
    },
  );
}

function resource(delivery: LoggedDelivery): DeliveryResource {
  return {
    event_id: delivery.eventId,
    type: delivery.type,
    sequence: Number(delivery.sequence),
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
    latency_ms: delivery.latencyMs,
    status_code: delivery.statusCode,
    answer: delivery.answer,
    failure: delivery.failure,
  };
}
