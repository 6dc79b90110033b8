/** `/v1/webhook_endpoints`: the endpoints that receive the account's events of this mode. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isDeliverable } from '../../../accounts/merchants/order-source.ts';
import { ApiError } from '../../../contract/errors.ts';
import { FIELDS } from '../../../contract/fields.ts';
import { insertTestEvent } from '../../../db/events/event-log.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import { resendFailedDeliveries } from '../../../db/webhooks/resend-failed.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  insertWebhookEndpoint,
  listWebhookEndpoints,
  rollWebhookSecret,
  type WebhookEndpoint,
} from '../../../db/webhooks/webhook-endpoints.ts';
import type { Scope } from '../../../domain/account.ts';
import { MAX_ENDPOINTS } from '../../../domain/account-limits.ts';
import { newId, parseId, type WebhookEndpointId } from '../../../domain/ids.ts';
import { newSigningSecret } from '../../../lib/http-client/signature.ts';
import { requireVault, type Vault } from '../../../lib/vault/vault.ts';
import { eventJson } from '../../../notifications/outbox/event-body.ts';
import {
  auditEndpoint,
  endpointChanges,
  shownEndpoint,
  webhookSecretContext,
} from '../../../notifications/webhooks/endpoints.ts';
import { addList, type ListOperation, PageQuery, pageRequest } from '../pages.ts';
import { targetsFor } from '../plugins/local-requests.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';
import { EventResource, sendJson } from './events.ts';
import {
  ChangeWebhookEndpointRequest,
  CreateWebhookEndpointRequest,
  DeletedWebhookEndpoint,
  NewWebhookEndpointResource,
  ResendFailedRequest,
  ResentFailures,
  RollSecretRequest,
  WebhookEndpointList,
  WebhookEndpointResource,
} from './webhook-endpoint-shapes.ts';

const ENDPOINT: Need = { name: 'ENDPOINT', operation: 'create_webhook_endpoint', field: 'webhook_endpoint_id' };
export const ENDPOINT_PARAMS = z.object({ id: FIELDS.webhook_endpoint_id });
/** For all operations on an endpoint. */
export const ENDPOINT_EXAMPLE = { needs: [ENDPOINT], params: { id: '$ENDPOINT' } };

const CREATE_WEBHOOK_ENDPOINT = {
  id: 'create_webhook_endpoint',
  group: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description: `Registers an endpoint for signed events of this mode. \`signing_secret\` is shown only once: store it to verify
deliveries. An account can have up to 16 endpoints per mode; another one returns \`invalid_value\`. Live mode only
accepts https URLs on the public internet. They are checked again at each delivery.`,
  request: CreateWebhookEndpointRequest,
  response: NewWebhookEndpointResource,
  answers: 'The endpoint and its signing secret. The secret is shown only once.',
  errors: ['missing_required_fields', 'invalid_url', 'invalid_events', 'not_configured'],
  example: { body: { url: 'https://example.com/ringkey', events: ['checkout.completed', 'checkout.failed'] } },
} satisfies Operation;

const LIST_WEBHOOK_ENDPOINTS = {
  id: 'list_webhook_endpoints',
  group: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'Lists webhook endpoints, newest first. Secrets are never shown.',
  query: PageQuery,
  response: WebhookEndpointList,
  errors: [],
  example: {},
} satisfies ListOperation;

const CHANGE_WEBHOOK_ENDPOINT = {
  id: 'change_webhook_endpoint',
  group: 'Webhooks',
  summary: 'Update a webhook endpoint',
  description: `Fields that you omit keep their values; \`events\` replaces the whole list. Disabling an endpoint cancels its
waiting deliveries and stops new ones. Events are still stored, and you can send them again after you enable the
endpoint.`,
  params: ENDPOINT_PARAMS,
  request: ChangeWebhookEndpointRequest,
  response: WebhookEndpointResource,
  answers: 'The updated endpoint.',
  errors: ['not_found', 'invalid_url', 'invalid_events'],
  example: { ...ENDPOINT_EXAMPLE, body: { disabled: true } },
} satisfies Operation;

const DELETE_WEBHOOK_ENDPOINT = {
  id: 'delete_webhook_endpoint',
  group: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'Stops deliveries to the endpoint and deletes its secret.',
  params: ENDPOINT_PARAMS,
  response: DeletedWebhookEndpoint,
  answers: 'The endpoint is deleted.',
  errors: ['not_found'],
  example: ENDPOINT_EXAMPLE,
} satisfies Operation;

