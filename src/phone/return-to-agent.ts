/** Returns a caller to the agent: by REFER, or by calling the agent and bridging the two legs. */

import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { Account } from '../domain/account.ts';
import type { ReturnMode } from '../domain/merchant.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { operatorHosts, returnRefusal } from '../domain/return-permission.ts';
import { parseReturnTo } from '../domain/return-target.ts';
import type { CheckoutSession } from '../domain/session.ts';
import { credentialsFor } from '../domain/sip-credentials.ts';
import { waitUntil } from '../lib/concurrency/time-limit.ts';
import { isPublicHost } from '../lib/http-client/public-addresses.ts';
import { openHeaderSecret } from '../lib/vault/vault.ts';
import { type BridgedCall, type BridgeRoute, returnByBridge } from './bridge-to-agent.ts';
import type { CallRecord } from './call-record.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { nextHopOf } from './next-hop.ts';
import type { CallLeg, ReferOptions, ReferResult, Referral } from './ports.ts';
import { type ReturnDial, type ReturnRoute, returnRoute } from './return-route.ts';

const LOOK_AGAIN_MS = 50;

/** A call that returns to its agent. */
export interface ReturningCall extends BridgedCall {
  facts: SessionForCall;
  /** Whether the caller's Allow lists REFER. */
  allowsRefer: boolean;
  /** See {@link ReferOptions.onUnheard}. */
  onUnheard?: () => void;
}

/** The part of a call that a return by REFER needs. */
interface ReferredCall extends Pick<ReturningCall, 'facts' | 'allowsRefer' | 'onUnheard'> {
  leg: Pick<CallLeg, 'refer'>;
  record: Pick<CallRecord, 'note' | 'set'>;
}

/**
 * Returns the caller by REFER alone, because the call's media is lost with its process.
 * @returns whether the caller reached the agent
 */
export async function returnByRefer(deps: PhoneDeps, call: ReferredCall, outcome: CallOutcome): Promise<boolean> {
  const route = await routeOf(deps, call, outcome);
  if (route === null || !refersIn(modeOf(deps, call), call)) return false;
  const result = await startRefer(deps, call, route).result;
  noteRefer(call.record, result);
  return result.accepted;
}

/** Waits for a SIP server that is away. @returns false if it is not back in time, or the call has ended */
async function isReachable(deps: PhoneDeps, { leg, record, over }: ReturningCall): Promise<boolean> {
  if (leg.reachable) return true;
  record.note('waits for the SIP server');
  record.save();
  await waitUntil(limitsOf(deps).sipServerMs, LOOK_AGAIN_MS, () => leg.reachable || over.aborted);
  return leg.reachable;
}

function modeOf({ settings }: Pick<PhoneDeps, 'settings'>, { facts }: Pick<ReturningCall, 'facts'>): ReturnMode {
  return facts.merchant.returnMode ?? settings.returnMode;
}

function refersIn(mode: ReturnMode, { allowsRefer }: Pick<ReturningCall, 'allowsRefer'>): boolean {
  return mode === 'refer' || (mode === 'auto' && allowsRefer);
}

/**
 * Returns the caller to the agent. Resolves when the REFER was accepted or the bridge has ended. Mode `auto` uses the
 * bridge if the caller's side does not allow REFER, refuses it or does not complete it. The caller hears ringing
 * meanwhile.
 * @returns whether the caller reached the agent. Rejects only because of a bug.
 */
export async function returnToAgent(deps: PhoneDeps, call: ReturningCall, outcome: CallOutcome): Promise<boolean> {
  const route = await routeOf(deps, call, outcome);
  if (route === null) return false;
  const mode = modeOf(deps, call);
  const refers = refersIn(mode, call);
  if (call.audible() && (refers || route.dial !== null)) call.media.ring();
  if (!(await isReachable(deps, call))) {
    call.media.stop();
    return false;
  }
  const bridge: BridgeRoute = { target: route.dial, redirect: (uri) => redirectRoute(deps, call, outcome, uri) };
  const returned = refers
    ? await referOrBridge(deps, call, route, { mode, bridge })
    : await returnByBridge(deps, call, bridge);
  if (!returned) call.media.stop();
  return returned;
}

/** A REFER that succeeds late ends our own call to the agent: never two agents for one caller. */
async function referOrBridge(
  deps: PhoneDeps,
  call: ReturningCall,
  route: ReturnRoute,
  { mode, bridge }: { mode: ReturnMode; bridge: BridgeRoute },
): Promise<boolean> {
  const { record } = call;
  const { referral, result } = await referReachable(deps, call, route);
  if (result.accepted) return true;
  if (mode === 'refer') return false;
  const { succeededLate } = referral;
  const acceptedLate = () => {
    record.note('refer accepted late');
    record.set({ returnMode: 'refer', returnSipCallId: null });
  };
  succeededLate.addEventListener('abort', acceptedLate, { once: true });
  const over = AbortSignal.any([call.over, succeededLate]);
  const bridged = await returnByBridge(deps, { ...call, over }, bridge);
  return bridged || succeededLate.aborted;
}

