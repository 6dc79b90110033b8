/** `GET /v1/audit_events`: changes in the account, who made them, and from where. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { FIELDS, field } from '../../../contract/fields.ts';
import { listAuditEvents } from '../../../db/audit/audit-events.ts';
import type { Sql } from '../../../db/pool.ts';
import { ACTOR_KINDS, AUDIT_ACTIONS, type AuditEvent } from '../../../domain/audit.ts';
import { TIME_FILTERS, timeRange } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { text } from '../text-schemas.ts';

const OBJECT_EXAMPLE = 'mer_g83dnep6khxdgajgzbep2jsyz8';

const AuditEventsQuery = PageQuery.extend({
  ...TIME_FILTERS,
  object: field(text(255).optional(), 'Only changes to the object with this ID.', OBJECT_EXAMPLE),
  action: field(z.enum(AUDIT_ACTIONS).optional(), 'Only this kind of change.', 'merchant.changed'),
});

export const AuditEventResource = z
  .object({
    audit_event_id: field(z.string(), 'The entry, `aud_…`.', 'aud_r7y3k6m2pwd9zq4hxv8tn5bcje'),
    action: field(z.enum(AUDIT_ACTIONS), 'The kind of change.', 'merchant.changed'),
    object_type: field(z.string(), 'The type of the changed object: the first word of `action`.', 'merchant'),
    object_id: field(z.string(), 'The ID of the changed object.', OBJECT_EXAMPLE),
    object_name: field(
      z.string().nullable(),
      'The present name of the merchant, for a change to a merchant. Otherwise null.',
      'Corner Bakery',
    ),
    changes: field(
      z.record(z.string(), z.unknown()),
      'The values that were set. For changed fields, `{"from": …, "to": …}` by field. Never contains a secret.',
      { business_name: { from: 'Bakery', to: 'Corner Bakery' } },
    ),
    actor: field(
      z.enum(ACTOR_KINDS),
      'Who made the change: `key`, a request with an API key; `user`, a user of the dashboard; `demo`, a visitor of the keyless demo; `command`, the command line; `system`, the service.',
      'key',
    ),
    actor_id: field(
      z.string().nullable(),
      "The ID of the key or user, or the name of the operating system's user who ran the command. Otherwise null.",
      'key_x6ueh4kxj94cewxy97eft8edv6',
    ),
    source: field(
      z.string().nullable(),
      'The IP address of the request, or the host on which the command ran. Otherwise null.',
      '203.0.113.7',
    ),
    request_id: field(
      z.string().nullable(),
      "The request ID, as in the answer's `X-Request-Id`. Null if the change was not made by a request.",
      'req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
    environment: FIELDS.environment.nullable().describe('Null for a change that applies to the whole account.'),
    created_at: FIELDS.created_at,
  })
  .meta({ id: 'AuditEvent', description: 'A change: who made it, and from where.' });
export type AuditEventResource = z.infer<typeof AuditEventResource>;

export const AuditEventList = listOf('audit_events', AuditEventResource);

const LIST_AUDIT_EVENTS = {
  id: 'list_audit_events',
  group: 'Audit',
  summary: 'List audit events',
  description: `Lists the changes in this mode and to the whole account, newest first. It covers keys, merchants, processors,
webhook endpoints, the account, refunds, manual settlements, cards saved through the API, deletions, and dashboard
users and their sign-ins. It also has charges that were reported as failed and later found to be paid, and who
acknowledged them. A change can
come from a request, an operator's command or the service itself. Entries cannot be changed and are kept for one
year.`,
  query: AuditEventsQuery,
  response: AuditEventList,
  errors: [],
  example: { query: { action: 'key.created', limit: '3' } },
} satisfies ListOperation;

export function auditEventRoute(app: FastifyInstance, { database }: { database: Sql }): void {
  addList(app, 'GET /audit_events', LIST_AUDIT_EVENTS, auditEventResource, async ({ query }, { scope }) => {
    const filter = { ...timeRange(query), objectId: query.object ?? null, action: query.action ?? null };
    return listAuditEvents(database, scope, filter, pageRequest(query));
  });
}

function auditEventResource(event: AuditEvent): AuditEventResource {
  const { actor } = event;
  return {
    audit_event_id: event.id,
    action: event.action,
    object_type: event.action.split('.', 1)[0] ?? '',
    object_id: event.objectId,
    object_name: event.objectName,
    changes: event.changes,
    actor: actor.kind,
    actor_id: actor.id,
    source: actor.source,
    request_id: actor.requestId,
    environment: event.mode,
    created_at: event.createdAt.toISOString(),
  };
}
