/** `GET /v1/audit_events`: who changed what in the account, and from where. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Operation } from '../reference/operation.ts';
import { PageQuery, pageRequest, requirePage } from '../pages.ts';
import { text } from '../text-schemas.ts';
import { parseQuery } from '../validation.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import { listAuditEvents } from '../../db/audit/audit-events.ts';
import type { Sql } from '../../db/pool.ts';
import { ACTOR_KINDS, AUDIT_ACTIONS, type AuditEvent } from '../../domain/audit.ts';

const OBJECT_EXAMPLE = 'mer_g83dnep6khxdgajgzbep2jsyz8';

export const AuditEventsQuery = PageQuery.extend({
  object: field(text(255).optional(), 'Only what was done to the thing with this id.', OBJECT_EXAMPLE),
  action: field(z.enum(AUDIT_ACTIONS).optional(), 'Only this kind of change.', 'merchant.changed'),
});

export const AuditEventResource = z
  .object({
    audit_event_id: field(z.string(), 'The entry, `aud_…`.', 'aud_r7y3k6m2pwd9zq4hxv8tn5bcje'),
    action: field(z.enum(AUDIT_ACTIONS), 'What was done.', 'merchant.changed'),
    object_type: field(z.string(), 'The kind of thing that it was done to: the first word of `action`.', 'merchant'),
    object_id: field(z.string(), 'The id of that thing.', OBJECT_EXAMPLE),
    changes: field(
      z.record(z.string(), z.unknown()),
      'What was set; where something was changed, `{"from": …, "to": …}` by field. Never a secret.',
      { business_name: { from: 'Bakery', to: 'Corner Bakery' } },
    ),
    actor: field(
      z.enum(ACTOR_KINDS),
      'Who did it: `key`, a request with an API key; `user`, somebody signed in to the dashboard; `demo`, one without, in the keyless demo; `command`, the command line; `system`, the service.',
      'key',
    ),
    actor_id: field(
      z.string().nullable(),
      "The key's or the user's id, or the name of the operating system's user who ran the command; else null.",
      'key_x6ueh4kxj94cewxy97eft8edv6',
    ),
    source: field(
      z.string().nullable(),
      'The address that the request came from, or the host that the command ran on; else null.',
      '203.0.113.7',
    ),
    request_id: field(
      z.string().nullable(),
      "The request, as in its answer's `X-Request-Id`; null where it was none.",
      'req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
    environment: FIELDS.environment.nullable().describe('Null for a change of the account as a whole.'),
    created_at: FIELDS.created_at,
  })
  .meta({ id: 'AuditEvent', description: 'A change, who made it, and from where.' });
export type AuditEventResource = z.infer<typeof AuditEventResource>;

export const AuditEventList = z.object({
  audit_events: field(z.array(AuditEventResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});

const LIST_AUDIT_EVENTS = {
  id: 'list_audit_events',
  group: 'Audit',
  summary: 'List changes, and who made them',
  description: `Newest first, of this mode and of the account as a whole: changes of keys, merchants, processors, webhook endpoints and the account, refunds,
settlements by hand, cards saved over REST, deletions, users of the dashboard and how they signed in, a charge that was called failed and paid after all; by requests, by the operator's commands, by the service itself. Nobody can change an entry; it is kept for a year.`,
  query: AuditEventsQuery,
  response: AuditEventList,
  answers: 'A page of the list.',
  errors: [],
  example: { query: { action: 'key.created', limit: '3' } },
} satisfies Operation;

export function auditEventRoute(app: FastifyInstance, { database }: { database: Sql }): void {
  addOperation(app, 'GET /audit_events', LIST_AUDIT_EVENTS, async (request) => {
    const query = parseQuery(AuditEventsQuery, request.query);
    const filter = { objectId: query.object ?? null, action: query.action ?? null };
    const page = requirePage(await listAuditEvents(database, request.scope, filter, pageRequest(query)));
    return { audit_events: page.items.map(auditEventResource), has_more: page.hasMore };
  });
}

function auditEventResource(event: AuditEvent): AuditEventResource {
  const { actor } = event;
  return {
    audit_event_id: event.id,
    action: event.action,
    object_type: event.action.split('.', 1)[0] ?? '',
    object_id: event.objectId,
    changes: event.changes,
    actor: actor.kind,
    actor_id: actor.id,
    source: actor.source,
    request_id: actor.requestId,
    environment: event.mode,
    created_at: event.createdAt.toISOString(),
  };
}
