/**
 * A payment of the session without a card of this call: mostly on the pay page, while the caller stays on the line. The
 * line stops asking, waits, and says the result.
 */
import type { CallOutcome } from '../domain/outcome.ts';
import { askField, isUntouched } from './asking.ts';
import { declinedByLink, endUnpaid, hasLink } from './by-link.ts';
import { failedOutcome, paidLine, paidOutcome } from './charge-answers.ts';
import type { Effect } from './effects.ts';
import { wholeCard } from './fields.ts';
import { endBrokenOff, leaveCall } from './leaving.ts';
import { MAX_PATIENCE, MAX_WAITING, STILL_WORKING_MS } from './limits.ts';
import type { Line } from './lines.ts';
import {
  type Context,
  type ElsewhereResult,
  type EventOf,
  outcomeAfter,
  type StateOf,
  type Step,
  wipeCard,
  withDeclineElsewhere,
} from './state.ts';

const BANK_ASKS: Effect = { type: 'note', step: 'bank asks' };

type Collecting = StateOf<'collecting'>;
type Waiting = StateOf<'waiting'>;
type BeforeCharge = StateOf<'ringing' | 'sending_link' | 'by_link'> | Collecting;

/**
 * The page was opened: the line says so once, after the current sentence, and only if the caller has not started to
 * key.
 */
export function pageOpened(state: Collecting): Step {
  const { context, speaking } = state;
  if (context.page !== 'unopened') return { state, effects: [] };
  const opened: Collecting = { ...state, context: { ...context, page: 'opened' } };
  const said = speaking ? null : sayPageOpened(opened);
  return said ?? { state: opened, effects: [{ type: 'note', step: 'page_opened' }] };
}

/** Says that the caller may use the page. @returns null if there is nothing to say */
export function sayPageOpened(state: Collecting): Step | null {
  const { context } = state;
  if (context.page !== 'opened' || !isUntouched(state)) return null;
  return {
    state: { ...state, context: { ...context, page: 'announced' }, speaking: true },
    effects: [{ type: 'cancel_timer' }, { type: 'say', line: { name: 'page_opened' } }, { type: 'note', step: 'page' }],
  };
}

/** For a while, silence of a caller who may be busy on the page is not a failed try. @returns null if it is one */
export function bePatient(state: Collecting): Step | null {
  const { context } = state;
  if (context.page === 'unopened' || context.patience >= MAX_PATIENCE || !isUntouched(state)) return null;
  return {
    state: { ...state, context: { ...context, page: 'announced', patience: context.patience + 1 }, speaking: true },
    effects: [
      { type: 'say', line: { name: 'page_patience' } },
      { type: 'note', step: 'page_patience' },
    ],
  };
}

/** The payment is being made elsewhere: wipes what was keyed, and waits. */
export function payingElsewhere(before: Context, event: EventOf<'paying_elsewhere'>): Step {
  const context: Context = { ...wipeCard(before), savedCards: [] };
  const { by, chargeId, bankAsks = false } = event;
  const quiet = { result: null, renewals: 0, starred: false };
  return {
    state: { kind: 'waiting', context, by, chargeId, bankAsks, speaking: true, ...quiet },
    effects: [
      { type: 'cancel_timer' },
      { type: 'say', line: bankAsks ? waitingLine({ by, bankAsks }) : { name: 'paying_elsewhere', by } },
      { type: 'start_timer', ms: STILL_WORKING_MS },
      { type: 'note', step: `paying_elsewhere ${by}` },
      ...(bankAsks ? [BANK_ASKS] : []),
    ],
  };
}

/** The payment elsewhere starts before this call has ordered a charge. */
export function payingBeforeCharge(state: BeforeCharge, event: EventOf<'paying_elsewhere'>): Step {
  if (state.kind === 'collecting') state.keyed.wipe();
  return payingElsewhere(state.context, event);
}

/**
 * A payment outside of this call has no outcome yet, and no payer is waiting for it. The line asks for nothing, and the
 * call ends as pending.
 */
export function unconfirmedBeforeCharge(state: BeforeCharge, event: EventOf<'unconfirmed'>): Step {
  if (state.kind === 'collecting') state.keyed.wipe();
  return stillConfirming(state.context, event);
}

/**
 * The payment that the line waits for turns out to have no outcome yet, or another payment after a decline that the
 * line is about to say.
 */
export function unconfirmedWhileWaiting(state: Waiting, event: EventOf<'unconfirmed'>): Step {
  return state.result?.type === 'paid_elsewhere' ? { state, effects: [] } : stillConfirming(state.context, event);
}

/** The last sentence if the session or its order has a payment without an outcome. */
export function stillConfirming(context: Context, { chargeId, elsewhere }: EventOf<'unconfirmed'>): Step {
  const textFollows = elsewhere?.textFollows ?? false;
  return leaveCall(wipeCard(context), { kind: 'pending', chargeId }, { name: 'still_confirming', textFollows });
}

/** The payment elsewhere succeeded before this call has ordered a charge. */
export function paidBeforeCharge(state: BeforeCharge, event: EventOf<'paid_elsewhere'>): Step {
  if (state.kind === 'collecting') state.keyed.wipe();
  return sayResult(state.context, event);
}

/**
 * The payment elsewhere failed. The line does not disturb a caller who is keying a card, and does not mention an
 * agent's attempt.
 */
