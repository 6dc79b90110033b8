/** A chapter of a call as one sentence: "Entered the card number in 9 s, on the second try". */
import type { Tone } from '../page/parts.tsx';
import { sentence } from '../page/parts.tsx';
import { secondsText } from './seconds.ts';
import { FAULTS, stepWords } from './step-words.ts';
import { type Chapter, firstWord, isAnswer, type Step } from './story.ts';

interface ChapterWords {
  what: string;
  tone?: Tone | undefined;
}

/** [done, not done]. Typed answers also say how long they took. */
const QUESTIONS: Readonly<Record<string, readonly [done: string, undone: string]>> = {
  merchant: ['Chose the merchant', 'Did not choose a merchant'],
  method: ['Chose how to pay', 'Did not choose how to pay'],
  saved_card: ['Chose a saved card', 'Did not choose a card'],
  card_number: ['Entered the card number', 'Did not enter a card number'],
  expiry: ['Entered the expiry date', 'Did not enter the expiry date'],
  security_code: ['Entered the security code', 'Did not enter the security code'],
  postal_code: ['Entered the postal code', 'Did not enter the postal code'],
  part: ['Chose the full or a partial amount', 'Did not choose the full or a partial amount'],
  part_amount: ['Entered the partial amount', 'Did not enter the partial amount'],
  tip: ['Answered the question about a tip', 'Did not answer the question about a tip'],
  routing_number: ['Entered the routing number', 'Did not enter the routing number'],
  account_number: ['Entered the account number', 'Did not enter the account number'],
  account_number_again: ['Entered the account number again', 'Did not enter the account number again'],
  account_type: ['Chose the account type', 'Did not choose the account type'],
  debit_terms: ['Answered the question about the bank debit', 'Did not authorize the bank debit'],
  keep_card: ['Answered the question about saving the card', 'Did not say whether to save the card'],
  confirmation: ['Confirmed or changed the payment', 'Did not confirm the payment'],
};
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** @param later the chapters after it */
export function chapterWords(chapter: Chapter, later: readonly Chapter[], isLive: boolean): ChapterWords {
  const durationMs = chapter.untilMs - chapter.fromMs;
  switch (chapter.kind) {
    case 'start':
      return startWords(chapter);
    case 'question':
      return later.length === 0 && isLive ? WAITING : questionWords(chapter, isAnswered(later));
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
      return { what: `Talked to the agent for ${secondsText(durationMs)}` };
    case 'end':
      return stepSentence(chapter.steps[0]);
  }
}

function startWords({ steps, fromMs }: Chapter): ChapterWords {
  const trouble = troubleOf(steps);
  if (trouble !== null) return trouble;
  const answered = steps.find(({ step }) => step === 'answered');
  return {
    what:
      answered === undefined ? 'The call came in' : `The call was answered in ${secondsText(answered.at_ms - fromMs)}`,
  };
}

const WAITING: ChapterWords = { what: 'The line is waiting for an answer', tone: 'calm' };

function questionWords({ subject, steps, untilMs }: Chapter, isDone: boolean): ChapterWords {
  const [done, undone] = QUESTIONS[subject] ?? [`Answered: ${subject.replaceAll('_', ' ')}`, 'Did not answer'];
  const faults = steps.flatMap((step) => faultOf(step, subject, steps));
  const why = [...new Set(faults)].join(', then ');
  if (!isDone) return { what: undone + (why && `: ${why}`), tone: 'wait' };
  const tries = why && `, on the ${ORDINALS[faults.length] ?? 'last'} try (before: ${why})`;
  const startedMs = steps.findLast(({ answer_ms }) => answer_ms !== null)?.answer_ms;
  const took = startedMs == null ? '' : ` in ${secondsText(untilMs - startedMs)}`;
  return { what: done + took + tries };
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
  if (fault === 'incomplete' && digits != null) return [digits === 1 ? 'only 1 digit' : `only ${digits} digits`];
  const why = FAULTS[fault];
  return why === undefined ? [] : [why];
}

function chargeWords({ steps, fromMs }: Chapter): ChapterWords {
  const answer = steps.find(isAnswer);
  if (answer === undefined) return troubleOf(steps) ?? { what: 'The card was sent to the processor', tone: 'wait' };
  const took = secondsText(answer.at_ms - fromMs);
  if (answer.step === 'paid') return { what: `The charge succeeded in ${took}`, tone: 'good' };
  const { what, tone } = stepSentence(answer);
  return { what: `${what}, after ${took}`, tone };
}

function linkWords({ steps }: Chapter, durationMs: number): ChapterWords {
  const refused = steps.find(({ step }) => /^link (?!sent)/.test(step));
  if (refused !== undefined) return { ...stepSentence(refused), tone: 'wait' };
  const isOpened = steps.some(({ step }) => step === 'page_opened');
  return { what: `Got the pay link by text${isOpened ? ', opened it' : ''}, and stayed ${secondsText(durationMs)}` };
}

function elsewhereWords({ subject, steps }: Chapter, durationMs: number): ChapterWords {
  const failed = steps.find(({ step }) => step.startsWith('declined_elsewhere'));
  if (failed !== undefined) return stepSentence(failed);
  const who = subject === 'page' ? 'Paid on the pay page' : 'Waited for another payment of this checkout';
  return { what: `${who}, ${secondsText(durationMs)} on the line` };
}

/** "The line says that the payment succeeded". */
function outcomeWords({ steps, subject }: Chapter): ChapterWords {
  const said = steps.findLast(({ step }) => step.startsWith('say ')) ?? steps[0];
  const words = said === undefined ? null : stepWords(said.step.startsWith('say ') ? said.step : `say ${subject}`);
  const what = words === null ? 'The call reached its end' : `The line ${lowerFirst(words.what)}`;
  const isGood = ['succeeded', 'paid_elsewhere'].includes(subject);
  return { what, ...(isGood && { tone: 'good' as const }) };
}

function returnWords({ steps, fromMs }: Chapter): ChapterWords {
  const done = steps.findLast(({ step }) => /^refer accepted|^returned$/.test(step));
  const route = steps.some(({ step }) => step === 'bridge') ? 'a bridge' : 'REFER';
  if (done !== undefined) return { what: `Returned to the agent by ${route}, in ${secondsText(done.at_ms - fromMs)}` };
  return troubleOf(steps) ?? { what: `Returned to the agent by ${route}` };
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
  const { kind, what, tone } = words;
  const isWhole = kind === 'Call' || what.startsWith('The ');
  return { what: isWhole ? what : `The ${kind.toLowerCase()} ${lowerFirst(what)}`, tone };
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
