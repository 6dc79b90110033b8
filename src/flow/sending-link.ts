/** Has the pay link texted: after `##`, or at once if the processor accepts no keyed cards. */
import { Secret } from '../domain/secret.ts';
import { askFieldAgain, greetingOf } from './asking.ts';
import { sayLinkSent } from './by-link.ts';
import type { Effect } from './effects.ts';
import { wholeCard } from './fields.ts';
import { leaveCall } from './leaving.ts';
import { LINK_ANNOUNCED_MS, LINK_ANSWER_MS } from './limits.ts';
import {
  type Context,
  type ContextByLink,
  type EventOf,
  outcomeAfter,
  type PausedQuestion,
  type StateOf,
  type Step,
  wipeCard,
  withDeclineElsewhere,
} from './state.ts';

type SendingLink = StateOf<'sending_link'>;

/** `##`: pauses the question and keeps the card so far until it is known whether a text is sent. */
export function askForLink(state: StateOf<'collecting'>): Step {
  const { context, question, later, failures, keyed, speaking } = state;
  if (!context.terms.canTextLink) return askFieldAgain(state, 'link_not_sent');
  keyed.wipe();
  const quiet: Effect[] = speaking ? [{ type: 'stop_speaking' }] : [];
  return sendLink(context, { question, later, failures }, quiet, LINK_ANNOUNCED_MS);
}

/**
 * The merchant accepts no keypad: greets while the link is being texted. If no text can be sent, returns to the agent.
 */
export function greetByLink(context: Context): Step {
  if (!context.terms.canTextLink) return leaveWithoutKeypad(context);
  return sendLink(context, null, [{ type: 'say', line: greetingOf(context.terms) }], LINK_ANSWER_MS);
}

function sendLink(context: Context, paused: PausedQuestion | null, first: Effect[], limitMs: number): Step {
  const speaking = first.some(({ type }) => type === 'say');
  return {
    state: { kind: 'sending_link', context, paused, speaking, answer: null, announced: speaking, starred: false },
    effects: [
      ...first,
      { type: 'send_link' },
      { type: 'start_timer', ms: limitMs },
      { type: 'note', step: 'send_link' },
    ],
  };
}

/** The answer never interrupts a sentence. */
export function linkAnswered(before: SendingLink, answer: EventOf<'link'>): Step {
  if (before.answer !== null) return { state: before, effects: [] };
  const state: SendingLink = { ...before, context: withLink(before.context, answer), answer };
  if (!state.speaking) return followLink(state, answer);
  return { state, effects: [{ type: 'cancel_timer' }] };
}

function withLink(context: Context, answer: EventOf<'link'>): Context {
  return answer.result === 'sent' ? withTextedLink(context, answer.lastTwo) : context;
}

/** A second text does not extend the wait. */
function withTextedLink(context: Context, lastTwo: string): ContextByLink {
  return { ...context, link: { lastTwo, waits: context.link?.waits ?? 0, isAnnounced: false } };
}

export function sendingPromptEnded(state: SendingLink): Step {
  if (state.answer !== null) return followLink(state, state.answer);
  return { state: { ...state, speaking: false, starred: false }, effects: [] };
}

/** No answer yet: says so once. After that the link counts as not sent. */
export function stillSending(state: SendingLink): Step {
  if (state.announced) return followLink(state, { type: 'link', result: 'not_sent', reason: 'unavailable' });
  return {
    state: { ...state, announced: true, speaking: true },
    effects: [
      { type: 'say', line: { name: 'one_moment' } },
      { type: 'start_timer', ms: LINK_ANSWER_MS },
    ],
  };
}

/** If the link was texted, waits for the payment. If not, resumes the question. */
function followLink({ context, paused }: Pick<SendingLink, 'context' | 'paused'>, answer: EventOf<'link'>): Step {
  if (answer.result === 'sent') return sayLinkSent(withTextedLink(context, answer.lastTwo));
  if (paused === null) return leaveWithoutKeypad(context);
  const again = askFieldAgain(
    { kind: 'collecting', context, ...paused, keyed: Secret.empty(), speaking: false, starred: false, pounded: false },
    'link_not_sent',
  );
  return { state: again.state, effects: [...again.effects, { type: 'note', step: `link ${answer.reason}` }] };
}

function leaveWithoutKeypad(context: Context): Step {
  const outcome = outcomeAfter(context, { kind: 'failed', reason: 'keypad_unavailable' });
  return leaveCall(wipeCard(context), outcome, { name: 'keypad_unavailable' });
}

/** The text was not delivered after all. If the page was opened nevertheless, nothing is said. */
export function textNotDelivered(state: StateOf<'by_link'>, answer: EventOf<'link'>): Step {
  if (answer.result === 'sent' || state.context.page !== 'unopened') return { state, effects: [] };
  const context: Context = { ...state.context, link: null };
  const { takesKeypad } = context.terms;
  const [question, ...later] = wholeCard(context);
  return followLink({ context, paused: takesKeypad ? { question, later, failures: 0 } : null }, answer);
}

/** The answer comes when the caller is already doing something else: keeps it for later. */
export function keepLink<S extends StateOf<'collecting' | 'charging' | 'waiting'>>(
  state: S,
  answer: EventOf<'link'>,
): Step {
  if (answer.result !== 'sent') return { state, effects: [] };
  return {
    state: { ...state, context: withLink(state.context, answer) },
    effects: [{ type: 'note', step: 'link_sent' }],
  };
}

/** The page was opened from an earlier text: the line says so together with this link. */
export function openedWhileSending(state: SendingLink): Step {
  const { context } = state;
  if (context.page !== 'unopened') return { state, effects: [] };
  return {
    state: { ...state, context: { ...context, page: 'opened' } },
    effects: [{ type: 'note', step: 'page_opened' }],
  };
}

/** A payment elsewhere failed that the line did not know about. */
export function declinedWhileSending(state: SendingLink, event: EventOf<'declined_elsewhere'>): Step {
  const context = withDeclineElsewhere(state.context, event);
  return { state: { ...state, context }, effects: [{ type: 'note', step: `declined_elsewhere ${event.by}` }] };
}
