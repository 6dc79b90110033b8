/** Reads the newest activity of a caller over REST. */
import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { ListedSessionResource } from '../../../contract/listed-sessions.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import type { TextResource } from '../../../contract/texts.ts';
import type { Visit } from '../page/visit.ts';

/** The lists, which the page links to, have all. */
export const SHOWN = 10;
/** Each takes a request. */
const MOST_REFUNDED = 10;

interface CallerActivity {
  checkouts: readonly ListedSessionResource[];
  charges: readonly ListedChargeResource[];
  refunds: readonly RefundResource[];
  calls: readonly CallResource[];
  texts: readonly TextResource[];
}

export async function readCallerActivity(visit: Visit, phone: string): Promise<CallerActivity> {
  const query = { caller_phone: phone, limit: String(SHOWN) };
  const [{ checkout_sessions: checkouts }, { charges }, { calls }, { texts }] = await Promise.all([
    visit.ask<{ checkout_sessions: ListedSessionResource[] }>({
      path: '/v1/checkout_sessions',
      query: { ...query, status: 'open' },
    }),
    visit.ask<{ charges: ListedChargeResource[] }>({ path: '/v1/charges', query }),
    visit.ask<{ calls: CallResource[] }>({ path: '/v1/calls', query }),
    visit.ask<{ texts: TextResource[] }>({ path: '/v1/texts', query }),
  ]);
  const refunded = charges.filter(({ refunded_cents: cents }) => cents > 0).slice(0, MOST_REFUNDED);
  const refunds = await Promise.all(
    refunded.map(({ charge_id: charge }) =>
      visit.ask<{ refunds: RefundResource[] }>({ path: '/v1/refunds', query: { charge, limit: String(SHOWN) } }),
    ),
  );
  const newestFirst = refunds
    .flatMap((each) => each.refunds)
    .sort((one, other) => other.created_at.localeCompare(one.created_at));
  return { checkouts, charges, calls, texts, refunds: newestFirst };
}
