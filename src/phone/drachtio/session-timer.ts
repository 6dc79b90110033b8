/**
 * Session timers (RFC 4028): the headers that agree on them. The SIP server runs the timer: it refreshes a dialog if
 * that is our task, and hangs up if a refresh is missing. So a call also ends if the other side has died.
 */
import type { SipMessage } from './library.ts';

export interface SessionTimerSettings {
  /** The interval that we ask for. A shorter one of the other side is accepted, a longer one reduced to this. */
  intervalSeconds: number;
  /** The shortest interval that we accept. */
  minSeconds: number;
}

/** RFC 4028, 4, recommends this interval. It allows no less than 90 s, and drachtio-server enforces that. */
export const SESSION_TIMER: SessionTimerSettings = { intervalSeconds: 1_800, minSeconds: 90 };

/** The agreed timer of a dialog. */
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

/** The Min-SE for a 422 to this INVITE. Null if its interval is acceptable. */
export function tooShort(invite: Readable, settings: SessionTimerSettings): Headers | null {
  const requested = sessionExpires(invite);
  if (requested === null || requested.seconds >= settings.minSeconds || !supportsTimer(invite)) return null;
  return { 'Min-SE': `${settings.minSeconds}` };
}

/**
 * The timer of an incoming call. Null if its side does not support timers: then it would not notice our end, nor
 * refresh.
 */
export function timerOfInvite(invite: Readable, settings: SessionTimerSettings): SessionTimer | null {
  const requested = sessionExpires(invite);
  if (!supportsTimer(invite)) return requested && { seconds: within(requested.seconds, 0, settings), refresher: 'us' };
  const seconds = within(requested?.seconds ?? settings.intervalSeconds, minSeconds(invite), settings);
  return { seconds, refresher: requested?.refresher === 'uas' ? 'us' : 'them' };
}

function within(seconds: number, theirMinSeconds: number, settings: SessionTimerSettings): number {
  return Math.max(Math.min(seconds, settings.intervalSeconds), settings.minSeconds, theirMinSeconds);
}

/** For the 200 to a request of the other side that started, changed or refreshed the session. */
export function answerHeaders(request: Readable, { seconds, refresher }: SessionTimer): Headers {
  return {
    'Session-Expires': `${seconds};refresher=${refresher === 'us' ? 'uas' : 'uac'}`,
    ...(supportsTimer(request) && { Require: 'timer' }),
  };
}

/**
 * The timer after a re-INVITE or UPDATE from the other side. Null: none any more. If it names no refresher, its sender
 * refreshes; if the sender does not support timers and a proxy has asked for one, we refresh (RFC 4028, 9).
 */
export function timerOfRefresh(request: Readable): SessionTimer | null {
  const requested = sessionExpires(request);
  if (!supportsTimer(request)) return requested && { seconds: requested.seconds, refresher: 'us' };
  return requested && { seconds: requested.seconds, refresher: requested.refresher === 'uas' ? 'us' : 'them' };
}

/** For an INVITE or re-INVITE of ours. */
export function offerHeaders({ seconds, refresher }: SessionTimer, minimum: number): Headers {
  return {
    'Session-Expires': `${seconds};refresher=${refresher === 'us' ? 'uac' : 'uas'}`,
    'Min-SE': `${minimum}`,
    Supported: 'timer',
  };
}

/** The timer that the answer to our INVITE accepts. */
export function timerOfAnswer(answer: Readable): SessionTimer | null {
  const agreed = sessionExpires(answer);
  return agreed && { seconds: agreed.seconds, refresher: agreed.refresher === 'uas' ? 'them' : 'us' };
}

/** The interval that a 422 requires. Null if it names none, or none longer than offered. */
export function requiredSeconds(refusal: Readable, offered: number): number | null {
  const required = minSeconds(refusal);
  return required > offered ? required : null;
}
