/**
 * Session timers (RFC 4028): the headers with which they are agreed. The SIP server keeps the time: it refreshes a
 * dialog where that is ours to do, and hangs up one whose refresh never came. So a side that has died ends the call on
 * the other.
 */
import type { SipMessage } from './library.ts';

export interface SessionTimerSettings {
  /** What we ask for. A shorter interval of the other side is taken, a longer one made this one. */
  intervalSeconds: number;
  /** The shortest that we take. */
  minSeconds: number;
}

/** RFC 4028, 4, recommends the interval, and 90 s is the least that it allows, and what drachtio-server insists on. */
export const SESSION_TIMER: SessionTimerSettings = { intervalSeconds: 1_800, minSeconds: 90 };

/** What a dialog has agreed on. */
export interface SessionTimer {
  seconds: number;
  /** Who sends the refreshes. */
  refresher: 'us' | 'them';
}

type Headers = Record<string, string>;
type Readable = Pick<SipMessage, 'get'>;

interface SessionExpires {
  seconds: number;
  refresher: 'uac' | 'uas' | null;
}

function sessionExpires(message: Readable): SessionExpires | null {
  const value = message.get('Session-Expires') ?? message.get('x');
  const seconds = /^\s*(\d{1,9})\s*(?:;|$)/.exec(value ?? '')?.[1];
  if (seconds === undefined) return null;
  const refresher = /;\s*refresher\s*=\s*"?(uac|uas)\b/i.exec(value ?? '')?.[1]?.toLowerCase();
  return { seconds: Number(seconds), refresher: refresher === 'uac' || refresher === 'uas' ? refresher : null };
}

function minSeconds(message: Readable): number {
  return Number(/^\s*(\d{1,9})\b/.exec(message.get('Min-SE') ?? '')?.[1] ?? 0);
}

function supportsTimer(message: Readable): boolean {
  const supported = message.get('Supported') ?? message.get('k') ?? '';
  return supported.split(',').some((item) => item.trim().toLowerCase() === 'timer');
}

/** For an INVITE that is answered with 422: its Min-SE. Null where the interval will do. */
export function tooShort(invite: Readable, settings: SessionTimerSettings): Headers | null {
  const asked = sessionExpires(invite);
  if (asked === null || asked.seconds >= settings.minSeconds || !supportsTimer(invite)) return null;
  return { 'Min-SE': `${settings.minSeconds}` };
}

/**
 * The timer of a call that comes in. Null where its side knows no timers: it would not notice our end, nor bear all
 * refreshes.
 */
export function timerOfInvite(invite: Readable, settings: SessionTimerSettings): SessionTimer | null {
  const asked = sessionExpires(invite);
  if (!supportsTimer(invite)) return asked && { seconds: within(asked.seconds, 0, settings), refresher: 'us' };
  const seconds = within(asked?.seconds ?? settings.intervalSeconds, minSeconds(invite), settings);
  return { seconds, refresher: asked?.refresher === 'uas' ? 'us' : 'them' };
}

function within(seconds: number, theirMinSeconds: number, settings: SessionTimerSettings): number {
  return Math.max(Math.min(seconds, settings.intervalSeconds), settings.minSeconds, theirMinSeconds);
}

/** For the 200 to a request with which the other side started, changed or refreshed the session. */
export function answerHeaders(request: Readable, { seconds, refresher }: SessionTimer): Headers {
  return {
    'Session-Expires': `${seconds};refresher=${refresher === 'us' ? 'uas' : 'uac'}`,
    ...(supportsTimer(request) && { Require: 'timer' }),
  };
}

/**
 * The timer after a re-INVITE or UPDATE from the other side; null: none any more. One that names no refresher is kept
 * up by its sender; by us where the sender knows no timers, and a proxy between has asked for one (RFC 4028, 9).
 */
export function timerOfRefresh(request: Readable): SessionTimer | null {
  const asked = sessionExpires(request);
  if (!supportsTimer(request)) return asked && { seconds: asked.seconds, refresher: 'us' };
  return asked && { seconds: asked.seconds, refresher: asked.refresher === 'uas' ? 'us' : 'them' };
}

/** For an INVITE or re-INVITE of ours. */
export function offerHeaders({ seconds, refresher }: SessionTimer, minimum: number): Headers {
  return {
    'Session-Expires': `${seconds};refresher=${refresher === 'us' ? 'uac' : 'uas'}`,
    'Min-SE': `${minimum}`,
    Supported: 'timer',
  };
}

/** The timer that the answer to our INVITE agrees to. */
export function timerOfAnswer(answer: Readable): SessionTimer | null {
  const agreed = sessionExpires(answer);
  return agreed && { seconds: agreed.seconds, refresher: agreed.refresher === 'uas' ? 'them' : 'us' };
}

/** The interval for which a 422 asks; null when it does not say, or wants no longer one than was offered. */
export function secondsAskedBy(refusal: Readable, offered: number): number | null {
  const wanted = minSeconds(refusal);
  return wanted > offered ? wanted : null;
}
