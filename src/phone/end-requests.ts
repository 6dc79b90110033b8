/**
 * The calls of this process that somebody of their account ends. The rows say which; news over Redis only say when to
 * look, and without any it is looked every two seconds.
 */

import { findEndRequests } from '../db/calls/end-requests.ts';
import type { CallId } from '../domain/ids.ts';
import { createRerunner, type Rerunner } from '../lib/concurrency/run-again.ts';
import { phoneProcess } from '../notifications/progress/ports.ts';
import type { PhoneDeps } from './deps.ts';

const LOOK_MS = 2_000;

type Deps = Pick<PhoneDeps, 'sql' | 'lease' | 'progress' | 'log'>;

/** Looks from now on. @param end told again of a call for as long as it is on the line @returns what stops it */
export function watchEndRequests(deps: Deps, end: (calls: readonly CallId[]) => void): () => Promise<void> {
  const looker: Rerunner = createRerunner(() => look(deps, end));
  const stopHearing = deps.progress.subscribe(phoneProcess(deps.lease.id), () => looker.wake());
  const timer = setInterval(() => looker.wake(), LOOK_MS);
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
