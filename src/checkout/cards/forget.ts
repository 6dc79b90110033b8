/**
 * Removes deleted cards at their processors, with retries until they confirm it. Several processes can do this at once.
 */

import { claimRemovals, type DueRemoval, settleRemoval } from '../../db/cards/removals.ts';
import type { Sql } from '../../db/pool.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import type { Log } from '../../lib/observability/log.ts';
import { openHandle } from '../../lib/vault/vault.ts';
import { credentialsOf, type PaymentDeps } from '../../payments/shared/deps.ts';

interface ForgetDeps extends Pick<PaymentDeps, 'processors' | 'credentialsFor' | 'vault'> {
  database: Sql;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

const BATCH = 20;
const PROCESSOR_LIMIT_MS = 15_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DELAYS_MS: readonly number[] = [5_000, 30_000, 5 * MINUTE, HOUR, 6 * HOUR];
/** About a month. A merchant who has not reconnected the processor by then never will. */
const MAX_ATTEMPTS = 120;

/**
 * Removes one batch.
 * @returns whether there may be more
 */
export async function forgetDueCards(deps: ForgetDeps, stop: AbortSignal): Promise<{ more: boolean }> {
  const due = await claimRemovals(deps.database, BATCH, DELAYS_MS);
  for (const result of await Promise.allSettled(due.map((removal) => forgetCard(deps, removal, stop)))) {
    if (result.status === 'rejected')
      deps.log.warn({ err: result.reason }, 'deleted card not removed at the processor, will retry');
  }
  return { more: due.length === BATCH };
}

async function forgetCard(deps: ForgetDeps, removal: DueRemoval, stop: AbortSignal): Promise<void> {
  const { id: instrumentId, processor, attempt } = removal;
  const result = await askWallet(deps, removal, stop);
  if (result === 'gone') {
    await settleRemoval(deps.database, removal.removalId, 'gone');
    deps.log.info({ instrumentId, processor, attempt }, 'deleted card removed at the processor');
  } else if (attempt >= MAX_ATTEMPTS) {
    await settleRemoval(deps.database, removal.removalId, 'given_up');
    deps.log.error(
      { instrumentId, processor, attempt, result },
      'removal of a deleted card given up: remove the card at the processor yourself',
    );
  } else {
    deps.log.warn({ instrumentId, processor, attempt, result }, 'deleted card is still at the processor');
  }
}

/** @returns `gone`, or the reason of the failure */
async function askWallet(deps: ForgetDeps, removal: DueRemoval, stop: AbortSignal): Promise<string> {
  const processor = deps.processors.find(({ name }) => name === removal.processor);
  const wallet = processor?.wallet ?? null;
  if (processor === undefined || wallet === null) return 'no wallet';
  const handle = openHandle(deps.vault ?? null, removal);
  if (handle === null) return 'handle unreadable';
  const credentials = removal.isElsewhere ? null : await credentialsOf(deps, processor, removal);
  if (credentials === null) return 'no credentials';
  const request = { handle, mode: removal.mode, credentials };
  return (await withinLimit(PROCESSOR_LIMIT_MS, (signal) => wallet.forget(request, signal), stop)).status;
}
