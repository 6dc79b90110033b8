/** The live parts of a test call's page: the facts from REST, and one event for each part, then `over`. */

import type { z } from 'zod';
import type { CallResource } from '../../../contract/calls.ts';
import type { CheckoutSessionResource } from '../../../contract/session-resource.ts';
import type { CheckoutSessionId } from '../../../domain/ids.ts';
import type { Progress } from '../../../notifications/progress/ports.ts';
import type { EventList } from '../../api/routes/events.ts';
import type { LiveSource } from '../page/live-streams.ts';
import type { Visit } from '../page/visit.ts';
import type { TestCall } from './ports.ts';

export interface TestCallFacts {
  /** Whether the call had ended when the facts were read. It may end while the page is rendered. */
  isOver: boolean;
  /** The latest call of the checkout; null before it is live. */
  onLine: CallResource | null;
  /** Null while the call runs. */
  session: CheckoutSessionResource | null;
  /** Newest first; empty while the call runs. */
  events: z.infer<typeof EventList>['events'];
}

/** @throws DashboardFault */
export async function readTestCallFacts(visit: Visit, call: TestCall): Promise<TestCallFacts> {
  const query = { checkout_session_id: call.checkout.sessionId };
  const isOver = call.state !== 'running';
  const calls = visit.ask<{ calls: CallResource[] }>({ path: '/v1/calls', query: { ...query, limit: '1' } });
  const [
    {
      calls: [onLine = null],
    },
    session,
    { events },
  ] = await Promise.all([
    calls,
    isOver ? visit.ask<CheckoutSessionResource>({ path: `/v1/checkout_sessions/${call.checkout.sessionId}` }) : null,
    isOver ? visit.ask<z.infer<typeof EventList>>({ path: '/v1/events', query }) : { events: [] },
  ]);
  return { isOver, onLine, session, events };
}

interface TestCallSourceDeps {
  progress: Pick<Progress, 'subscribe'>;
  /** Renders the parts as they are now: HTML by the names of the events. */
  render: () => Promise<Readonly<Record<string, string>>>;
}

export const testCallSource = (call: TestCall, { progress, render }: TestCallSourceDeps): LiveSource => ({
  async update(send, end) {
    // Read before rendering: later changes are rendered again.
    const isOver = call.state !== 'running';
    for (const [name, html] of Object.entries(await render())) send(name, html);
    if (!isOver) return;
    send('over', 'over');
    end();
  },
  watch(wake) {
    const stops = [call.watch(wake), progress.subscribe(call.checkout.sessionId as CheckoutSessionId, wake)];
    return () => {
      for (const stop of stops) stop();
    };
  },
});
