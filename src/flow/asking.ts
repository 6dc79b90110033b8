/** Asks for a field, the first time and again. */
import { askStep } from '../domain/call-steps.ts';
import { lastFourOf } from '../domain/card.ts';
import { Secret } from '../domain/secret.ts';
import { isChoice, offersKeeping } from './choices.ts';
import { codeLength } from './fields.ts';
import type { Context, Question, StateOf, Step } from './state.ts';
import type { AskLine, Attempt, Field, FieldError, Line, SpokenCard, Terms } from './types.ts';

type Collecting = StateOf<'collecting'>;

/** A step into the state in which the caller is asked for a field. */
export type Asked = Step & { state: Collecting };

/** Whether nothing was keyed yet of a card: only then does the caller have an ear for the page. */
export function isUntouched({ question, keyed }: Collecting): boolean {
  return question.field === 'card_number' && keyed.length === 0;
}

/** Asks for a field for the first time. @param line what to say instead of the plain question */
export function askField(context: Context, question: Question, later: readonly Question[], line?: Line): Asked {
  const state: Collecting = {
    kind: 'collecting',
    context,
    question,
    later,
    keyed: Secret.empty(),
    failures: 0,
    speaking: true,
    starred: false,
    pounded: false,
  };
  return {
    state,
    effects: [
      { type: 'cancel_timer' },
      { type: 'say', line: line ?? askLine(state, question.error) },
      { type: 'note', step: askStep(question.field) },
    ],
  };
}

/** Asks for the same field again and says what was wrong. What was keyed is wiped. */
export function askFieldAgain(state: Collecting, error: FieldError): Step {
  state.keyed.wipe();
  const starred = error === 'started_over';
  return {
    state: { ...state, keyed: Secret.empty(), speaking: true, starred, pounded: false },
    effects: [
      { type: 'cancel_timer' },
      { type: 'say', line: askLine(state, error) },
      { type: 'note', step: `${state.question.field} ${error}` },
    ],
  };
}

const ATTEMPTS: readonly Attempt[] = [1, 2, 3];

/** The question in the words of this try. @param error said before it */
export function askLine(state: Collecting, error: FieldError | null): AskLine {
  const {
    context,
    question: { field },
    failures,
  } = state;
  return {
    name: 'ask',
    field,
    attempt: ATTEMPTS[failures] ?? 3,
    error,
    ...(field === 'security_code' && { codeLength: codeLength(context) }),
    ...(field === 'confirmation' && lastFourSaid(context)),
    ...((field === 'card_number' || field === 'saved_card') && savedCardsSaid(context)),
    ...(field === 'confirmation' && offersKeeping(context) && { offersKeeping: true }),
    ...(failures > 0 && error !== 'link_not_sent' && offersLink(context, field)),
  };
}

function lastFourSaid({ card: { number, saved } }: Context): { lastFour?: string } {
  if (saved !== null) return { lastFour: saved.lastFour };
  return number === null ? {} : { lastFour: lastFourOf(number) };
}

/** The saved cards on offer, for a line that asks for a card number. */
function savedCardsSaid({ savedCards }: Context): { savedCards?: readonly SpokenCard[] } {
  return saidOf(savedCards);
}

function saidOf(savedCards: readonly SpokenCard[]): { savedCards?: readonly SpokenCard[] } {
  if (savedCards.length === 0) return {};
  return { savedCards: savedCards.map(({ brand, lastFour }) => ({ brand, lastFour })) };
}

/**
 * Where a try has failed or a card was declined, the link is another way: not beside a choice, for which the card is
 * keyed already, and not again once it is texted.
 */
export function offersLink({ terms, link }: Context, field: Field): { offersLink?: true } {
  return terms.canTextLink && link === null && !isChoice(field) ? { offersLink: true } : {};
}

/** The first words of a call: with the question for a card number, or none where the link follows. */
export function greetingOf(
  { back, takesKeypad }: Pick<Terms, 'back' | 'takesKeypad'>,
  savedCards: readonly SpokenCard[] = [],
): Line {
  const welcome = back === null ? {} : { back };
  return takesKeypad
    ? { name: 'greeting', ...welcome, ...saidOf(savedCards) }
    : { name: 'greeting', byLink: true, ...welcome };
}
