/**
 * Saved cards by keypad. Key 1 as the first digit of a card number, which starts no accepted number, chooses the saved
 * card, or opens a list if there are several. One key alone never charges a card that the caller has not heard: a
 * choice during the sentence is followed by a confirmation, even if the merchant asks for none.
 */
import type { Secret } from '../domain/secret.ts';
import { type AskStep, askField } from './asking.ts';
import { startCharge } from './charging.ts';
import { asksTip, changesAmount, isConfirmed, wholeCard } from './fields.ts';
import { asksPart } from './parts.ts';
import { type Context, type Question, type StateOf, type Step, wipeCard } from './state.ts';
import type { OfferedCard } from './terms.ts';

type Collecting = StateOf<'collecting'>;

const SAVED_CARD_KEY = '1';

/** Whether the key chooses a saved card. */
export function isSavedCardKey({ context, question, keyed }: Collecting, key: Secret): boolean {
  const isFirst = question.field === 'card_number' && keyed.length === 0;
  return isFirst && context.savedCards.length > 0 && key.reveal((digit) => digit === SAVED_CARD_KEY);
}

export function chooseSavedCard(state: Collecting): Step {
  const { context, speaking } = state;
  const [only, ...others] = context.savedCards;
  if (only === undefined) throw new Error('a saved card chosen where none is on offer');
  state.keyed.wipe();
  return others.length === 0 ? takeSavedCard(context, only, !speaking) : askWhichCard(context);
}

/** Lists the cards, each with its key. */
function askWhichCard(context: Context): Step {
  return askField(context, { field: 'saved_card', error: null }, []);
}

/** Takes the card whose key was pressed in the list. @returns null if the key has no card, or there is no list */
export function pickSavedCard({ context, question, speaking }: Collecting, key: Secret): Step | null {
  if (question.field !== 'saved_card') return null;
  const card = key.reveal((digit) => context.savedCards[Number(digit) - 1]);
  return card === undefined ? null : takeSavedCard(context, card, !speaking);
}

const FIRST_OF_NUMBER = ['3', '4', '5', '6'];

/** Whether the key starts a card number during the choice. Only keys without a meaning there count. */
export function startsNumber({ context, question: { field } }: Collecting, key: Secret): boolean {
  const isChoosing =
    field === 'saved_card' || field === 'method' || (field === 'confirmation' && context.card.saved !== null);
  const isAmountKey = (digit: string) => field === 'confirmation' && digit === '4' && changesAmount(context.terms);
  return isChoosing && key.reveal((digit) => FIRST_OF_NUMBER.includes(digit) && !isAmountKey(digit));
}

/** The caller enters a card number without being asked. */
export function takeNumberInstead({ context, speaking }: Collecting): Collecting {
  const wiped = wipeCard(context);
  const [question, ...later] = wholeCard(wiped);
  return { ...askField(wiped, question, later).state, speaking };
}

/** Star at the list: asks for a card number, and no longer offers saved cards. A second star returns to the agent. */
export function askNumberInstead(before: Context): AskStep {
  const context: Context = { ...wipeCard(before), savedCards: [] };
  const [question, ...later] = wholeCard(context);
  const { state, effects } = askField(context, question, later);
  return { state: { ...state, starred: true }, effects };
}

/**
 * "Another card" from a caller who had chosen a saved one: offers the other saved cards, if any.
 * @returns null if the card was not a saved one
 */
export function offerOtherCards({ context: { card, ...context } }: Collecting): Step | null {
  if (card.saved === null) return null;
  const rejected = card.saved.id;
  const savedCards = context.savedCards.filter(({ id }) => id !== rejected);
  const rest: Context = { ...wipeCard({ ...context, card }), savedCards };
  if (savedCards.length > 0) return askWhichCard(rest);
  const [question, ...later] = wholeCard(rest);
  return askField(rest, question, later);
}

/** @param isOfferSpoken the caller has heard the whole sentence that offers the card */
function takeSavedCard(before: Context, saved: OfferedCard, isOfferSpoken: boolean): Step {
  const wiped = wipeCard(before);
  const context: Context = { ...wiped, card: { ...wiped.card, saved } };
  if (isOfferSpoken && !isConfirmed(context.terms)) return startCharge(context);
  const confirmation: Question = { field: 'confirmation', error: null };
  const tip: Question[] = asksTip(context) ? [{ field: 'tip', error: null }] : [];
  const part: Question[] = asksPart(context) ? [{ field: 'part', error: null }] : [];
  const [first = confirmation, ...later] = [...part, ...tip, confirmation];
  return askField(context, first, later);
}
