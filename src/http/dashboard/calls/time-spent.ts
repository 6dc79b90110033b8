/** Where the time of a call went: the line speaking, the caller keying, the processor, waiting. Pure. */
import { endOf, isAnswer, type Step, type TimedCall } from './story.ts';

/** What happens at a moment. `talk` stands for the first three in calls of earlier versions. */
export type Activity = 'answering' | 'speaking' | 'keying' | 'waiting' | 'talk' | 'processor' | 'returning' | 'agent';

export interface Spent {
  activity: Activity;
  ms: number;
}

const ACTIVITIES: readonly Activity[] = [
  'answering',
  'speaking',
  'keying',
  'waiting',
  'talk',
  'processor',
  'returning',
  'agent',
];

interface Change {
  atMs: number;
  activity: Activity;
}

/** In the order of {@link ACTIVITIES}, only those that took time. They add up to the duration of the call. */
export function timeSpent(call: TimedCall): Spent[] {
  const isTimed = call.timeline.some(({ said }) => said !== null);
  const changes = changesOf(call.timeline, isTimed);
  const endMs = endOf(call);
  const total = new Map<Activity, number>();
  for (const [at, { atMs, activity }] of changes.entries()) {
    const ms = Math.max(0, Math.min(changes[at + 1]?.atMs ?? endMs, endMs) - atMs);
    total.set(activity, (total.get(activity) ?? 0) + ms);
  }
  return ACTIVITIES.flatMap((activity) => {
    const ms = total.get(activity) ?? 0;
    return ms > 0 ? [{ activity, ms }] : [];
  });
}

/** By time. While a card is at the processor, and from the return on, what the line says does not count. */
function changesOf(timeline: readonly Step[], isTimed: boolean): Change[] {
  const changes: Change[] = [];
  let held: Activity | null = null;
  let latest: Step | null = null;
  for (const step of timeline) {
    const before = held;
    held = heldAfter(step, held);
    if (step.said !== null) latest = step;
    if (held !== null) changes.push({ atMs: step.at_ms, activity: held });
    else if (!isTimed) changes.push({ atMs: step.at_ms, activity: 'talk' });
    else if (step.said !== null) changes.push(...changesOfSentence(step, step.at_ms));
    // The sentence about an answer may have started before the answer is recorded.
    else if (before !== null) changes.push(...changesOfSentence(latest, step.at_ms));
  }
  return withoutOverlap(changes);
}

/** The activity that lasts until a step ends it. */
function heldAfter(step: Step, held: Activity | null): Activity | null {
  if (step.step === 'invite') return 'answering';
  if (step.step === 'charge') return 'processor';
  if (step.step === 'return') return 'returning';
  if (step.step === 'bridged') return 'agent';
  if (held === 'answering') return step.step === 'answered' ? null : held;
  if (held === 'processor') return isAnswer(step) || step.step.includes('elsewhere') ? null : held;
  return held;
}

/** @param fromMs the sentence and the answer count from then on */
function changesOfSentence(sentence: Step | null, fromMs: number): Change[] {
  const { said, answer_ms: answerMs } = sentence ?? { said: null, answer_ms: null };
  const untilMs = said === null ? fromMs : said.until_ms;
  const isSaid = untilMs === null || untilMs > fromMs;
  return [
    { atMs: fromMs, activity: isSaid ? 'speaking' : 'waiting' },
    ...(isSaid && untilMs !== null ? [{ atMs: untilMs, activity: 'waiting' as const }] : []),
    ...(answerMs === null ? [] : [{ atMs: Math.max(answerMs, untilMs ?? 0, fromMs), activity: 'keying' as const }]),
  ];
}

/** A sentence may have ended after the next step was recorded: then that step counts. */
function withoutOverlap(changes: readonly Change[]): Change[] {
  const kept: Change[] = [];
  let earliest = Number.POSITIVE_INFINITY;
  for (const change of changes.toReversed()) {
    if (change.atMs > earliest) continue;
    earliest = change.atMs;
    kept.push(change);
  }
  return kept.reverse();
}
