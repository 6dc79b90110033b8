/** Closes the calls of dead phone processes, and returns their callers to the agent. */

import { recordReturn, type TimelineStep } from '../db/calls/calls.ts';
import { closeLostCalls, judgeLostCall, type LostCall } from '../db/calls/lost-calls.ts';
import { findSessionOfCall, type SessionForCall } from '../db/sessions/sessions.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { waitUntil } from '../lib/concurrency/time-limit.ts';
import { CallProgressReport } from './call-progress.ts';
import { callEndFields } from './call-record.ts';
import type { PhoneDeps } from './deps.ts';
import type { HeldDialog } from './ports.ts';
import { returnByRefer } from './return-to-agent.ts';

/** A process that has just started may not be connected to the SIP server yet. */
const CONNECT_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/**
 * @param sessionId look only at this session's call
 * @returns the number of closed calls; their callers are returned in the background
 */
export async function endLostCalls(deps: PhoneDeps, sessionId: CheckoutSessionId | null = null): Promise<number> {
  const { sql, lease, log } = deps;
  const lost = await closeLostCalls(sql, lease, sessionId);
  if (lost.length > 0) log.warn({ calls: lost.map(({ id }) => id) }, 'closed the calls of a dead process');
  for (const call of lost) {
    log.info(lostCallFields(call), 'call ended');
    void returnLostCall(deps, call);
  }
  return lost.length;
}

/** The timeline is lost with the process. Only the last stage is known. */
function lostCallFields(call: LostCall): object {
  const { outcome, reason, chargeId, returnSipCallId, stage, atMs } = call;
  const ended = { outcome, reason, chargeId, returnMode: null, returnSipCallId, seconds: Math.round(atMs / 1_000) };
  return callEndFields(call, { ...ended, steps: stage === null ? [] : [stage] });
}

/**
 * Sends a REFER if the call can return by REFER, and then a BYE, which also ends an accepted REFER. Reports both to the
 * integrator, as the dead process would have. Never rejects.
 */
async function returnLostCall(deps: PhoneDeps, call: LostCall): Promise<void> {
  const { edge, log } = deps;
  const dialogs = call.sipDialogs.map((dialogId, at) => ({ dialogId, facts: call.dialogFacts[at] ?? null }));
  const [callersDialog, ...agentsDialogs] = dialogs;
  edge.endDialogs(agentsDialogs);
  try {
    await sendBackAndReport(deps, call, callersDialog);
  } catch (error) {
    log.error({ err: error, callId: call.id }, 'caller of a dead process could not be returned to the agent');
  }
  if (callersDialog !== undefined) edge.endDialogs([callersDialog]);
}

async function sendBackAndReport(deps: PhoneDeps, call: LostCall, dialog: HeldDialog | undefined): Promise<void> {
  const { edge, sql, progress } = deps;
  const facts = call.sessionId === null ? null : await findSessionOfCall(sql, call.sessionId);
  const report = facts && call.wasAnswered ? CallProgressReport.afterLoss(progress, call.id, facts) : null;
  let outcome = outcomeOf(call);
  try {
    if (facts === null || dialog === undefined || !(await canBeReferred(edge, call))) return;
    // The charge may have got its outcome since the call was closed: the agent gets the current one.
    outcome = outcomeOf({ ...call, ...(await judgeLostCall(sql, call.id)) });
    if (await sendBack(deps, call, { facts, dialog, outcome })) report?.returned('refer');
  } finally {
    report?.ended(outcome);
  }
}

async function canBeReferred(edge: PhoneDeps['edge'], { localContact }: LostCall): Promise<boolean> {
  return (await waitUntil(CONNECT_LIMIT_MS, LOOK_AGAIN_MS, () => edge.connected)) && localContact !== null;
}

interface Return {
  facts: SessionForCall;
  dialog: HeldDialog;
  outcome: CallOutcome;
}

/** @returns whether the caller reached the agent */
async function sendBack(deps: PhoneDeps, call: LostCall, { facts, dialog, outcome }: Return): Promise<boolean> {
  const { localContact, allowsRefer } = call;
  if (localContact === null) return false;
  const record = new ReturnRecord(call.atMs);
  record.note('taken over from a dead process');
  const leg = deps.edge.lostDialog({ ...dialog, localContact });
  const isReturned = await returnByRefer(deps, { facts, leg, record, allowsRefer }, outcome);
  await recordReturn(deps.sql, call.id, record);
  return isReturned;
}

function outcomeOf({ outcome, reason, chargeId }: LostCall): CallOutcome {
  return { kind: outcome, ...(reason !== null && { reason }), ...(chargeId !== null && { chargeId }) };
}

/** The additions to the call's row after its caller was returned. */
class ReturnRecord {
  returnMode: 'refer' | 'bridge' | null = null;
  readonly timeline: TimelineStep[] = [];
  readonly #startedAt: number;

  constructor(atMs: number) {
    this.#startedAt = performance.now() - atMs;
  }

  note(step: string): void {
    this.timeline.push({ step, atMs: Math.round(performance.now() - this.#startedAt) });
  }

  set({ returnMode }: { returnMode?: 'refer' | 'bridge' | null }): void {
    this.returnMode = returnMode ?? this.returnMode;
  }
}
