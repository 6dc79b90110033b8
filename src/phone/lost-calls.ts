/** The calls of phone processes that have died: closes them, and sends their callers back to the agent. */

import { recordReturn, type TimelineStep } from '../db/calls/calls.ts';
import { closeLostCalls, judgeLostCall, type LostCall } from '../db/calls/lost-calls.ts';
import { findSessionOfCall } from '../db/sessions/sessions.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { waitUntil } from '../lib/concurrency/time-limit.ts';
import { callEndFields } from './call-record.ts';
import type { PhoneDeps } from './deps.ts';
import type { HeldDialog } from './ports.ts';
import { returnByRefer } from './return-to-agent.ts';

/** A process that has just started may not be connected to the SIP server yet. */
const CONNECT_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/**
 * @param sessionId look at this session's call only
 * @returns how many calls were closed; their callers are sent back meanwhile
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

/** Its timeline went with its process: of the stages the last is known. */
function lostCallFields(call: LostCall): object {
  const { outcome, reason, chargeId, returnSipCallId, stage, atMs } = call;
  const ended = { outcome, reason, chargeId, returnMode: null, returnSipCallId, seconds: Math.round(atMs / 1_000) };
  return callEndFields(call, { ...ended, steps: stage === null ? [] : [stage] });
}

/**
 * REFER, where the call can go back by it; then BYE, which is also what ends a REFER that was accepted. Never rejects.
 */
async function returnLostCall(deps: PhoneDeps, call: LostCall): Promise<void> {
  const { edge, log } = deps;
  const dialogs = call.sipDialogs.map((dialogId, at) => ({ dialogId, facts: call.dialogFacts[at] ?? null }));
  const [callersDialog, ...agentsDialogs] = dialogs;
  edge.endDialogs(agentsDialogs);
  if (callersDialog === undefined) return;
  try {
    await sendBack(deps, call, callersDialog);
  } catch (error) {
    log.error({ err: error, callId: call.id }, 'caller of a dead process could not be returned to the agent');
  }
  edge.endDialogs([callersDialog]);
}

async function sendBack(deps: PhoneDeps, call: LostCall, dialog: HeldDialog): Promise<void> {
  const { edge, sql } = deps;
  const { localContact, allowsRefer } = call;
  const facts = call.sessionId === null ? null : await findSessionOfCall(sql, call.sessionId);
  const connected = await waitUntil(CONNECT_LIMIT_MS, LOOK_AGAIN_MS, () => edge.connected);
  if (facts === null || localContact === null || !connected) return;
  // Since the call was closed, its charge may have got its outcome: the agent is told what is true now.
  const judged = { ...call, ...(await judgeLostCall(sql, call.id)) };
  const record = new ReturnRecord(call.atMs);
  record.note('taken over from a dead process');
  await returnByRefer(
    deps,
    { facts, leg: edge.lostDialog({ ...dialog, localContact }), record, allowsRefer },
    outcomeOf(judged),
  );
  await recordReturn(sql, call.id, record);
}

function outcomeOf({ outcome, reason, chargeId }: LostCall): CallOutcome {
  return { kind: outcome, ...(reason !== null && { reason }), ...(chargeId !== null && { chargeId }) };
}

/** What is added to the call's row when its caller has been sent back. */
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
