/**
 * Ends calls of this process that a user of their account has asked to end. The rows say which. News over Redis only
 * say when to look; without news, this looks every two seconds,
 * if there are calls.
 */

import { findEndRequests } from '../db/calls/calls.ts';
import type { CallId } from '../domain/ids.ts';
import { createRerunner, type Rerunner } from '../lib/concurrency/run-again.ts';
import { phoneProcess } from '../notifications/progress/ports.ts';
import type { PhoneDeps } from './deps.ts';

const LOOK_MS = 2_000;

type Deps = Pick<PhoneDeps, 'sql' | 'lease' | 'progress' | 'log'>;

/**
 * Looks from now on.
 * @param hasCalls whether this process has calls
 * @param end called again for a call until it has ended
 * @returns a function that stops looking
 */
export function watchEndRequests(
  deps: Deps,
  hasCalls: () => boolean,
  end: (calls: readonly CallId[]) => void,
): () => Promise<void> {
  const looker: Rerunner = createRerunner(() => look(deps, end));
  const stopHearing = deps.progress.subscribe(phoneProcess(deps.lease.id), () => looker.wake());
  const timer = setInterval(() => hasCalls() && looker.wake(), LOOK_MS);
  return () => {
    clearInterval(timer);
    stopHearing();
    return looker.close();
  };
}

async function look({ sql, lease, log }: Deps, end: (calls: readonly CallId[]) => void): Promise<void> {
  if (!lease.held) return;
  try {
    end(await findEndRequests(sql, lease.id));
  } catch (error) {
    log.warn({ err: error }, 'could not look for calls to end');
  }
}
