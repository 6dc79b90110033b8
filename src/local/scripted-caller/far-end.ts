/**
 * Whether the far end of a call is still there. A program that was killed sends no BYE, so the call would last until the
 * caller gives up. One that only says nothing answers OPTIONS in the dialog, in any way (RFC 3261 11).
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Dialog } from '../softswitch/sip/index.ts';

export interface FarEndChecks {
  /** Time without audio before each check. */
  silentMs: number;
  /** How long an answer to OPTIONS may take. It is repeated meanwhile. */
  answerMs: number;
}

/** Ends a call about 15 s after its far end is gone. */
export const FAR_END_CHECKS: FarEndChecks = { silentMs: 5_000, answerMs: 10_000 };

/** The end of the words about such a call. */
export const NO_LONGER_ANSWERS = 'no longer answers';

const NOT_FOUND = 481;
const TIMED_OUT = 408;

/**
 * Checks the far end of a call until the call ends.
 * @param heardAtMs when the last audio arrived, by `performance.now()`
 * @param closing ends the checks
 * @returns true if the far end sends neither audio nor an answer; false if the call ended otherwise
 */
export async function checkFarEnd(
  dialog: Dialog,
  checks: FarEndChecks,
  heardAtMs: () => number,
  closing: AbortSignal,
): Promise<boolean> {
  const ended = new AbortController();
  dialog.once('ended', () => ended.abort());
  const signal = AbortSignal.any([ended.signal, closing]);
  try {
    while (!(await isGone(dialog, checks, heardAtMs, signal)));
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** One check. @throws AbortError by `signal` */
async function isGone(
  dialog: Dialog,
  { silentMs, answerMs }: FarEndChecks,
  heardAtMs: () => number,
  signal: AbortSignal,
): Promise<boolean> {
  await delay(silentMs, undefined, { signal });
  const checkedAtMs = performance.now();
  if (checkedAtMs - heardAtMs() < silentMs) return false;
  const answered = new AbortController();
  const limit = delay(answerMs, undefined, { signal: AbortSignal.any([signal, answered.signal]) });
  const answer = await Promise.race([dialog.request({ method: 'OPTIONS' }).final, limit]);
  answered.abort();
  const isUnanswered = answer === undefined || answer.status === TIMED_OUT || answer.status === NOT_FOUND;
  return isUnanswered && heardAtMs() < checkedAtMs;
}
