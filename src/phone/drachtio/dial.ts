/** Places a call: sends an INVITE and waits for its final response. */
import { type CallLeg, DialFailure, type DialOptions } from '../ports.ts';
import { DialogLeg, type RefusesKeys } from './dialog-leg.ts';
import { type ClientRequest, type Dialog, refusalOf, type SrfLibrary, statusOf, type UacOptions } from './library.ts';
import { ALLOW, urisOf } from './messages.ts';
import { offerHeaders, type SessionTimerSettings, secondsAskedBy, timerOfAnswer } from './session-timer.ts';

/** A number that is valid in our From. */
const CALLING_NUMBER = /^\+?\d{2,20}$/;

/** The connection that a leg belongs to. It tracks its legs, and signals when it is lost. */
export interface EdgeConnection {
  track: (leg: DialogLeg) => void;
  isConnected: () => boolean;
  lost: AbortSignal;
  sessionTimer: SessionTimerSettings;
  refusesKeys: RefusesKeys;
}

interface Target {
  uri: string;
  sdp: string;
  headers: Record<string, string>;
}

/** @throws DialFailure; 408 after the limit, 487 if `options.signal` aborts, 503 if the connection is lost */
export function dial(
  srf: SrfLibrary,
  target: Target,
  options: DialOptions,
  connection: EdgeConnection,
): Promise<CallLeg> {
  return new Promise((resolve, reject) => {
    const attempt = new DialAttempt(options, connection.lost, reject);
    if (options.signal.aborted) return;
    const progress = {
      cbRequest: (_error: unknown, request: ClientRequest | undefined) => attempt.sent(request),
      cbProvisional: ({ status }: { status: number }) => {
        if (status >= 180) options.onRinging?.();
      },
    };
    const { intervalSeconds, minSeconds } = connection.sessionTimer;
    const invite = (seconds: number, minimum: number) => {
      const timer = offerHeaders({ seconds, refresher: 'us' }, minimum);
      srf.createUAC(target.uri, uacOptions(target, options, timer), progress, (error: unknown, dialog: Dialog) => {
        const longerSeconds = error && minimum === minSeconds ? longerInterval(error, seconds) : null;
        if (longerSeconds !== null && !attempt.over) invite(longerSeconds, longerSeconds);
        else if (error) attempt.giveUp(statusOf(error), redirectOf(error));
        else {
          const { refusesKeys, isConnected } = connection;
          const session = {
            onKey: null,
            timer: timerOfAnswer(dialog.res),
            minSeconds: minimum,
            refusesKeys,
            isConnected,
          };
          answered(new DialogLeg(srf, dialog, session));
        }
      });
    };
    const answered = (leg: DialogLeg) => {
      connection.track(leg);
      // The 200 may have crossed our CANCEL (RFC 3261, 9.1).
      if (attempt.finish()) resolve(leg);
      else void leg.hangUp();
    };
    invite(intervalSeconds, minSeconds);
  });
}

/** The interval of the session timer that a 422 requires (RFC 4028, 7.4). Null for other failures. */
function longerInterval(error: unknown, offeredSeconds: number): number | null {
  const refusal = statusOf(error) === 422 ? refusalOf(error) : null;
  return refusal && secondsAskedBy(refusal, offeredSeconds);
}

/** The first address of a 301 or 302 (RFC 3261, 8.1.3.4). Null for other failures. */
function redirectOf(error: unknown): string | null {
  if (![301, 302].includes(statusOf(error))) return null;
  return urisOf(refusalOf(error)?.get('Contact') ?? '')[0] ?? null;
}

function uacOptions(target: Target, options: DialOptions, timer: Record<string, string>): UacOptions {
  const { callingNumber, nextHop, credentials } = options;
  return {
    localSdp: target.sdp,
    headers: { Allow: ALLOW, ...timer, ...target.headers },
    ...(callingNumber && CALLING_NUMBER.test(callingNumber) && { callingNumber }),
    ...(nextHop !== null && { proxy: nextHop }),
    // The library sends its second INVITE, with the answer to a 401 or 407, to `proxy` again.
    ...(credentials !== null && { auth: { ...credentials } }),
  };
}

/**
 * The wait for the final response. It ends once: by the response, the limit, the caller's end, or a lost connection.
 */
class DialAttempt {
  readonly #options: DialOptions;
  readonly #lost: AbortSignal;
  readonly #reject: (failure: DialFailure) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #aborted = () => this.giveUp(487);
  readonly #cutOff = () => this.giveUp(503);
  #invite: ClientRequest | undefined;
  #over = false;

  constructor(options: DialOptions, lost: AbortSignal, reject: (failure: DialFailure) => void) {
    this.#options = options;
    this.#lost = lost;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.giveUp(408), options.limitMs);
    options.signal.addEventListener('abort', this.#aborted, { once: true });
    lost.addEventListener('abort', this.#cutOff, { once: true });
    if (options.signal.aborted) this.giveUp(487);
  }

  get over(): boolean {
    return this.#over;
  }

  sent(invite: ClientRequest | undefined): void {
    this.#invite = invite;
    if (this.#over) invite?.cancel();
  }

  giveUp(status: number, redirectedTo: string | null = null): void {
    if (!this.finish()) return;
    this.#invite?.cancel();
    this.#reject(new DialFailure(status, redirectedTo));
  }

  /** @returns whether the wait had not ended before */
  finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#aborted);
    this.#lost.removeEventListener('abort', this.#cutOff);
    return true;
  }
}
