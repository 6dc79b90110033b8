/** Return to the agent: by REFER, or by calling the agent and bridging the two legs. */
import type { CallOutcome } from '../domain/outcome.ts';
import type { ReturnMode } from '../domain/session.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { CallRecord } from './call-record.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { type CallLeg, DialFailure, type MediaLeg, NoMedia } from './ports.ts';
import { type ReturnRoute, returnRoute } from './return-route.ts';

/** A call that returns to its agent. */
export interface ReturningCall {
  facts: SessionForCall;
  leg: CallLeg;
  media: MediaLeg;
  record: CallRecord;
  /** Whether the caller's Allow lists REFER. */
  allowsRefer: boolean;
  callingNumber: string | null;
  /** Whether the caller's media is up; a bridge needs it. */
  audible: () => boolean;
  /** Aborts when the call is over. */
  over: AbortSignal;
}

/**
 * Returns the caller to the agent. Resolves when our part is over: the REFER was accepted, or the bridge has ended. In mode
 * `auto` the bridge is used where the caller's side allows no REFER or refuses it.
 * @returns whether the caller reached the agent. Rejects only for a bug.
 */
export async function returnToAgent(deps: PhoneDeps, call: ReturningCall, outcome: CallOutcome): Promise<boolean> {
  const route = routeOf(deps, call, outcome);
  if (route === null) return false;
  const mode: ReturnMode = call.facts.merchant.returnMode ?? deps.settings.returnMode;
  if (mode === 'refer' || (mode === 'auto' && call.allowsRefer)) {
    if (await returnByRefer(deps, call, route)) return true;
    if (mode === 'refer') return false;
  }
  if (route.dial === null || call.over.aborted || !call.audible()) return false;
  return returnByBridge(deps, call, route.dial);
}

function routeOf(deps: PhoneDeps, { facts, record }: ReturningCall, outcome: CallOutcome): ReturnRoute | null {
  const { session, account } = facts;
  if (session.returnTo === null) return null;
  const { id: sessionId, amount, orderId, platformCallId } = session;
  const options = {
    signingSecret: account.headerSigningSecret,
    trunkTarget: deps.settings.trunkTarget,
    at: new Date(),
  };
  const route = returnRoute(session.returnTo, { outcome, sessionId, amount, orderId, platformCallId }, options);
  if (route === null) record.note('return_to not dialable');
  return route;
}

async function returnByRefer(deps: PhoneDeps, { leg, record }: ReturningCall, route: ReturnRoute): Promise<boolean> {
  record.note('refer');
  const { uri, headers } = route.refer;
  const result = await leg.refer(uri, headers, limitsOf(deps).referMs);
  if (!result.accepted) {
    record.note(`refer ${result.reason}${result.status === undefined ? '' : ` ${result.status}`}`);
    return false;
  }
  record.note('refer accepted');
  record.set({ returnMode: 'refer' });
  return true;
}

async function returnByBridge(
  deps: PhoneDeps,
  call: ReturningCall,
  target: { uri: string; headers: Record<string, string> },
): Promise<boolean> {
  const { record, media } = call;
  record.note('bridge');
  media.ring();
  const agentMedia = await deps.pool.makeOffer(media).catch((error: unknown) => noteFailure(error, record));
  const agent = agentMedia === null ? null : await dialAgent(deps, call, target, agentMedia);
  if (agentMedia === null || agent === null) {
    media.stop();
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

async function dialAgent(
  deps: PhoneDeps,
  { record, over, callingNumber }: ReturningCall,
  { uri, headers }: { uri: string; headers: Record<string, string> },
  agentMedia: MediaLeg,
): Promise<CallLeg | null> {
  const options = { signal: over, limitMs: limitsOf(deps).ringMs, callingNumber };
  let rang = false;
  const onRinging = () => {
    if (!rang) record.note('agent ringing');
    rang = true;
  };
  try {
    return await deps.edge.dial(uri, agentMedia.localSdp, headers, { ...options, onRinging });
  } catch (error) {
    return noteFailure(error, record);
  }
}

/** Notes an expected failure in the timeline. @throws other errors */
function noteFailure(error: unknown, record: CallRecord): null {
  if (error instanceof DialFailure) record.note(`bridge failed ${error.status}`);
  else if (error instanceof NoMedia) record.note(`bridge failed ${error.reason}`);
  else throw error;
  return null;
}

async function bridgeLegs({ leg, media, record }: ReturningCall, agent: CallLeg, agentMedia: MediaLeg): Promise<void> {
  await agentMedia.negotiate(agent.remoteSdp);
  agent.onOffer((sdp) => agentMedia.negotiate(sdp));
  await media.bridge(agentMedia);
  record.note('bridged');
  record.set({ returnMode: 'bridge', returnSipCallId: agent.sipCallId });
  record.set({ sipDialogs: [leg.dialogId, agent.dialogId] });
  record.save();
}

/** Waits until one side hangs up or loses its media, or the bridge is too long. */
async function bridgeEnds(deps: PhoneDeps, call: ReturningCall, agent: CallLeg, agentMedia: MediaLeg): Promise<void> {
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
