/** Calls whose process has died: closed in the record, and hung up where the SIP edge still holds them. */
import type { CheckoutSessionId } from '../domain/ids.ts';
import { closeLostCalls } from '../db/calls/process-leases.ts';
import type { PhoneDeps } from './deps.ts';

/** @param sessionId look at this session's call only. @returns how many calls were closed */
export async function endLostCalls(
  { sql, life, edge, log }: Pick<PhoneDeps, 'sql' | 'life' | 'edge' | 'log'>,
  sessionId: CheckoutSessionId | null = null,
): Promise<number> {
  const lost = await closeLostCalls(sql, life, sessionId);
  if (lost.length === 0) return 0;
  log.warn({ calls: lost.map(({ id }) => id) }, 'calls of a dead process closed');
  edge.endDialogs(lost.flatMap(({ sipDialogs }) => sipDialogs));
  return lost.length;
}