const ROLL_WEBHOOK_SECRET = {
  id: 'roll_webhook_secret',
  group: 'Webhooks',
  summary: 'Roll the signing secret',
  description: `Creates a new signing secret, which is shown only once. The old secret also signs for as long as you choose. Until
then, deliveries have two signatures, and one valid signature is enough.`,
  params: ENDPOINT_PARAMS,
  request: RollSecretRequest,
  response: NewWebhookEndpointResource,
  answers: 'The endpoint and its new secret. The secret is shown only once.',
  errors: ['not_found', 'not_configured'],
  example: { ...ENDPOINT_EXAMPLE, body: { expires_in_seconds: 3600 } },
} satisfies Operation;

const SEND_TEST_EVENT = {
  id: 'send_test_event',
  group: 'Webhooks',
  summary: 'Send a test event',
  description: `Sends an event of the type \`test\`, signed like any other, to this endpoint only, regardless of its subscriptions.
The list of deliveries shows the result.`,
  params: ENDPOINT_PARAMS,
  response: EventResource,
  answers: 'The event. It will be sent now.',
  errors: ['not_found'],
  example: ENDPOINT_EXAMPLE,
} satisfies Operation;

const RESEND_FAILED_EVENTS = {
  id: 'resend_failed_events',
  group: 'Webhooks',
  role: 'support',
  summary: 'Send failed events again',
  description: `Sends all events again whose delivery to this endpoint has failed since a time, oldest first, with the same IDs and
bodies: those that were given up, and those that wait for a retry. They get all attempts again. One request takes up to
1,000 of them. If \`has_more\` is true, send it again with the \`last_event_id\` as \`starting_after\`, so that events that
fail again meanwhile are not sent twice. Canceled deliveries are not included. A disabled endpoint returns \`invalid_value\`.`,
  params: ENDPOINT_PARAMS,
  request: ResendFailedRequest,
  response: ResentFailures,
  answers: 'The number of deliveries. They are sent now, by the workers.',
  errors: ['not_found'],
  example: { ...ENDPOINT_EXAMPLE, body: { since: '2026-11-20T12:00:00Z' } },
} satisfies Operation;

/** Per request, so that it ends soon and its rows are locked briefly. */
const MOST_RESENT = 1_000;

interface WebhookEndpointDeps {
  database: Database;
  /** Null without encryption keys: then no endpoint can be created. */
  vault: Vault | null;
  /** Endpoints in test mode can have private addresses. */
  privateTargets: boolean;
  /** Only local requests can set such URLs. */
  privateTargetsLocally?: boolean;
}

