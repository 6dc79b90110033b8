/** The timeline of a call in chapters: a question and its answer, a charge, the return to the agent. Pure. */
import type { CallWithTimelineResource } from '../../../contract/calls.ts';
import { RETURN_STEP } from '../../../domain/call.ts';

export type Step = CallWithTimelineResource['timeline'][number];
export type TimedCall = Pick<CallWithTimelineResource, 'timeline' | 'status' | 'created_at' | 'ended_at'>;

type ChapterKind = 'start' | 'question' | 'charge' | 'link' | 'elsewhere' | 'outcome' | 'return' | 'agent' | 'end';

export interface Chapter {
  kind: ChapterKind;
  /** Of a question: `card_number`, `merchant`. Otherwise the first word of the step that starts the chapter. */
  subject: string;
  /** In order. Never empty. */
  steps: Step[];
  /** Milliseconds since the INVITE. */
  fromMs: number;
  untilMs: number;
}

/** The last sentences of a call, by the first word of their step. */
const OUTCOMES: ReadonlySet<string> = new Set([
  'succeeded',
  'debited',
  'paid_elsewhere',
  'unconfirmed',
  'still_confirming',
  'gave_up',
  'canceled',
  'call_ended',
  'link_stays',
  'expired',
  'already_paid',
  'already_held',
  'too_many_attempts',
  'unavailable',
  'merchant_fault',
  'keypad_unavailable',
  'session_not_taken',
  'choice_left',
]);
/** Answers to a charge. They may be recorded after the next sentence has started. */
const ANSWERS: ReadonlySet<string> = new Set(['paid', 'debited', 'declined', 'unconfirmed', 'refused']);
const ENDS: ReadonlySet<string> = new Set(['caller hung up', 'caller gone', 'end']);

export const firstWord = (step: string): string => step.split(' ', 1)[0] ?? '';

export const isAnswer = ({ step }: Step): boolean => step === 'saved_card_unusable' || ANSWERS.has(firstWord(step));

/** The chapter that starts with the step. Null: the step belongs to the one before. */
function startedBy(step: string): Pick<Chapter, 'kind' | 'subject'> | null {
  const [first = '', subject = ''] = step.split(' ', 2);
  if (step === 'invite') return { kind: 'start', subject: step };
  if (first === 'ask') return { kind: 'question', subject };
  if (step === 'charge') return { kind: 'charge', subject: step };
  if (step === 'send_link') return { kind: 'link', subject: step };
  if (first === 'paying_elsewhere') return { kind: 'elsewhere', subject };
  if (step === RETURN_STEP) return { kind: 'return', subject: step };
  if (step === 'bridged') return { kind: 'agent', subject: step };
  if (ENDS.has(step)) return { kind: 'end', subject: step };
  return OUTCOMES.has(first) ? { kind: 'outcome', subject: first } : null;
}

/** The chapters of a call, in order. */
export function storyOf(call: TimedCall): Chapter[] {
  const chapters: Chapter[] = [];
  for (const step of call.timeline) addStep(chapters, step);
  const endMs = endOf(call);
  return chapters.map((chapter, at) => ({ ...chapter, untilMs: chapters[at + 1]?.fromMs ?? endMs }));
}

function addStep(chapters: Chapter[], step: Step): void {
  const last = chapters.at(-1);
  const charge = isAnswer(step) ? unansweredCharge(chapters) : undefined;
  if (charge !== undefined) {
    charge.steps.push(step);
    return;
  }
  const started = startedBy(step.step);
  if (last === undefined) chapters.push(chapterOf(started ?? { kind: 'start', subject: 'invite' }, [step]));
  else if (started === null || isSame(last, started)) last.steps.push(step);
  else chapters.push(chapterOf(started, [...takeSentence(last), step]));
}

/** A question that is asked again from its start, and each further last word, continue the chapter. */
const isSame = (last: Chapter, { kind, subject }: Pick<Chapter, 'kind' | 'subject'>) =>
  last.kind === kind && kind !== 'charge' && (kind !== 'question' || last.subject === subject);

function chapterOf(started: Pick<Chapter, 'kind' | 'subject'>, steps: Step[]): Chapter {
  const fromMs = steps[0]?.at_ms ?? 0;
  return { ...started, steps, fromMs, untilMs: fromMs };
}

function unansweredCharge(chapters: readonly Chapter[]): Chapter | undefined {
  const charge = chapters.findLast(({ kind }) => kind === 'charge');
  return charge?.steps.some(isAnswer) ? undefined : charge;
}

/** The line starts a sentence before it records what the sentence is about. */
function takeSentence(last: Chapter): Step[] {
  const sentence = last.steps.at(-1);
  if (sentence === undefined || !sentence.step.startsWith('say ') || last.steps.length === 1) return [];
  return last.steps.splice(-1);
}

/** When the call ended, in milliseconds since the INVITE. Of a live call, its latest step. */
export function endOf({ timeline, created_at, ended_at }: TimedCall): number {
  const latest = timeline.at(-1)?.at_ms ?? 0;
  return ended_at === null ? latest : Math.max(latest, Date.parse(ended_at) - Date.parse(created_at));
}
