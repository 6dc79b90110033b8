/** `/v1/alert_targets`: who gets messages about attention items of this mode, by email or in Slack. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isDeliverable } from '../../../accounts/merchants/order-source.ts';
import { addAlertTarget, editAlertTarget, removeAlertTarget, sendTestAlert } from '../../../alerts/manage.ts';
import { AlertTargetResource, alertTargetResource } from '../../../contract/alerts.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { findAlertTarget, listAlertTargets } from '../../../db/alerts/alert-targets.ts';
import type { Database } from '../../../db/pool.ts';
import { type AlertTarget, DEFAULT_ALERTS } from '../../../domain/alerts.ts';
import { parseId } from '../../../domain/ids.ts';
import type { Vault } from '../../../lib/vault/vault.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { targetsFor } from '../plugins/local-requests.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { alertSettingsOf, ChangeAlertTargetRequest, CreateAlertTargetRequest } from './alert-target-shapes.ts';

const TARGET: Need = { name: 'ALERT', operation: 'create_alert_target', field: 'alert_target_id' };
const TargetParams = z.object({
  id: field(z.string(), 'The target, `alert_…`.', 'alert_fcat7k2m9vqx4hdw6znt3cbyj8'),
});
const TARGET_EXAMPLE = { needs: [TARGET], params: { id: '$ALERT' } };

const CREATE_ALERT_TARGET = {
  id: 'create_alert_target',
  group: 'Attention',
  summary: 'Create an alert target',
  description: `Messages about [attention items](#list_attention_items) of this mode are sent to an email address or a Slack channel. A
message lists everything that opened or was resolved since the last one. At most one is sent a minute, and the same
problem is not reported again within 30 minutes. Failed messages are retried for a day. The first message lists what is
open now. An account can have up to 20 targets per mode, and create up to 50 with an email address per day; another one
returns \`invalid_value\`. For machines, use webhook endpoints with the events \`attention.opened\` and
\`attention.closed\`.`,
  request: CreateAlertTargetRequest,
  response: AlertTargetResource,
  answers: 'The target.',
  errors: ['invalid_url', 'not_configured'],
  example: { body: { email: 'operations@example.com', summary_hour: 8, time_zone: 'America/New_York' } },
} satisfies Operation;

const LIST_ALERT_TARGETS = {
  id: 'list_alert_targets',
  group: 'Attention',
  summary: 'List alert targets',
  description: 'Lists the alert targets of the account, newest first. Users’ own alerts are not listed.',
  query: PageQuery,
  response: listOf('alert_targets', AlertTargetResource),
  errors: [],
  example: {},
} satisfies ListOperation;

const CHANGE_ALERT_TARGET = {
  id: 'change_alert_target',
  group: 'Attention',
  summary: 'Update an alert target',
  description: `Fields that you omit keep their values. An email address cannot be changed: create another target. After a
change, a failing target is retried at once.`,
  params: TargetParams,
  request: ChangeAlertTargetRequest,
  response: AlertTargetResource,
  answers: 'The updated target.',
  errors: ['not_found', 'invalid_url', 'not_configured'],
  example: { ...TARGET_EXAMPLE, body: { urgent_only: true } },
} satisfies Operation;

const DELETE_ALERT_TARGET = {
  id: 'delete_alert_target',
  group: 'Attention',
  summary: 'Delete an alert target',
  description: 'Stops the messages to an alert target, and deletes its address.',
  params: TargetParams,
  response: z.object({
    alert_target_id: TargetParams.shape.id,
    deleted: field(z.literal(true), 'Always true. No more messages are sent to the target.', true),
  }),
  answers: 'The target is deleted.',
  errors: ['not_found'],
  example: TARGET_EXAMPLE,
} satisfies Operation;

const SEND_TEST_ALERT = {
  id: 'send_test_alert',
  group: 'Attention',
  summary: 'Send a test message',
  description: `Sends a test message to an alert target within seconds, once. \`last_message\` of the target then shows the
result.`,
  params: TargetParams,
  response: AlertTargetResource,
  answers: 'The target. The message will be sent now.',
  errors: ['not_found'],
  example: TARGET_EXAMPLE,
} satisfies Operation;

interface AlertTargetDeps {
  database: Database;
  vault: Vault | null;
  /** Channels in test mode can have private addresses. */
  privateTargets: boolean;
  /** Only local requests can set such URLs. */
  privateTargetsLocally?: boolean;
}