export function declinedBeforeCharge(state: Collecting, event: EventOf<'declined_elsewhere'>): Step {
  if (isUntouched(state) && event.by === 'page') return sayResult(state.context, event);
  const context = withDeclineElsewhere(state.context, event);
  return { state: { ...state, context }, effects: [{ type: 'note', step: `declined_elsewhere ${event.by}` }] };
}

/** Says the result of the payment elsewhere, then ends the call or asks for a card. */
export function sayResult(before: Context, event: ElsewhereResult): Step {
  const context = wipeCard(before);
  if (event.type === 'paid_elsewhere') return leaveCall(context, paidOutcome(event), paidLine(event));
  if (context.endRequested) return endUnpaid(withDeclineElsewhere(context, event));
  if (hasLink(context)) return declinedByLink(withDeclineElsewhere(context, event), event);
  if (!context.terms.takesKeypad) {
    const outcome = outcomeAfter(withDeclineElsewhere(context, event), {
      kind: 'failed',
      reason: 'keypad_unavailable',
    });
    return leaveCall(context, outcome, { name: 'keypad_unavailable' });
  }
  const { by } = event;
  const after: Context = {
    ...withDeclineElsewhere(context, event),
    savedCards: [],
    ...(by === 'page' && { page: 'announced', patience: 0 }),
  };
  const [question, ...later] = wholeCard(after);
  const step = askField(after, question, later, { name: 'declined_elsewhere', by });
  return { state: step.state, effects: [...step.effects, { type: 'note', step: `declined_elsewhere ${by}` }] };
}

/** While the line waits, only `**` counts: it returns to the agent, who learns that the payment is not settled. */
export function keyWhileWaiting(state: Waiting, { key }: EventOf<'key'>): Step {
  const isStar = key.reveal((character) => character === '*');
  if (isStar && state.starred && state.result === null) return leaveWaiting(state);
  return { state: { ...state, starred: isStar }, effects: [] };
}

/** The line says the result after the current sentence, never over it. */
export function resultCame(state: Waiting, result: ElsewhereResult): Step {
  if (state.result !== null) return { state, effects: [] };
  if (!state.speaking) return sayResult(state.context, result);
  return {
    state: { ...state, result },
    effects: [{ type: 'cancel_timer' }, { type: 'note', step: `${result.type} heard` }],
  };
}

export function waitingPromptEnded(state: Waiting): Step {
  if (state.result !== null) return sayResult(state.context, state.result);
  return { state: { ...state, speaking: false }, effects: [] };
}

/** Every eight seconds the line says that it is waiting. At the limit it says that the payment is not confirmed. */
export function stillWaiting(state: Waiting): Step {
  const { by, renewals } = state;
  if (renewals >= MAX_WAITING[by]) return leaveWaiting(state);
  return {
    state: { ...state, renewals: renewals + 1, speaking: true },
    effects: [
      { type: 'say', line: waitingLine(state) },
      { type: 'start_timer', ms: STILL_WORKING_MS },
    ],
  };
}

function waitingLine({ by, bankAsks }: Pick<Waiting, 'by' | 'bankAsks'>): Line {
  return bankAsks ? { name: 'waiting_elsewhere', by, bankAsks } : { name: 'waiting_elsewhere', by };
}

/**
 * Another charge of the session is pending after the previous one failed, or the bank asks the payer of this one to
 * confirm.
 */
export function anotherPaying(state: Waiting, event: EventOf<'paying_elsewhere'>): Step {
  const { by, chargeId, bankAsks = false } = event;
  if (chargeId === state.chargeId && state.result === null)
    return bankAsks ? bankAsking(state) : { state, effects: [] };
  return {
    state: { ...state, by, chargeId, bankAsks, result: null },
    effects: [{ type: 'start_timer', ms: STILL_WORKING_MS }],
  };
}

/** Said at once, or instead of the next sentence. */
function bankAsking(before: Waiting): Step {
  if (before.bankAsks) return { state: before, effects: [] };
  const state: Waiting = { ...before, bankAsks: true };
  if (before.speaking) return { state, effects: [BANK_ASKS] };
  return {
    state: { ...state, speaking: true },
    effects: [{ type: 'say', line: waitingLine(state) }, { type: 'start_timer', ms: STILL_WORKING_MS }, BANK_ASKS],
  };
}

/**
 * Ends the wait with the payment unsettled. The outcome is never `failed`, because then the agent would take the
 * payment again.
 */
function leaveWaiting({ context, chargeId }: Waiting): Step {
  return leaveCall(context, { kind: 'pending', chargeId }, { name: 'unconfirmed', elsewhere: true });
}

/** The line is shutting down. A result that is about to be said is said first. */
export function refusedWhileWaiting(state: Waiting): Step {
  return state.result === null ? leaveWaiting(state) : { state, effects: [] };
}

/** The caller or the media is lost while another charge is pending. */
export function goneWhileWaiting(state: Waiting, event: EventOf<'hung_up' | 'media_lost'>): Step {
  return endBrokenOff(outcomeOfWaiting(state), event.type);
}

/** The outcome of a call that ends while the line waits. */
function outcomeOfWaiting({ chargeId, result }: Pick<Waiting, 'chargeId' | 'result'>): CallOutcome {
  if (result?.type === 'paid_elsewhere') return paidOutcome(result);
  return result === null ? { kind: 'pending', chargeId } : failedOutcome({ ...result, chargeId });
}
