/** `/v1/webhook_endpoints`: where the account's events of this mode go. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { newId, parseId } from '../../domain/ids.ts';
import { requireVault } from '../../merchants/deps.ts';
import { isDeliverable } from '../../merchants/order-source.ts';
import { eventJson } from '../../outbox/event-body.ts';
import { webhookSecretContext } from '../../webhooks/secrets.ts';
import { newSigningSecret } from '../../outgoing-http/signature.ts';
import type { Database } from '../../db/pool.ts';
import { insertTestEvent } from '../../db/events/event-log.ts';
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  insertWebhookEndpoint,
  listWebhookEndpoints,
  rollWebhookSecret,
  type WebhookEndpoint,
} from '../../db/webhooks/webhook-endpoints.ts';
import type { Vault } from '../../vault/vault.ts';
import {
  CHANGE_WEBHOOK_ENDPOINT,
  CREATE_WEBHOOK_ENDPOINT,
  DELETE_WEBHOOK_ENDPOINT,
  LIST_WEBHOOK_ENDPOINTS,
  ROLL_WEBHOOK_SECRET,
  SEND_TEST_EVENT,
} from '../operations/webhooks.ts';
import { type IdRoute, pageFound, pageRequest } from '../require-in-scope.ts';
import { docsUrlOf } from '../plugins/errors.ts';
import { PageQuery } from '../schemas/pages.ts';
import {
  ChangeWebhookEndpointRequest,
  CreateWebhookEndpointRequest,
  type DeletedWebhookEndpoint,
  type NewWebhookEndpointResource,
  RollSecretRequest,
  type WebhookEndpointList,
  type WebhookEndpointResource,
} from '../schemas/webhook-endpoints.ts';
import { parseBody, parseQuery } from '../validation.ts';

export interface WebhookEndpointDeps {
  database: Database;
  /** Null without encryption keys: no secret can be kept, so no endpoint either. */
  vault: Vault | null;
  /** Endpoints of test mode may be at private addresses. */
  privateTargets: boolean;
  docsUrl: string | null;
}

/** An account and mode. */
const MAX_ENDPOINTS = 16;

/** Another account's endpoint is `not_found`, one of the other mode `invalid_key`; a secret is shown when it is made, and never again. */
export function webhookEndpointRoutes(app: FastifyInstance, deps: WebhookEndpointDeps): void {
  const { database, vault } = deps;

  app.post(
    '/webhook_endpoints',
    { config: { operation: CREATE_WEBHOOK_ENDPOINT } },
    async (request): Promise<NewWebhookEndpointResource> => {
      const { url, events } = parseBody(CreateWebhookEndpointRequest, request.body);
      requireDeliverable(url, request, deps);
      const [id, secret] = [newId('WebhookEndpoint'), newSigningSecret()];
      const kept = { id, url, events, signingSecret: requireVault(vault).seal(secret, webhookSecretContext(id)) };
      const endpoint = await insertWebhookEndpoint(database, request.scope, kept, MAX_ENDPOINTS);
      if (endpoint === null) throw tooMany();
      return { ...resource(endpoint), signing_secret: secret };
    },
  );

  app.get(
    '/webhook_endpoints',
    { config: { operation: LIST_WEBHOOK_ENDPOINTS } },
    async (request): Promise<WebhookEndpointList> => {
      const page = pageRequest(parseQuery(PageQuery, request.query));
      const { items, hasMore } = pageFound(await listWebhookEndpoints(database, request.scope, page));
      return { webhook_endpoints: items.map(resource), has_more: hasMore };
    },
  );

  app.patch<IdRoute>(
    '/webhook_endpoints/:id',
    { config: { operation: CHANGE_WEBHOOK_ENDPOINT } },
    async (request): Promise<WebhookEndpointResource> => {
      const endpoint = await own(database, request);
      const change = parseBody(ChangeWebhookEndpointRequest, request.body);
      if (change.url !== undefined) requireDeliverable(change.url, request, deps);
      const changed = await changeWebhookEndpoint(database, endpoint.id, change);
      if (changed === null) throw notFound();
      return resource(changed);
    },
  );

  app.delete<IdRoute>(
    '/webhook_endpoints/:id',
    { config: { operation: DELETE_WEBHOOK_ENDPOINT } },
    async (request): Promise<DeletedWebhookEndpoint> => {
      const { id } = await own(database, request);
      await deleteWebhookEndpoint(database, id);
      return { webhook_endpoint_id: id, deleted: true };
    },
  );

  app.post<IdRoute>(
    '/webhook_endpoints/:id/roll_secret',
    { config: { operation: ROLL_WEBHOOK_SECRET } },
    async (request): Promise<NewWebhookEndpointResource> => {
      const endpoint = await own(database, request);
      const { expires_in_seconds } = parseBody(RollSecretRequest, request.body);
      const secret = newSigningSecret();
      const sealed = requireVault(vault).seal(secret, webhookSecretContext(endpoint.id));
      if (!(await rollWebhookSecret(database, endpoint.id, sealed, expires_in_seconds))) throw notFound();
      return { ...resource(endpoint), signing_secret: secret };
    },
  );

  app.post<IdRoute>(
    '/webhook_endpoints/:id/test',
    { config: { operation: SEND_TEST_EVENT } },
    async (request, reply) => {
      const endpoint = await own(database, request);
      const event = await insertTestEvent(database, request.scope, endpoint.id);
      return reply.type('application/json; charset=utf-8').send(eventJson(event, null, docsUrlOf(app, deps.docsUrl)));
    },
  );
}

function requireDeliverable(url: string, { scope }: FastifyRequest, { privateTargets }: WebhookEndpointDeps): void {
  if (!isDeliverable(url, scope.mode, privateTargets)) throw new ApiError('invalid_url', { param: 'url' });
}

function tooMany(): ApiError {
  return new ApiError('invalid_value', {
    message: `The account has ${MAX_ENDPOINTS} webhook endpoints in this mode, and no more: delete one first.`,
  });
}

function notFound(): ApiError {
  return new ApiError('not_found', {
    param: 'webhook_endpoint_id',
    message: 'No webhook endpoint of this account has that id.',
  });
}

async function own(database: Database, request: FastifyRequest<IdRoute>): Promise<WebhookEndpoint> {
  const id = parseId('WebhookEndpoint', request.params.id);
  const endpoint = id === null ? null : await findWebhookEndpoint(database, request.scope.accountId, id);
  if (endpoint === null) throw notFound();
  if (endpoint.mode !== request.scope.mode) throw new ApiError('invalid_key');
  return endpoint;
}

function resource(endpoint: WebhookEndpoint): WebhookEndpointResource {
  return {
    webhook_endpoint_id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    disabled: endpoint.disabled,
    created_at: endpoint.createdAt.toISOString(),
  };
}
