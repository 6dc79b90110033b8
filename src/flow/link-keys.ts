/** Keys while the link is being texted or paid: a digit resumes the keypad, `**` returns to the agent. */
import { askField } from './asking.ts';
import { leaveForAgent } from './by-link.ts';
import { keyPressed } from './collect.ts';
import { wholeCard } from './fields.ts';
import { MAX_KEYS } from './limits.ts';
import { type EventOf, type StateOf, type Step, wipeCard } from './state.ts';

type ByLinkState = StateOf<'sending_link' | 'by_link'>;

export function keyByLink(state: ByLinkState, event: EventOf<'key'>): Step {
  const { context } = state;
  // If the merchant accepts no keypad, all keys except `**` are ignored and not counted.
  const key = event.key.reveal((character) => character);
  if (key === '*') {
    return state.starred ? leaveForAgent(wipeCard(context)) : { state: { ...state, starred: true }, effects: [] };
  }
  // `#` belongs to a late or repeated `##`.
  if (key === '#' || !context.terms.takesKeypad || context.keys >= MAX_KEYS) {
    return { state: { ...state, starred: false }, effects: [] };
  }
  return takeUpKeypad(state, event);
}

/** The digit is the first of a card number. */
function takeUpKeypad({ context, speaking }: ByLinkState, event: EventOf<'key'>): Step {
  const wiped = { ...wipeCard(context), savedCards: [] };
  const [question, ...later] = wholeCard(wiped);
  const { state } = askField(wiped, question, later);
  const pressed = keyPressed({ ...state, speaking }, event);
  return { state: pressed.state, effects: [...pressed.effects, { type: 'note', step: 'keypad' }] };
}
