/**
 * The line after a pay link was texted: it waits for the payment on the page, reports its progress, and finally returns
 * the caller while the link stays valid.
 */
import type { CallOutcome } from '../domain/outcome.ts';
import { isUntouched } from './asking.ts';
import { endBrokenOff, leaveCall } from './leaving.ts';
import { BY_LINK_MS, CHOICES_EVERY, MAX_BY_LINK } from './limits.ts';
import type { ByLink, Line } from './lines.ts';
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
import type { ElsewherePayer, Terms } from './terms.ts';

type WaitingByLink = StateOf<'by_link'>;

/** Whether the link was texted on this call. */
export function hasLink(context: Context): context is ContextByLink {
  return context.link !== null;
}

function byLink({ takesKeypad }: Terms): ByLink {
  return takesKeypad ? 'or_keypad' : 'link_only';
}

/** Waits for the payment by link, and wipes the card so far. @param line said first */
function waitByLink(before: ContextByLink, line: Line, note: string): Step {
  const context: ContextByLink = { ...wipeCard(before), link: { ...before.link, isAnnounced: true } };
  return {
    state: { kind: 'by_link', context, speaking: true, starred: false },
    effects: [
      { type: 'say', line },
      { type: 'start_timer', ms: BY_LINK_MS },
      { type: 'note', step: note },
    ],
  };
}

/** Says that the text is on its way, and to which number. */
export function sayLinkSent(context: ContextByLink): Step {
  const { link, terms } = context;
  return waitByLink(context, { name: 'link_sent', lastTwo: link.lastTwo, byLink: byLink(terms) }, 'link_sent');
}

/** The payment elsewhere failed: the link is still valid, and the line waits another five minutes. */
export function declinedByLink(context: ContextByLink, { by }: { by: ElsewherePayer }): Step {
  const { link, page, terms } = context;
  const line: Line = { name: 'declined_elsewhere', by, byLink: byLink(terms) };
  const pageAfter = by === 'page' ? 'announced' : page;
  return waitByLink({ ...context, page: pageAfter, link: { ...link, waits: 0 } }, line, `declined_elsewhere ${by}`);
}

/**
 * The caller did not use the keypad: the line continues to wait for the payment by link.
 * @returns null if no link was texted, or a key was pressed
 */
export function goOnByLink(state: StateOf<'collecting'>): Step | null {
  const { context } = state;
  if (!hasLink(context) || !isUntouched(state)) return null;
  if (!context.link.isAnnounced) return sayLinkSent(context);
  return context.link.waits + 1 >= MAX_BY_LINK ? leaveUnpaid(context) : remindOfLink(context);
}

/**
 * Another 20 s have passed. Once a minute the line says what else the caller can do. It says nothing during another
 * sentence.
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

/** The caller asked for the agent, or the line is shutting down. The agent learns about a texted link. */
export function leaveForAgent(context: Context): Step {
  return hasLink(context)
    ? leaveCall(context, agentOutcome(context), { name: 'link_stays', reason: 'asked' })
    : leaveCall(context, outcomeAfter(context, { kind: 'canceled' }), { name: 'canceled' });
}

/** Ends the call before a charge, or after a failed one, at the request of a user of the account. */
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

/** A sentence has ended. The timer is running already, and the line may have to mention the page. */
export function byLinkPromptEnded(state: WaitingByLink): Step {
  const { context } = state;
  if (context.page === 'opened') return sayOpened(state);
  return { state: { ...state, speaking: false, starred: false }, effects: [] };
}

/** The page was opened: the line says so once, after the current sentence. */
export function openedByLink(state: WaitingByLink): Step {
  const { context, speaking } = state;
  if (context.page !== 'unopened') return { state, effects: [] };
  if (!speaking) return sayOpened(state);
  return {
    state: { ...state, context: { ...context, page: 'opened' } },
    effects: [{ type: 'note', step: 'page_opened' }],
  };
}

function sayOpened(state: WaitingByLink): Step {
  return {
    state: { ...state, context: { ...state.context, page: 'announced' }, speaking: true, starred: false },
    effects: [
      { type: 'say', line: { name: 'link_opened' } },
      { type: 'note', step: 'page' },
    ],
  };
}

/** A payment elsewhere failed that the line did not know about. The line does not mention an agent's attempt. */
export function declinedWhileByLink(state: WaitingByLink, event: EventOf<'declined_elsewhere'>): Step {
  const context = withDeclineElsewhere(state.context, event);
  if (event.by === 'page') return declinedByLink(context, event);
  return { state: { ...state, context }, effects: [{ type: 'note', step: `declined_elsewhere ${event.by}` }] };
}

/** The caller or the media is lost while the link can still be paid. */
export function goneByLink({ context }: WaitingByLink, event: EventOf<'hung_up' | 'media_lost'>): Step {
  return endBrokenOff(outcomeWhenGone(context, event), event.type);
}

/**
 * The outcome of a call that breaks off unpaid. If a link was texted, a caller whose audio is lost returns to the agent
 * as if they had asked for it. A caller who hung up has no agent.
 */
export function outcomeWhenGone(context: Context, { type }: EventOf<'hung_up' | 'media_lost'>): CallOutcome {
  const isHangUp = type === 'hung_up';
  if (hasLink(context)) return outcomeAfter(context, { kind: isHangUp ? 'canceled' : 'agent', reason: 'link_sent' });
  return outcomeAfter(context, isHangUp ? { kind: 'canceled' } : { kind: 'failed', reason: 'error' });
}
