/** Calls the agent and bridges the two legs. */

import type { CallRecord } from './call-record.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { type CallLeg, DialFailure, type MediaLeg, NoMedia } from './ports.ts';
import type { ReturnDial } from './return-route.ts';

/** A call whose caller is bridged to the agent. */
export interface BridgedCall {
  leg: CallLeg;
  media: MediaLeg;
  record: CallRecord;
  /** For our From. */
  callingNumber: string | null;
  /** Whether the caller's media is up. */
  audible: () => boolean;
  /** Aborts when the call is over. */
  over: AbortSignal;
}

export interface BridgeRoute {
  /** Null: we cannot call there. */
  target: ReturnDial | null;
  redirect: (uri: string) => Promise<ReturnDial | null>;
}

export async function returnByBridge(deps: PhoneDeps, call: BridgedCall, route: BridgeRoute): Promise<boolean> {
  const { record, media } = call;
  if (route.target === null || call.over.aborted || !call.audible()) return false;
  record.note('bridge');
  const agentMedia = await deps.pool.makeOfferBeside(media).catch((error: unknown) => noteFailure(error, record));
  const agent = agentMedia === null ? null : await dialAgent(deps, call, route, agentMedia);
  if (agentMedia === null || agent === null) {
    await agentMedia?.destroy();
    return false;
  }
  try {
    await bridgeLegs(call, agent, agentMedia);
    await bridgeEnds(deps, call, agent, agentMedia);
    return true;
  } catch (error) {
    deps.log.warn({ err: error, callId: record.id }, 'bridge to the agent failed');
    record.note('bridge failed');
    return false;
  } finally {
    await Promise.all([agent.hangUp(), agentMedia.destroy()]);
  }
}

/** No one was reached: the transport failed, no answer came, or a server there is down or too busy. */
const NOT_REACHED = [408, 503];

/** Dials the agent, and follows one redirection (RFC 3261, 8.1.3.4). */
async function dialAgent(
  deps: PhoneDeps,
  call: BridgedCall,
  { target, redirect }: BridgeRoute,
  agentMedia: MediaLeg,
): Promise<CallLeg | null> {
  const deadline = performance.now() + limitsOf(deps).ringMs;
  const first = target === null ? null : await dialTarget(deps, call, { target, agentMedia, deadline });
  if (first === null || !('redirectedTo' in first)) return first;
  const next = await redirect(first.redirectedTo);
  const second = next === null ? null : await dialTarget(deps, call, { target: next, agentMedia, deadline });
  return second === null || 'redirectedTo' in second ? null : second;
}

interface AgentDial {
  target: ReturnDial;
  agentMedia: MediaLeg;
  /** On `performance.now()`. */
  deadline: number;
}

/** Tries the next address if one is not reached (RFC 3263, 4.3). */
async function dialTarget(
  deps: PhoneDeps,
  { leg, record, over, callingNumber }: BridgedCall,
  { target: { uri, headers, nextHops, credentials }, agentMedia, deadline }: AgentDial,
): Promise<CallLeg | { redirectedTo: string } | null> {
  let rang = false;
  const onRinging = () => {
    if (!rang) record.note('agent ringing');
    rang = true;
  };
  for (const nextHop of nextHops.length === 0 ? [null] : nextHops) {
    const limitMs = deadline - performance.now();
    if (limitMs <= 0 || over.aborted) break;
    const { server } = leg.facts;
    const options = { server, signal: over, limitMs, callingNumber, nextHop, credentials, onRinging };
    try {
      return await deps.edge.dial(uri, agentMedia.localSdp, headers, options);
    } catch (error) {
      noteFailure(error, record);
      if (error instanceof DialFailure && error.redirectedTo !== null) return { redirectedTo: error.redirectedTo };
      if (rang || !(error instanceof DialFailure) || !NOT_REACHED.includes(error.status)) return null;
    }
  }
  return null;
}

/** Notes an expected failure in the timeline. @throws other errors */
function noteFailure(error: unknown, record: CallRecord): null {
  if (error instanceof DialFailure) record.note(`bridge failed ${error.status}`);
  else if (error instanceof NoMedia) record.note(`bridge failed ${error.reason}`);
  else throw error;
  return null;
}

async function bridgeLegs(
  { leg, media, record, over }: BridgedCall,
  agent: CallLeg,
  agentMedia: MediaLeg,
): Promise<void> {
  await agentMedia.negotiate(agent.remoteSdp);
  agent.onOffer((sdp) => agentMedia.negotiate(sdp));
  await media.bridge(agentMedia);
  if (over.aborted) return;
  record.note('bridged');
  record.set({ returnMode: 'bridge', returnSipCallId: agent.sipCallId });
  record.set({ sipDialogs: [leg.dialogId, agent.dialogId], dialogFacts: [leg.facts, agent.facts] });
  record.save();
}

/** Waits until one side hangs up or loses its media, or the bridge reaches its time limit. */
async function bridgeEnds(deps: PhoneDeps, call: BridgedCall, agent: CallLeg, agentMedia: MediaLeg): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('bridge too long'), limitsOf(deps).bridgeMs);
  });
  const over = new Promise<string>((resolve) => {
    if (call.over.aborted) resolve('bridge ended');
    call.over.addEventListener('abort', () => resolve('bridge ended'), { once: true });
  });
  const hungUp = agent.ended.then(({ by }) => (by === 'them' ? 'agent hung up' : 'agent lost'));
  const lost = agentMedia.lost.then(() => "agent's media lost");
  try {
    call.record.note(await Promise.race([hungUp, lost, over, tooLong]));
  } finally {
    clearTimeout(timer);
  }
}
