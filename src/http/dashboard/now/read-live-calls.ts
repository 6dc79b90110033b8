/** The live calls, as REST lists them. */
import type { CallResource } from '../../../contract/calls.ts';
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
