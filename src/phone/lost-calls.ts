/** Closes the calls of phone processes that have died, and hangs up those that the SIP server still holds. */
import type { CheckoutSessionId } from '../domain/ids.ts';
import { closeLostCalls } from '../db/calls/process-leases.ts';
import type { PhoneDeps } from './deps.ts';

/** @param sessionId look at this session's call only. @returns how many calls were closed */
export async function endLostCalls(
  { sql, lease, edge, log }: Pick<PhoneDeps, 'sql' | 'lease' | 'edge' | 'log'>,
  sessionId: CheckoutSessionId | null = null,
): Promise<number> {
  const lost = await closeLostCalls(sql, lease, sessionId);
  if (lost.length === 0) return 0;
  log.warn({ calls: lost.map(({ id }) => id) }, 'calls of a dead process closed');
  edge.endDialogs(lost.flatMap(({ sipDialogs }) => sipDialogs));
  return lost.length;
}
