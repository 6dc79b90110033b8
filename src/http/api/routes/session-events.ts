/** `GET /v1/checkout_sessions/{id}/events`: the progress of the session's calls, as server-sent events. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sessionIdOf, sessionNotFound } from '../../../checkout/charge.ts';
import { callEventResource } from '../../../contract/call-events.ts';
import { ofOtherMode } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { statusOf } from '../../../contract/session-resource.ts';
import { findEndedCall } from '../../../db/calls/call-lists.ts';
import type { Database } from '../../../db/pool.ts';
import type { Checkouts } from '../../../db/sessions/batched-checkouts.ts';
import type { CheckoutReading } from '../../../db/sessions/checkouts.ts';
import { type CallEvent, FIRST_AFTER_LOSS } from '../../../domain/call-progress.ts';
import { type AccountId, endEventIdOf } from '../../../domain/ids.ts';
import { createRerunner } from '../../../lib/concurrency/run-again.ts';
import type { CallProgress, Progress } from '../../../notifications/progress/ports.ts';
import { type EventStream, EventStreams, sendEventStream } from '../event-streams.ts';
import type { RecentCallEvents } from '../recent-call-events.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { OPEN_SESSION } from './create-checkout.ts';

/** Open streams of an account in this process. */
const MAX_STREAMS = 200;

const StreamHeaders = z.object({
  'Last-Event-ID': field(
    z.string().optional(),
    'The `id` of the last event that you have got. The stream then starts with the events after it, if they are a few minutes old at most. `EventSource` sends it by itself.',
    'evt_p8a8yfh2n8m5xf373fkkibj7j8',
  ),
});

const STREAM_SESSION_EVENTS = {
  id: 'stream_session_events',
  group: 'Calls',
  scope: 'agent',
  summary: 'Follow a call',
  description: `Sends what happens on the session's calls while it happens, as server-sent events: \`call.answered\`, \`call.step\`,
\`call.returned\` and \`call.ended\`, in order. An agent that stays on the line knows when to be silent, and a platform
can pause its recording. An event never contains what the caller enters, nor how many digits.

- \`event\` is the type, \`id\` the ID of the event, and \`data\` the same JSON as the body of a webhook (\`CallEvent\`).
- A comment every 15 seconds keeps the connection open. After an hour the stream ends: connect again.
- The stream ends once the session is paid or expired and its call is over. A client that connects after that gets 204,
and \`EventSource\` then stops.
- Events are hints. They can be lost, and they are not stored: the outcome is in the session and in the webhooks.
- A client that connects again with \`Last-Event-ID\` after the call is over gets \`call.ended\`, if it has not got it,
even if the process that had the call was restarted.
- An account can have 200 streams in a process. Another one gets 429 with \`Retry-After\` and an empty body.`,
  params: z.object({ checkout_session_id: FIELDS.checkout_session_id }),
  headers: StreamHeaders,
  response: field(
    z.string(),
    'Server-sent events (HTML Standard, 9.2).',
    'id: evt_p8a8yfh2n8m5xf373fkkibj7j8\nevent: call.step\ndata: {"id":"evt_p8a8yfh2n8m5xf373fkkibj7j8","type":"call.step"}\n\n',
  ),
  isStream: true,
  answers: 'The events, until the stream ends. 204 if none will come.',
  errors: ['session_not_found'],
  keepsNoAnswer: true,
  example: { needs: [OPEN_SESSION], params: { checkout_session_id: '$SESSION' } },
} satisfies Operation;

interface SessionEventsDeps {
  database: Database;
  checkouts: Pick<Checkouts, 'read'>;
  progress: Pick<Progress, 'subscribe'> & Pick<CallProgress, 'subscribeCalls'>;
  recent: RecentCallEvents;
  streams: EventStreams<AccountId>;
}

export const createSessionStreams = (): EventStreams<AccountId> =>
  new EventStreams({ longestMs: 60 * 60_000, againMs: 3_000, maxUnreadBytes: 64 * 1024, maxStreams: MAX_STREAMS });

export function sessionEventsRoute(app: FastifyInstance, deps: SessionEventsDeps): void {
  const route = 'GET /checkout_sessions/:checkout_session_id/events';
  addOperation(app, route, STREAM_SESSION_EVENTS, async ({ params }, request, reply) => {
    const { accountId, mode } = request.scope;
    const id = sessionIdOf(params.checkout_session_id);
    const read = () => deps.checkouts.read({ accountId, id });
    const reading = await read();
    if (reading === null) throw sessionNotFound();
    if (reading.session.mode !== mode) throw ofOtherMode(mode);
    const lastId = request.headers['last-event-id'];
    const missed = typeof lastId === 'string' ? await missedSince(deps, reading, lastId) : [];
    if (isOver(reading) && missed.length === 0) return reply.code(204).send();
    const stream = deps.streams.open(accountId, (events) => {
      for (const event of missed) events.write(frameOf(event));
      return follow(deps, id, events, async () => isOver(await read()));
    });
    return sendEventStream(reply, stream);
  });
}

/**
 * The events after one that the client has got. The process that knew them may be gone: the end of the last call is then
 * read from the database.
 */
async function missedSince(
  { recent, database }: Pick<SessionEventsDeps, 'recent' | 'database'>,
  { session }: CheckoutReading,
  lastId: string,
): Promise<readonly CallEvent[]> {
  const missed = recent.after(session.id, lastId);
  const call = await findEndedCall(database, session.id);
  const { accountId, mode, platformCallId, merchantId } = session;
  if (call === null || merchantId === null) return missed;
  const id = endEventIdOf(call.id);
  if (lastId === id || missed.some((event) => event.id === id)) return missed;
  const end: CallEvent = {
    id,
    type: 'call.ended',
    at: call.endedAt.toISOString(),
    sequence: FIRST_AFTER_LOSS + 1,
    accountId,
    mode,
    callId: call.id,
    sessionId: session.id,
    merchantId,
    platformCallId,
    step: null,
    returnRoute: null,
    outcome: { kind: call.outcome, reason: call.reason, chargeId: call.chargeId },
  };
  return [...missed, end];
}

/** Writes the session's events, and ends the stream when no more will come. @returns a function that stops it */
function follow(
  { progress }: Pick<SessionEventsDeps, 'progress'>,
  id: CallEvent['sessionId'],
  events: EventStream,
  isAtEnd: () => Promise<boolean>,
): () => void {
  // If the database does not answer, the next message asks again, and the stream has a longest time.
  const ending = createRerunner(async () => void ((await isAtEnd().catch(() => false)) && events.end()));
  const stopCalls = progress.subscribeCalls((event) => {
    if (event.sessionId === id) events.write(frameOf(event));
  });
  const stopNews = progress.subscribe(id, () => ending.wake(), performance.now());
  ending.wake();
  return () => {
    stopCalls();
    stopNews();
    void ending.close();
  };
}

/** The session can no longer be paid, and no call is live. */
function isOver(reading: CheckoutReading | null): boolean {
  return reading === null || (statusOf(reading) !== 'open' && reading.lastCall?.isLive !== true);
}

const frameOf = (event: CallEvent) =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(callEventResource(event))}\n\n`;
