/**
 * The line beside a texted pay link: it waits for the payment on the page, tells what happens there, and in the end
 * sends the caller back with the link still good.
 */
import type { CallOutcome } from '../domain/outcome.ts';
import { isUntouched } from './asking.ts';
import { endBrokenOff, leaveCall } from './leaving.ts';
import { BY_LINK_MS, CHOICES_EVERY, MAX_BY_LINK } from './limits.ts';
import {
  type Context,
  type ContextByLink,
  type EventOf,
  outcomeAfter,
  type StateOf,
  type Step,
  wipeCard,
  withDeclineElsewhere,
} from './state.ts';
import type { ByLink, ElsewherePayer, Line, Terms } from './types.ts';

type WaitingByLink = StateOf<'by_link'>;

/** Whether the link was texted on this call. */
export function hasLink(context: Context): context is ContextByLink {
  return context.link !== null;
}

/** How else the caller can pay. */
function byLink({ takesKeypad }: Terms): ByLink {
  return takesKeypad ? 'or_keypad' : 'link_only';
}

/** Waits for the payment by link. What was keyed of a card is wiped. @param line what is said first */
function waitByLink(before: ContextByLink, line: Line, note: string): Step {
  const context: ContextByLink = { ...wipeCard(before), link: { ...before.link, isTold: true } };
  return {
    state: { kind: 'by_link', context, speaking: true, starred: false },
    effects: [
      { type: 'say', line },
      { type: 'start_timer', ms: BY_LINK_MS },
      { type: 'note', step: note },
    ],
  };
}

/** The text is on its way: says to which number. */
export function tellLinkTexted(context: ContextByLink): Step {
  const { link, terms } = context;
  return waitByLink(context, { name: 'link_sent', lastTwo: link.lastTwo, byLink: byLink(terms) }, 'link_sent');
}

/** The payment elsewhere failed: the link is still good, for another five minutes on the line. */
export function declinedByLink(context: ContextByLink, { by }: { by: ElsewherePayer }): Step {
  const { link, page, terms } = context;
  const line: Line = { name: 'declined_elsewhere', by, byLink: byLink(terms) };
  const told = by === 'page' ? 'told' : page;
  return waitByLink({ ...context, page: told, link: { ...link, waits: 0 } }, line, `declined_elsewhere ${by}`);
}

/**
 * The caller has left the keypad alone: the line goes on waiting for the payment by link. @returns null where there is
 * none
 */
export function goOnByLink(state: StateOf<'collecting'>): Step | null {
  const { context } = state;
  if (!hasLink(context) || !isUntouched(state)) return null;
  if (!context.link.isTold) return tellLinkTexted(context);
  return context.link.waits + 1 >= MAX_BY_LINK ? leaveUnpaid(context) : remindOfLink(context);
}

/**
 * Another 20 s are over. Every minute the caller hears what else can be done; while a sentence is being said, nothing.
 */
export function stillByLink(state: WaitingByLink): Step {
  const { context, speaking } = state;
  if (context.link.waits + 1 >= MAX_BY_LINK) return leaveUnpaid(context);
  if (!speaking) return remindOfLink(context);
  return { state: { ...state, context: waitedOnce(context) }, effects: [{ type: 'start_timer', ms: BY_LINK_MS }] };
}

function waitedOnce(context: ContextByLink): ContextByLink {
  return { ...context, link: { ...context.link, waits: context.link.waits + 1 } };
}

function remindOfLink(before: ContextByLink): Step {
  const context = waitedOnce(before);
  const { link, page, terms } = context;
  const choices = link.waits % CHOICES_EVERY === 0 ? byLink(terms) : null;
  return waitByLink(context, { name: 'link_waiting', isOpened: page !== 'unopened', choices }, 'link_waiting');
}

function leaveUnpaid(context: ContextByLink): Step {
  return leaveCall(wipeCard(context), agentOutcome(context), { name: 'link_stays', reason: 'no_payment' });
}

/** The caller asked for the agent, or the line stops. With a link that is texted the agent learns of it. */
export function leaveForAgent(context: Context): Step {
  return hasLink(context)
    ? leaveCall(context, agentOutcome(context), { name: 'link_stays', reason: 'asked' })
    : leaveCall(context, outcomeAfter(context, { kind: 'canceled' }), { name: 'canceled' });
}

/** Ends the call before a charge, or after one that failed: somebody of the account has asked for it. */
export function endUnpaid(before: Context): Step {
  const context = wipeCard(before);
  return hasLink(context)
    ? leaveCall(context, agentOutcome(context), { name: 'link_stays', reason: 'ended' })
    : leaveCall(context, outcomeAfter(context, { kind: 'canceled' }), { name: 'call_ended' });
}

/** The outcome of a call that ends unpaid after the link was texted. */
export function agentOutcome(context: ContextByLink): CallOutcome {
  return outcomeAfter(context, { kind: 'agent', reason: 'link_sent' });
}

/** A sentence is over: the timer runs already, and there may be something to say of the page. */
export function byLinkHeard(state: WaitingByLink): Step {
  const { context } = state;
  if (context.page === 'opened') return tellOpened(state);
  return { state: { ...state, speaking: false, starred: false }, effects: [] };
}

/** The page was opened: said once, at the end of a sentence. */
export function openedByLink(state: WaitingByLink): Step {
  const { context, speaking } = state;
  if (context.page !== 'unopened') return { state, effects: [] };
  if (!speaking) return tellOpened(state);
  return {
    state: { ...state, context: { ...context, page: 'opened' } },
    effects: [{ type: 'note', step: 'page_opened' }],
  };
}

function tellOpened(state: WaitingByLink): Step {
  return {
    state: { ...state, context: { ...state.context, page: 'told' }, speaking: true, starred: false },
    effects: [
      { type: 'say', line: { name: 'link_opened' } },
      { type: 'note', step: 'page' },
    ],
  };
}

/** A payment elsewhere failed of which the line had not heard. An agent's try is not told. */
export function declinedWhileByLink(state: WaitingByLink, event: EventOf<'declined_elsewhere'>): Step {
  const context = withDeclineElsewhere(state.context, event);
  if (event.by === 'page') return declinedByLink(context, event);
  return { state: { ...state, context }, effects: [{ type: 'note', step: `declined_elsewhere ${event.by}` }] };
}

/** The caller or the media is gone while the link can still be paid. */
export function goneByLink({ context }: WaitingByLink, event: EventOf<'hung_up' | 'media_lost'>): Step {
  return endBrokenOff(outcomeWhenGone(context, event), event.type);
}

/**
 * The outcome of a call that breaks off unpaid. With a link texted, a caller whose audio is gone goes back to the agent
 * as one who asked to; one who hung up is with no agent.
 */
export function outcomeWhenGone(context: Context, { type }: EventOf<'hung_up' | 'media_lost'>): CallOutcome {
  const isHangUp = type === 'hung_up';
  if (hasLink(context)) return outcomeAfter(context, { kind: isHangUp ? 'canceled' : 'agent', reason: 'link_sent' });
  return outcomeAfter(context, isHangUp ? { kind: 'canceled' } : { kind: 'failed', reason: 'error' });
}
