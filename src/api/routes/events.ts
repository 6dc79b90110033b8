/** `/v1/events`: what happened, newest first; and once more to the endpoints, please. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BaseLogger } from 'pino';
import { sessionNotFound } from '../../checkout/charge.ts';
import { ApiError } from '../../contract/errors.ts';
import { type CheckoutSessionId, parseId } from '../../domain/ids.ts';
import { bodiesOf, bodyWithoutData } from '../../outbox/bodies.ts';
import type { Sql } from '../../db/pool.ts';
import { findEvent, type LoggedEvent, listEvents } from '../../db/events/event-log.ts';
import { resendEvents } from '../../db/events/outbox.ts';
import { LIST_EVENTS, RESEND_EVENT } from '../operations/webhooks.ts';
import { type IdRoute, pageFound, pageRequest } from '../require-in-scope.ts';
import { docsUrlOf } from '../plugins/errors.ts';
import { ListEventsQuery } from '../schemas/events.ts';
import { parseQuery } from '../validation.ts';

export interface EventDeps {
  database: Sql;
  docsUrl: string | null;
}

/** The list never fails for an event that cannot be rendered: that one is shown without its data. */
export function eventRoutes(app: FastifyInstance, deps: EventDeps): void {
  const shown = (request: FastifyRequest, events: readonly LoggedEvent[]) =>
    shownBodies(deps.database, events, docsUrlOf(app, deps.docsUrl), request.log);

  app.get('/events', { config: { operation: LIST_EVENTS } }, async (request, reply) => {
    const query = parseQuery(ListEventsQuery, request.query);
    const filter = { type: query.type ?? null, sessionId: sessionOf(query.checkout_session_id) };
    const page = pageFound(await listEvents(deps.database, request.scope, filter, pageRequest(query)));
    const bodies = await shown(request, page.items);
    return sendJson(reply, `{"events":[${bodies.join(',')}],"has_more":${page.hasMore}}`);
  });

  app.post<IdRoute>('/events/:id/resend', { config: { operation: RESEND_EVENT } }, async (request, reply) => {
    const { scope } = request;
    const id = parseId('Event', request.params.id);
    const event = id === null ? null : await findEvent(deps.database, scope.accountId, id);
    if (event === null)
      throw new ApiError('not_found', { param: 'event_id', message: 'No event of this account has that id.' });
    if (event.mode !== scope.mode) throw new ApiError('invalid_key');
    const [body = ''] = await shown(request, [event]);
    await resendEvents(deps.database, [event.id]);
    return sendJson(reply, body);
  });
}

function sessionOf(text: string | undefined): CheckoutSessionId | null {
  if (text === undefined) return null;
  const id = parseId('CheckoutSession', text);
  if (id === null) throw sessionNotFound();
  return id;
}

/** Text, not objects: a session's metadata goes out as it came in. */
function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

/** Each as it is delivered; one that cannot be rendered without its data, so that it is no less known to have happened. */
async function shownBodies(
  sql: Sql,
  events: readonly LoggedEvent[],
  docsUrl: string,
  log: Pick<BaseLogger, 'error'>,
): Promise<string[]> {
  const { rendered, unrendered } = await bodiesOf(sql, events, docsUrl);
  for (const { eventId, error } of unrendered) log.error({ err: error, eventId }, 'event shown without its data');
  const bodies = new Map(rendered.map(({ id, body }) => [id, body]));
  return events.map((event) => bodies.get(event.id) ?? bodyWithoutData(event, docsUrl));
}
