/** The calls behind a bar of the funnel: the filter of the list, and links to it. */
import { FUNNEL_STEPS, type FunnelStep } from '../../../domain/statistics.ts';
import type { CountedDays } from '../charges/counted.ts';
import { type Filter, searchOf } from '../list/filters.tsx';
import { overviewWords } from '../overview/words/index.ts';
import type { Visit } from '../page/visit.ts';
import { callWords } from './words/index.ts';

export function reachedFilter(): Filter {
  const { steps } = overviewWords();
  const choices = FUNNEL_STEPS.map((step) => [step, steps[step]] as const);
  return { kind: 'choice', name: 'reached', label: callWords().reached, choices };
}

/** The list of the calls that the funnel counts at a step. */
export const callsThatReached = ({ base }: Visit, { from, to, zone, merchantId }: CountedDays, step: FunnelStep) =>
  `${base}/calls${searchOf({ from, to, zone, reached: step, merchant_id: merchantId })}`;
