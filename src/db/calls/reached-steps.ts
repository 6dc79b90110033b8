/** SQL: which steps of the funnel a call reached. The statistics count it, and the list of calls filters by it. */
import { COUNTED_STEPS, RETURN_STEP } from '../../domain/call.ts';
import { type FunnelStep, timelineStep } from '../../domain/statistics.ts';

/** SQL: the calls that the funnel counts. */
export const IS_COUNTED_CALL = 'calls.answered_at is not null and calls.ended_at is not null';

/** SQL: the steps of a row of `calls`. */
export const STEPS_OF_CALL = `coalesce(calls.steps, array(
  select distinct step from jsonb_to_recordset(calls.timeline) as of_call(step text)
   where step = '${RETURN_STEP}' or step in (${COUNTED_STEPS.map((step) => `'${step}'`).join(', ')}) order by step))`;

/**
 * SQL: whether the funnel counts a call at a step. The stored steps are a condition of their own, because it is that of
 * the indexes of rare steps (`calls_asked_…`), none of which has the timeline.
 */
export function hasReached(step: FunnelStep): string {
  const stored = timelineStep(step);
  if (stored === null) return IS_COUNTED_CALL;
  const isReached = `('${stored}' = any(calls.steps) or calls.steps is null)
    and (calls.steps is not null or '${stored}' = any(${STEPS_OF_CALL}))`;
  if (step === 'returned') return `${IS_COUNTED_CALL} and (${isReached} or calls.return_mode is not null)`;
  return `${IS_COUNTED_CALL} and ${isReached}`;
}
