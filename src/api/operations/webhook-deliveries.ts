/** The reference's words on the delivery log. */
import { z } from 'zod';
import { FIELDS } from '../../contract/fields.ts';
import type { Operation } from '../reference/operation.ts';
import { DeliveryList, ListDeliveriesQuery } from '../schemas/webhook-deliveries.ts';

export const LIST_WEBHOOK_DELIVERIES: Operation = {
  id: 'list_webhook_deliveries',
  group: 'Webhooks',
  summary: 'List deliveries to a webhook endpoint',
  description: `Newest event first: how each stands, and what the endpoint answered last. \`starting_after\` is an event's id.

Deliveries go out one after the other, in the order of \`sequence\`. Only 2xx is success; redirects are not followed. A failed one
is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each up to a tenth later, or later still where
\`Retry-After\` says so. 410 disables the endpoint. While one after the other fails, the endpoint is tried with one at a time.`,
  params: z.object({ id: FIELDS.webhook_endpoint_id }),
  query: ListDeliveriesQuery,
  response: DeliveryList,
  answers: 'A page of the list.',
  errors: ['not_found'],
  example: {
    needs: [{ name: 'ENDPOINT', operation: 'create_webhook_endpoint', field: 'webhook_endpoint_id' }],
    params: { id: '$ENDPOINT' },
  },
};