export function webhookEndpointRoutes(app: FastifyInstance, deps: WebhookEndpointDeps): void {
  const { database, vault } = deps;

  addOperation(app, 'POST /webhook_endpoints', CREATE_WEBHOOK_ENDPOINT, async ({ body: { url, events } }, request) => {
    requireDeliverable(url, request, deps);
    const [id, secret] = [newId('WebhookEndpoint'), newSigningSecret()];
    const row = { id, url, events, signingSecret: requireVault(vault).seal(secret, webhookSecretContext(id)) };
    const endpoint = await database.transaction(async (sql) => {
      const inserted = await insertWebhookEndpoint(sql, request.scope, row, MAX_ENDPOINTS);
      if (inserted === null) throw tooManyEndpoints();
      await auditEndpoint(sql, request.actor, 'webhook_endpoint.created', inserted, shownEndpoint(inserted));
      return inserted;
    });
    return { ...endpointResource(endpoint), signing_secret: secret };
  });

  addList(app, 'GET /webhook_endpoints', LIST_WEBHOOK_ENDPOINTS, endpointResource, ({ query }, { scope }) =>
    listWebhookEndpoints(database, scope, pageRequest(query)),
  );

  addOperation(app, 'PATCH /webhook_endpoints/:id', CHANGE_WEBHOOK_ENDPOINT, async (input, request) => {
    const endpoint = await requireWebhookEndpoint(database, request.scope, input.params.id);
    const change = input.body;
    if (change.url !== undefined) requireDeliverable(change.url, request, deps);
    const changed = await database.transaction(async (sql) => {
      const after = await changeWebhookEndpoint(sql, endpoint.id, change);
      if (after === null) throw notFound();
      await auditEndpoint(sql, request.actor, 'webhook_endpoint.changed', after, endpointChanges(endpoint, after));
      return after;
    });
    return endpointResource(changed);
  });

  addOperation(app, 'DELETE /webhook_endpoints/:id', DELETE_WEBHOOK_ENDPOINT, async ({ params }, { scope, actor }) => {
    const endpoint = await requireWebhookEndpoint(database, scope, params.id);
    await database.transaction(async (sql) => {
      await deleteWebhookEndpoint(sql, endpoint.id);
      await auditEndpoint(sql, actor, 'webhook_endpoint.deleted', endpoint, shownEndpoint(endpoint));
    });
    return { webhook_endpoint_id: endpoint.id, deleted: true as const };
  });

  addOperation(app, 'POST /webhook_endpoints/:id/roll_secret', ROLL_WEBHOOK_SECRET, async (input, { scope, actor }) => {
    const endpoint = await requireWebhookEndpoint(database, scope, input.params.id);
    const { expires_in_seconds } = input.body;
    const secret = newSigningSecret();
    const sealed = requireVault(vault).seal(secret, webhookSecretContext(endpoint.id));
    await database.transaction(async (sql) => {
      if (!(await rollWebhookSecret(sql, endpoint.id, sealed, expires_in_seconds))) throw notFound();
      await auditEndpoint(sql, actor, 'webhook_endpoint.secret_rolled', endpoint, { expires_in_seconds });
    });
    return { ...endpointResource(endpoint), signing_secret: secret };
  });

  addOperation(app, 'POST /webhook_endpoints/:id/resend_failed', RESEND_FAILED_EVENTS, async (input, request) => {
    const endpoint = await requireWebhookEndpoint(database, request.scope, input.params.id);
    if (endpoint.disabled) throw endpointDisabled();
    const { since, starting_after: startingAfter = null } = input.body;
    return database.transaction(async (sql) => {
      const failed = { since: new Date(since), startingAfter, limit: MOST_RESENT };
      const sent = await resendFailedDeliveries(sql, endpoint.id, failed);
      if (sent === null) throw notOfEndpoint();
      const changes = { since, deliveries: sent.resent };
      await auditEndpoint(sql, request.actor, 'webhook_endpoint.failures_resent', endpoint, changes);
      return { resent: sent.resent, has_more: sent.hasMore, last_event_id: sent.lastEventId };
    });
  });

  addOperation(app, 'POST /webhook_endpoints/:id/test', SEND_TEST_EVENT, async ({ params }, { scope }, reply) => {
    const endpoint = await requireWebhookEndpoint(database, scope, params.id);
    const event = await insertTestEvent(database, scope, endpoint.id);
    return sendJson(reply, eventJson(event, null, app.docsUrl));
  });
}

function requireDeliverable(url: string, request: FastifyRequest, deps: WebhookEndpointDeps): void {
  const { privateTargets } = targetsFor(request, deps);
  if (!isDeliverable(url, request.scope.mode, privateTargets)) throw new ApiError('invalid_url', { param: 'url' });
}

function tooManyEndpoints(): ApiError {
  return new ApiError('invalid_value', {
    message: `The account has ${MAX_ENDPOINTS} webhook endpoints in this mode, which is the maximum. Delete one first.`,
  });
}

function endpointDisabled(): ApiError {
  return new ApiError('invalid_value', {
    param: 'webhook_endpoint_id',
    message: 'The webhook endpoint is disabled. Enable it first.',
  });
}

function notOfEndpoint(): ApiError {
  return new ApiError('invalid_value', {
    param: 'starting_after',
    message: '`starting_after` must be the ID of an event that was sent to this webhook endpoint.',
  });
}

function notFound(): ApiError {
  return new ApiError('not_found', {
    param: 'webhook_endpoint_id',
    message: 'No webhook endpoint of this account has this ID.',
  });
}

/** @throws ApiError `not_found`; `invalid_key` for an endpoint of the other mode */
export async function requireWebhookEndpoint(sql: Sql, scope: Scope, text: string): Promise<WebhookEndpoint> {
  const find = (id: WebhookEndpointId) => findWebhookEndpoint(sql, scope.accountId, id);
  return requireInScope(scope, parseId('WebhookEndpoint', text), find, notFound);
}

function endpointResource(endpoint: WebhookEndpoint): WebhookEndpointResource {
  return {
    webhook_endpoint_id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    disabled: endpoint.disabled,
    created_at: endpoint.createdAt.toISOString(),
  };
}