/**
 * Repeats a REFER once if its connection to the SIP server broke before an answer. If both engines die together, the
 * app notices the lost media server first, and sends the REFER into a dead connection.
 */
async function referReachable(
  deps: PhoneDeps,
  call: ReturningCall,
  route: ReturnRoute,
): Promise<{ referral: Referral; result: ReferResult }> {
  const refer = async () => {
    const referral = startRefer(deps, call, route);
    const result = await referral.result;
    noteRefer(call.record, result);
    return { referral, result };
  };
  const first = await refer();
  const isLost = !first.result.accepted && first.result.reason === 'connection_lost';
  return isLost && (await isReachable(deps, call)) ? refer() : first;
}

function noteRefer(record: ReferredCall['record'], result: ReferResult): void {
  if (result.accepted) {
    record.note('refer accepted');
    record.set({ returnMode: 'refer' });
  } else record.note(`refer ${result.reason}${result.status === undefined ? '' : ` ${result.status}`}`);
}

function startRefer(deps: PhoneDeps, { leg, record, onUnheard }: ReferredCall, { refer }: ReturnRoute): Referral {
  record.note('refer');
  // RFC 3892. Some platforms reject a REFER without it. User-Agent tells their traces who has sent it.
  const ours = { 'Referred-By': `<sip:${deps.settings.sipDomain}>`, 'User-Agent': 'Ringkey' };
  const headers = { ...refer.headers, ...ours };
  const { referMs: limitMs, referRingMs: ringingLimitMs } = limitsOf(deps);
  const onRinging = () => record.note('refer ringing');
  return leg.refer(refer.uri, headers, { limitMs, ringingLimitMs, onRinging, ...(onUnheard && { onUnheard }) });
}

/** @returns null if the call cannot go there, or is not allowed to */
async function routeOf(
  deps: PhoneDeps,
  { facts, record }: Pick<ReferredCall, 'facts' | 'record'>,
  outcome: CallOutcome,
): Promise<ReturnRoute | null> {
  const { session, account } = facts;
  if (session.returnTo === null) return null;
  const allowed = await checkReturn(deps, session, account);
  if (allowed.refused !== null) {
    record.note(`return_to not allowed: ${allowed.refused}`);
    return null;
  }
  const { id: sessionId, amount, orderId, platformCallId, capture } = session;
  const signingSecret = openHeaderSecret(deps.vault, account);
  if (signingSecret === null)
    deps.log.error({ accountId: account.id }, 'outcome not signed: the signing secret cannot be decrypted');
  const options = {
    signingSecret,
    nextHops: allowed.nextHops,
    trunkCredentials: deps.settings.trunkCredentials,
    hostCredentials: (host: string) => credentialsFor(deps.settings.returnCredentials, host, account.id),
    // In test mode, no call may cost the operator money.
    trunkTarget: session.mode === 'live' ? deps.settings.trunkTarget : null,
    at: new Date(),
  };
  const outcomeFacts = { outcome, sessionId, amount, orderId, platformCallId, isHold: capture === 'manual' };
  const route = returnRoute(session.returnTo, outcomeFacts, options);
  if (route === null) record.note('return_to not dialable');
  return route;
}

/**
 * The route to which the agent's side redirects us (302), checked like `return_to` itself.
 * @returns null if we cannot call there, or are not allowed to
 */
async function redirectRoute(
  deps: PhoneDeps,
  { facts, record }: ReturningCall,
  outcome: CallOutcome,
  uri: string,
): Promise<ReturnDial | null> {
  record.note('agent redirects');
  const redirected = { ...facts, session: { ...facts.session, returnTo: uri } };
  return (await routeOf(deps, { facts: redirected, record }, outcome))?.dial ?? null;
}

type ReturnCheck =
  /**
   * `nextHops`: empty for a number, and for a host that does not resolve here, because the caller's side may know it.
   */
  { refused: null; nextHops: string[] } | { refused: string };

/** Checks that the account may send callers to `return_to`, and that we may send a call there. */
async function checkReturn(
  { settings, resolver }: Pick<PhoneDeps, 'settings' | 'resolver'>,
  { returnTo, mode }: Pick<CheckoutSession, 'returnTo' | 'mode'>,
  { returns }: Pick<Account, 'returns'>,
): Promise<ReturnCheck> {
  const target = parseReturnTo(returnTo ?? '');
  if (target === null) return { refused: null, nextHops: [] };
  const isOperatorHost = operatorHosts(settings.returnAllowed);
  const refused = returnRefusal(target, returns, { mode, isOperatorHost, isPublicHost });
  if (refused !== null) return { refused };
  if (target.kind !== 'sip') return { refused: null, nextHops: [] };
  const isAllowedAddress = isOperatorHost(target.host) ? () => true : isOperatorHost;
  const hop = await nextHopOf(target.uri, isAllowedAddress, resolver);
  if ('uris' in hop) return { refused: null, nextHops: hop.uris };
  return hop.refused === 'forbidden' ? { refused: 'address_not_allowed' } : { refused: null, nextHops: [] };
}
