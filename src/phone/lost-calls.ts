/** Closes the calls of dead phone processes, and returns their callers to the agent. */

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

/** Sends a REFER if the call can return by REFER, and then a BYE, which also ends an accepted REFER. Never rejects. */
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
  // The charge may have got its outcome since the call was closed: the agent gets the current one.
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
