/** `/v1/webhook_endpoints/{id}/health`: attempts and failures of an endpoint by hour. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { field } from '../../../contract/fields.ts';
import type { Sql } from '../../../db/pool.ts';
import { countAttemptsByHour } from '../../../db/webhooks/attempt-log.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { ENDPOINT_EXAMPLE, ENDPOINT_PARAMS, requireWebhookEndpoint } from './webhook-endpoints.ts';

const HOURS = 7 * 24;

const HourOfAttempts = z.object({
  hour: field(z.iso.datetime(), 'The start of the hour: ISO 8601, in UTC.', '2026-11-20T12:00:00.000Z'),
  attempts: field(z.int(), 'The number of attempts in that hour.', 42),
  failures: field(z.int(), 'The number of these attempts that failed.', 1),
});

export const WebhookHealth = z.object({
  hours: field(z.array(HourOfAttempts), 'The last 168 hours, oldest first. The last one is the current hour.'),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

const RETRIEVE_WEBHOOK_HEALTH = {
  id: 'retrieve_webhook_health',
  group: 'Webhooks',
  summary: 'Retrieve the health of a webhook endpoint',
  description: 'Returns the number of attempts and failures of the endpoint in each hour of the last 7 days.',
  params: ENDPOINT_PARAMS,
  response: WebhookHealth,
  answers: 'The attempts and failures by hour.',
  errors: ['not_found'],
  example: ENDPOINT_EXAMPLE,
} satisfies Operation;

export function webhookHealthRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addOperation(app, 'GET /webhook_endpoints/:id/health', RETRIEVE_WEBHOOK_HEALTH, async ({ params }, { scope }) => {
    const endpoint = await requireWebhookEndpoint(database, scope, params.id);
    const hours = await countAttemptsByHour(database, endpoint.id, HOURS);
    return { hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })) };
  });
}
