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

/** @param pages how many pages of the list are read @returns a function that reads them */
export function liveCallsReader(visit: Visit, pages = 1): () => Promise<LiveCalls> {
  return async () => {
    const calls: CallResource[] = [];
    for (let page = 1; ; page += 1) {
      const query = { status: 'live', limit: MOST_SHOWN, starting_after: calls.at(-1)?.call_id };
      const answer = await visit.ask<{ calls: CallResource[]; has_more: boolean }>({ path: '/v1/calls', query });
      calls.push(...answer.calls);
      if (!answer.has_more || page === pages) return { calls, hasMore: answer.has_more };
    }
  };
}

interface LiveCallsSourceDeps<Live> {
  progress: Progress;
  read: () => Promise<Live>;
  render: (live: Live) => string;
}

/**
 * New calls are not announced, so the stream polls. Must be less than half of LOOK_LASTS_MS, after which the phone
 * assumes that the page is closed.
 */
const LOOK_MS = 2_000;

/** @typeParam Live the live calls, and what else is shown with them */
export function liveCallsSource<Live>(
  accountId: AccountId,
  { progress, read, render }: LiveCallsSourceDeps<Live>,
): LiveSource {
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
