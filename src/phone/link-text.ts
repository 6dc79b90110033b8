/** The effect `send_link`: has the pay link texted, and answers with the conversation's event, in bounded time. */

import type { CheckoutSession } from '../domain/session.ts';
import type { FlowEvent } from '../flow/types.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { PhoneDeps } from './deps.ts';

/** Less than the conversation waits for. */
const LIMIT_MS = 5_000;
const NOT_SENT: FlowEvent = { type: 'link', result: 'not_sent', reason: 'unavailable' };

/** Never rejects. */
export async function textLink(
  { links, log }: Pick<PhoneDeps, 'links' | 'log'>,
  { id, accountId, mode }: Pick<CheckoutSession, 'id' | 'accountId' | 'mode'>,
): Promise<FlowEvent> {
  const sending = links.send({ id, accountId, mode }).catch((error: unknown) => {
    log.error({ err: error, sessionId: id }, 'pay link could not be texted to a caller');
    return null;
  });
  const answer = await waitAtMost(LIMIT_MS, sending);
  if (answer === null) return NOT_SENT;
  return answer.result === 'expired' ? { type: 'refused', reason: 'expired' } : { type: 'link', ...answer };
}
