/** Asks for a field, the first time and after an error. */
import { shownDigits } from '../domain/bank-account.ts';
import { askStep } from '../domain/call.ts';
import { lastFourOf } from '../domain/card.ts';
import { Secret } from '../domain/secret.ts';
import { codeLength, isChoice, offersKeeping } from './fields.ts';
import type { AskLine, Attempt, FieldError, Line } from './lines.ts';
import { remainingCentsOf } from './parts.ts';
import type { Context, Question, StateOf, Step } from './state.ts';
import type { Field, SpokenCard, Terms } from './terms.ts';
import { offeredTips } from './tips.ts';

type Collecting = StateOf<'collecting'>;

/** A step into the state in which the caller is asked for a field. */
export type AskStep = Step & { state: Collecting };

/** Whether no key of a card was pressed yet. Only then may the line mention the page. */
export function isUntouched({ question, keyed }: Collecting): boolean {
  return question.field === 'card_number' && keyed.length === 0;
}

/** Asks for a field for the first time. @param line said instead of the plain question */
export function askField(context: Context, question: Question, later: readonly Question[], line?: Line): AskStep {
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

/** Says what was wrong and asks for the same field again. Wipes what was keyed. */
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

/** The question in the words of this try. @param error said first */
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
    ...(field === 'confirmation' && amountSaid(context)),
    ...(field === 'tip' && { tips: offeredTips(context) }),
    ...(field === 'debit_terms' && accountSaid(context)),
    ...((field === 'card_number' || field === 'saved_card') && savedCardsSaid(context)),
    ...(field === 'confirmation' && offersKeeping(context) && { offersKeeping: true }),
    ...(failures > 0 && error !== 'link_not_sent' && offersLink(context, field)),
  };
}

function lastFourSaid({ card: { number, saved } }: Context): { lastFour?: string } {
  if (saved !== null) return { lastFour: saved.lastFour };
  return number === null ? {} : { lastFour: lastFourOf(number) };
}

function amountSaid(context: Context): Pick<AskLine, 'tip' | 'tips' | 'remainingCents' | 'offersPart'> {
  const { tip, terms } = context;
  const tips = offeredTips(context);
  const remainingCents = remainingCentsOf(context);
  return {
    ...(tips.length > 0 && { tips }),
    ...(tip !== null && tip !== 'none' && { tip }),
    ...(terms.part !== undefined && { offersPart: true as const }),
    ...(remainingCents > 0 && { remainingCents }),
  };
}

function accountSaid({
  card: { accountNumber, accountType },
  heardTerms,
}: Context): Pick<AskLine, 'lastFour' | 'accountType' | 'asksConsent'> {
  if (accountNumber === null || accountType === null) throw new Error('terms of a debit without an account');
  const lastFour = shownDigits(accountNumber);
  return { accountType, ...(lastFour !== null && { lastFour }), ...(heardTerms && { asksConsent: true }) };
}

function savedCardsSaid({ savedCards }: Context): { savedCards?: readonly SpokenCard[] } {
  return saidOf(savedCards);
}

function saidOf(savedCards: readonly SpokenCard[]): { savedCards?: readonly SpokenCard[] } {
  if (savedCards.length === 0) return {};
  return { savedCards: savedCards.map(({ brand, lastFour }) => ({ brand, lastFour })) };
}

/**
 * After a failed try or a decline, the line offers the link. Not for a choice, when the card is already keyed, and not
 * again after it was texted.
 */
export function offersLink({ terms, link }: Context, field: Field): { offersLink?: true } {
  return terms.canTextLink && link === null && !isChoice(field) ? { offersLink: true } : {};
}

/** The first sentence of a call: with the question for a card number, or without it if the link follows. */
export function greetingOf(
  { back, takesKeypad, offersBankAccount }: Pick<Terms, 'back' | 'takesKeypad' | 'offersBankAccount'>,
  savedCards: readonly SpokenCard[] = [],
): Line {
  const welcome = back === null ? {} : { back };
  if (takesKeypad && offersBankAccount) return { name: 'greeting', method: true, ...welcome };
  return takesKeypad
    ? { name: 'greeting', ...welcome, ...saidOf(savedCards) }
    : { name: 'greeting', byLink: true, ...welcome };
}
