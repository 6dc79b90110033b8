/** `/v1/events`: what happened, newest first; and once more to the endpoints, please. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sessionNotFound } from '../../checkout/charge.ts';
import { ApiError } from '../../domain/errors.ts';
import { type CheckoutSessionId, parseId } from '../../domain/ids.ts';
import { eventJson } from '../../notify/event-body.ts';
import { readCheckouts } from '../../store/checkouts.ts';
import type { Sql } from '../../store/database.ts';
import { askForResend, findEvent, type LoggedEvent, listEvents } from '../../store/event-log.ts';
import { LIST_EVENTS, RESEND_EVENT } from '../operations/webhooks.ts';
import { type IdRoute, pageFound, pageRequest } from '../own.ts';
import { docsUrlOf } from '../plugins/errors.ts';
import { ListEventsQuery } from '../schemas/events.ts';
import { parseBody } from '../validation.ts';

export interface EventDeps {
  database: Sql;
  docsUrl: string | null;
}

export function eventRoutes(app: FastifyInstance, deps: EventDeps): void {
  const bodiesOf = (events: readonly LoggedEvent[]) => eventBodies(deps.database, events, docsUrlOf(app, deps.docsUrl));

  app.get('/events', { config: { operation: LIST_EVENTS } }, async (request, reply) => {
    const query = parseBody(ListEventsQuery, request.query);
    const filter = { type: query.type ?? null, sessionId: sessionOf(query.checkout_session_id) };
    const page = pageFound(await listEvents(deps.database, request.scope, filter, pageRequest(query)));
    const bodies = await bodiesOf(page.items);
    return sendJson(reply, `{"events":[${bodies.join(',')}],"has_more":${page.hasMore}}`);
  });

  app.post<IdRoute>('/events/:id/resend', { config: { operation: RESEND_EVENT } }, async (request, reply) => {
    const { scope } = request;
    const id = parseId('Event', request.params.id);
    const event = id === null ? null : await findEvent(deps.database, scope.accountId, id);
    if (event === null)
      throw new ApiError('not_found', { param: 'event_id', message: 'No event of this account has that id.' });
    if (event.mode !== scope.mode) throw new ApiError('invalid_key');
    const [body = ''] = await bodiesOf([event]);
    await askForResend(deps.database, event.id);
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

/** What was delivered, byte for byte; of an event that the relay has not come to yet, what it is about to deliver. */
async function eventBodies(sql: Sql, events: readonly LoggedEvent[], docsUrl: string): Promise<string[]> {
  const fresh = events.filter(({ body }) => body === null);
  const ids = [...new Set(fresh.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId])))];
  const [first] = events;
  const sessions = first === undefined || ids.length === 0 ? [] : await readCheckouts(sql, [first.accountId], ids);
  const byId = new Map(sessions.map((reading) => [reading.session.id, reading]));
  return events.map((event) => {
    if (event.body !== null) return event.body;
    return eventJson(event, event.sessionId === null ? null : (byId.get(event.sessionId) ?? null), docsUrl);
  });
}
