/** The calls that are on the line now, as REST lists them, with the names of their merchants. */
import type { CallResource } from '../../contract/calls.ts';
import type { MerchantResource } from '../../contract/merchants.ts';
import type { Visit } from '../visit.ts';

export interface LiveCalls {
  /** Newest first. */
  calls: readonly CallResource[];
  /** There are more of them than are shown. */
  hasMore: boolean;
  /** By merchant id. */
  merchantNames: Readonly<Record<string, string>>;
}

const MOST_SHOWN = '100';

/** @returns what reads them, again and again: a merchant is asked for once */
export function liveCallsReader(visit: Visit): () => Promise<LiveCalls> {
  const names = new Map<string, string>();
  const learnName = async (id: string) => {
    const answer = await visit.tryAsk<MerchantResource>({ path: `/v1/merchants/${encodeURIComponent(id)}` });
    if (answer.ok) names.set(id, answer.body.business_name);
  };
  return async () => {
    const query = { status: 'live', limit: MOST_SHOWN };
    const { calls, has_more } = await visit.ask<{ calls: CallResource[]; has_more: boolean }>({
      ...{ path: '/v1/calls', query },
    });
    // A caller who is still choosing among several has none.
    const merchants = [...new Set(calls.flatMap(({ merchant_id }) => merchant_id ?? []))];
    await Promise.all(merchants.filter((id) => !names.has(id)).map(learnName));
    const merchantNames = Object.fromEntries(merchants.map((id) => [id, names.get(id) ?? id]));
    return { calls, hasMore: has_more, merchantNames };
  };
}