export function alertTargetRoutes(app: FastifyInstance, deps: AlertTargetDeps): void {
  const { database } = deps;

  addOperation(app, 'POST /alert_targets', CREATE_ALERT_TARGET, async ({ body }, request) => {
    const to = addressOf(body, request, deps);
    const settings = alertSettingsOf(body, { name: '', ...DEFAULT_ALERTS });
    return alertTargetResource(await addAlertTarget(deps, request.actor, request.scope, to, settings));
  });

  addList(app, 'GET /alert_targets', LIST_ALERT_TARGETS, alertTargetResource, ({ query }, { scope }) =>
    listAlertTargets(database, scope, pageRequest(query)),
  );

  addOperation(app, 'PATCH /alert_targets/:id', CHANGE_ALERT_TARGET, async (input, request) => {
    const before = await requireTarget(database, request, input.params.id);
    const { body } = input;
    const { slack_url: url } = body;
    if (url !== undefined) requireSlack(before, url, request, deps);
    return alertTargetResource(await editAlertTarget(deps, request.actor, before, alertSettingsOf(body, before), url));
  });

  addOperation(app, 'DELETE /alert_targets/:id', DELETE_ALERT_TARGET, async ({ params }, request) => {
    const target = await requireTarget(database, request, params.id);
    await removeAlertTarget(deps, request.actor, target);
    return { alert_target_id: target.id, deleted: true as const };
  });

  addOperation(app, 'POST /alert_targets/:id/test', SEND_TEST_ALERT, async ({ params }, request) => {
    const target = await requireTarget(database, request, params.id);
    await sendTestAlert(database, target);
    return alertTargetResource(await requireTarget(database, request, params.id));
  });
}

function addressOf(
  { email, slack_url: url }: z.infer<typeof CreateAlertTargetRequest>,
  request: FastifyRequest,
  deps: AlertTargetDeps,
): { email: string } | { slackUrl: string } {
  if (url !== undefined && email === undefined) {
    requireDeliverable(url, request, deps);
    return { slackUrl: url };
  }
  if (email !== undefined && url === undefined) return { email };
  throw new ApiError('invalid_value', { param: 'email', message: 'Send either `email` or `slack_url`.' });
}

function requireSlack({ channel }: AlertTarget, url: string, request: FastifyRequest, deps: AlertTargetDeps): void {
  if (channel !== 'slack') {
    throw new ApiError('invalid_value', { param: 'slack_url', message: 'Only targets in Slack have a `slack_url`.' });
  }
  requireDeliverable(url, request, deps);
}

/** @throws ApiError `invalid_url` */
function requireDeliverable(url: string, request: FastifyRequest, deps: AlertTargetDeps): void {
  const { privateTargets } = targetsFor(request, deps);
  if (!isDeliverable(url, request.scope.mode, privateTargets))
    throw new ApiError('invalid_url', { param: 'slack_url' });
}

/** @throws ApiError `not_found`, also for a target of the other mode, of another account, or of a user */
async function requireTarget(database: Database, { scope }: FastifyRequest, text: string): Promise<AlertTarget> {
  const id = parseId('AlertTarget', text);
  const found = id === null ? null : await findAlertTarget(database, scope, id);
  if (found !== null) return found;
  throw new ApiError('not_found', { message: 'No alert target of this account and mode has this ID.' });
}
