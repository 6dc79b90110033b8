/**
 * The live calls, read from REST, and their event stream. Redis messages only wake the stream: the data is read from
 * REST.
 */

import type { CallResource } from '../../../contract/calls.ts';
import type { AccountId } from '../../../domain/ids.ts';
import type { Progress } from '../../../notifications/progress/ports.ts';
import type { LiveSource } from '../page/live-streams.ts';
import type { Visit } from '../page/visit.ts';

export interface LiveCalls {
  /** Newest first. */
  calls: readonly CallResource[];
  /** Whether there are more than these. */
  hasMore: boolean;
}

const MOST_SHOWN = '100';

/** @returns a function that reads them */
export function liveCallsReader(visit: Visit): () => Promise<LiveCalls> {
  return async () => {
    const query = { status: 'live', limit: MOST_SHOWN };
    const { calls, has_more } = await visit.ask<{ calls: CallResource[]; has_more: boolean }>({
      path: '/v1/calls',
      query,
    });
    return { calls, hasMore: has_more };
  };
}

interface LiveCallsSourceDeps {
  progress: Progress;
  read: () => Promise<LiveCalls>;
  render: (calls: LiveCalls) => string;
}

/**
 * New calls are not announced, so the stream polls. Must be less than half of LOOK_LASTS_MS, after which the phone
 * assumes that the page is closed.
 */
const LOOK_MS = 2_000;

export function liveCallsSource(accountId: AccountId, { progress, read, render }: LiveCallsSourceDeps): LiveSource {
  let sent = '';
  return {
    async update(send) {
      const calls = await read();
      // Compares the data, because the HTML contains durations.
      const facts = JSON.stringify(calls);
      if (facts === sent) return;
      sent = facts;
      send('calls', render(calls));
    },
    watch(wake) {
      const look = () => {
        progress.publish(accountId, 'calls_watched');
        wake();
      };
      const timer = setInterval(look, LOOK_MS);
      const stop = progress.subscribe(accountId, (news) => {
        if (news !== 'calls_watched') wake();
      });
      look();
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}
