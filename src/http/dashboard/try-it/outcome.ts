/** The result of a test call, from the REST surface: the live call, its checkout's charge and its events. */
import type { z } from 'zod';
import type { CallResource } from '../../../contract/calls.ts';
import type { CheckoutSessionResource } from '../../../contract/resources.ts';
import type { EventList } from '../../api/routes/events.ts';
import type { Visit } from '../page/visit.ts';
import type { TestCall } from './ports.ts';

export interface TestCallFacts {
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
  const calls = visit.ask<{ calls: CallResource[] }>({ path: '/v1/calls', query: { ...query, limit: '1' } });
  const [
    {
      calls: [onLine = null],
    },
    session,
    { events },
  ] = await Promise.all([
    calls,
    call.state === 'running'
      ? null
      : visit.ask<CheckoutSessionResource>({ path: `/v1/checkout_sessions/${call.checkout.sessionId}` }),
    call.state === 'running' ? { events: [] } : visit.ask<z.infer<typeof EventList>>({ path: '/v1/events', query }),
  ]);
  return { onLine, session, events };
}
