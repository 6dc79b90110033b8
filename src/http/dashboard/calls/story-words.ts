/** A chapter of a call as one sentence: "Entered the card number in 9 s, on the second try". */
import type { Tone } from '../page/parts.tsx';
import { sentence } from '../page/parts.tsx';
import { secondsText } from './seconds.ts';
import { stepWords } from './step-words.ts';
import { type Chapter, firstWord, isAnswer, type Step } from './story.ts';
import { callWords } from './words/index.ts';

interface ChapterWords {
  what: string;
  tone?: Tone | undefined;
}

/** @param later the chapters after it */
export function chapterWords(chapter: Chapter, later: readonly Chapter[], isLive: boolean): ChapterWords {
  const durationMs = chapter.untilMs - chapter.fromMs;
  switch (chapter.kind) {
    case 'start':
      return startWords(chapter);
    case 'question':
      return later.length === 0 && isLive ? waitingWords() : questionWords(chapter, isAnswered(later));
    case 'charge':
      return chargeWords(chapter);
    case 'link':
      return linkWords(chapter, durationMs);
    case 'elsewhere':
      return elsewhereWords(chapter, durationMs);
    case 'outcome':
      return outcomeWords(chapter);
    case 'return':
      return returnWords(chapter);
    case 'agent':
      return { what: callWords().story.talked(secondsText(durationMs)) };
    case 'end':
      return stepSentence(chapter.steps[0]);
  }
}

function startWords({ steps, fromMs }: Chapter): ChapterWords {
  const trouble = troubleOf(steps);
  if (trouble !== null) return trouble;
  const answered = steps.find(({ step }) => step === 'answered');
  const w = callWords().story;
  return { what: answered === undefined ? w.cameIn : w.answeredIn(secondsText(answered.at_ms - fromMs)) };
}

const waitingWords = (): ChapterWords => ({ what: callWords().story.waiting, tone: 'calm' });

/** Typed answers also say how long they took. */
function questionWords({ subject, steps, untilMs }: Chapter, isDone: boolean): ChapterWords {
  const w = callWords().story;
  const [done, undone] = questionTexts(subject);
  const faults = steps.flatMap((step) => faultOf(step, subject, steps));
  const startedMs = steps.findLast(({ answer_ms }) => answer_ms !== null)?.answer_ms;
  if (!isDone) {
    const isMidway = startedMs != null && faults.length === 0;
    const whyNot = w.faults([...new Set(faults), ...(isMidway ? [w.stoppedMidway] : [])]);
    return { what: whyNot === '' ? undone : w.undone(undone, whyNot), tone: 'wait' };
  }
  const why = w.faults([...new Set(faults)]);
  const answered = w.answered(done, startedMs == null ? null : secondsText(untilMs - startedMs));
  return { what: why === '' ? answered : w.onTry(answered, faults.length + 1, why) };
}

/** [done, not done]. */
function questionTexts(subject: string): readonly [done: string, undone: string] {
  const { questions, otherQuestion } = callWords().story;
  const known: Readonly<Record<string, readonly [string, string]>> = questions;
  return (Object.hasOwn(known, subject) && known[subject]) || otherQuestion(subject.replaceAll('_', ' '));
}

/** A link that could not be texted leads back to the question. */
function isAnswered([next, second]: readonly Chapter[]): boolean {
  const goesOn = (chapter: Chapter | undefined) => chapter?.kind === 'question' || chapter?.kind === 'charge';
  return goesOn(next) || (next?.kind === 'link' && goesOn(second));
}

/** Why the question was asked again. `*` starts over, which is no failed try. */
function faultOf({ step }: Step, subject: string, steps: readonly Step[]): string[] {
  const [field, fault = '', more] = step.split(' ');
  if (field !== subject || more !== undefined || ['started_over', 'needed_again', ''].includes(fault)) return [];
  const digits = steps.find(({ wrong_digits }) => wrong_digits !== null)?.wrong_digits;
  const { steps: w, story } = callWords();
  if (fault === 'incomplete' && digits != null) return [story.onlyDigits(digits)];
  const known: Readonly<Record<string, string>> = w.faults;
  return Object.hasOwn(known, fault) ? [known[fault] ?? ''] : [];
}

function chargeWords({ steps, fromMs }: Chapter): ChapterWords {
  const answer = steps.find(isAnswer);
  const w = callWords().story;
  if (answer === undefined) return troubleOf(steps) ?? { what: w.sent, tone: 'wait' };
  const took = secondsText(answer.at_ms - fromMs);
  if (answer.step === 'paid') return { what: w.chargedIn(took), tone: 'good' };
  const { what, tone } = stepSentence(answer);
  return { what: w.after(what, took), tone };
}

function linkWords({ steps }: Chapter, durationMs: number): ChapterWords {
  const refused = steps.find(({ step }) => /^link (?!sent)/.test(step));
  if (refused !== undefined) return { ...stepSentence(refused), tone: 'wait' };
  const isOpened = steps.some(({ step }) => step === 'page_opened');
  const w = callWords().story;
  return { what: (isOpened ? w.openedLink : w.gotLink)(secondsText(durationMs)) };
}

function elsewhereWords({ subject, steps }: Chapter, durationMs: number): ChapterWords {
  const failed = steps.find(({ step }) => step.startsWith('declined_elsewhere'));
  if (failed !== undefined) return stepSentence(failed);
  const w = callWords().story;
  return { what: (subject === 'page' ? w.paidOnPage : w.waitedElsewhere)(secondsText(durationMs)) };
}

/** "The line says that the payment succeeded". */
function outcomeWords({ steps, subject }: Chapter): ChapterWords {
  const said = steps.findLast(({ step }) => step.startsWith('say ')) ?? steps[0];
  const words = said === undefined ? null : stepWords(said.step.startsWith('say ') ? said.step : `say ${subject}`);
  const { story, steps: w } = callWords();
  const what = words === null ? story.reachedEnd : w.did.line(words.what);
  const isGood = ['succeeded', 'paid_elsewhere'].includes(subject);
  return { what, ...(isGood && { tone: 'good' as const }) };
}

function returnWords({ steps, fromMs }: Chapter): ChapterWords {
  const done = steps.findLast(({ step }) => /^refer accepted|^returned$/.test(step));
  const isBridge = steps.some(({ step }) => step === 'bridge');
  const w = callWords().story;
  if (done !== undefined) {
    const took = secondsText(done.at_ms - fromMs);
    return { what: isBridge ? w.returnedByBridgeIn(took) : w.returnedByReferIn(took) };
  }
  return troubleOf(steps) ?? { what: isBridge ? w.returnedByBridge : w.returnedByRefer };
}

/** The last step that went wrong. */
function troubleOf(steps: readonly Step[]): ChapterWords | null {
  const bad = steps.findLast((step) => stepWords(step.step)?.tone === 'bad');
  return bad === undefined ? null : stepSentence(bad);
}

/** Who did what: "The caller hangs up". */
function stepSentence(step: Step | undefined): ChapterWords {
  const words = step && stepWords(step.step);
  if (!words) return { what: sentence(firstWord(step?.step ?? 'end').replaceAll('_', ' ')) };
  return { what: words.whole, tone: words.tone };
}
