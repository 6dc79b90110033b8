/** Places a call: sends an INVITE and waits for its final response. */
import { type CallLeg, DialFailure, type DialOptions } from '../ports.ts';
import type { DialogLeg, LegSession, RefusesKeys } from './dialog-leg.ts';
import {
  type ClientRequest,
  type ClientResponse,
  type Dialog,
  isRefusal,
  refusalOf,
  type SrfLibrary,
  statusOf,
  type UacOptions,
} from './library.ts';
import { ALLOW, dialogIdOf, urisOf } from './messages.ts';
import { offerHeaders, requiredSeconds, type SessionTimerSettings, timerOfAnswer } from './session-timer.ts';

/** A number that is valid in our From. */
const CALLING_NUMBER = /^\+?\d{2,20}$/;

/** The connection that a leg belongs to. It tracks its legs, and signals when it is lost. */
export interface EdgeConnection {
  /** The name of the SIP server. */
  server: string;
  newLeg: (dialog: Dialog, session: Pick<LegSession, 'onKey' | 'timer' | 'minSeconds'>) => DialogLeg;
  /** Sends a BYE in a dialog from which the library could make no object. */
  endDialog: (dialogId: string) => void;
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
    if (!connection.isConnected()) attempt.giveUp(503);
    if (attempt.over) return;
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
        else if (error) failed(error);
        else {
          const timer = timerOfAnswer(dialog.res);
          answered(connection.newLeg(dialog, { onKey: null, timer, minSeconds: minimum }), dialog.res);
        }
      });
    };
    const failed = (error: unknown) => {
      attempt.fail(statusOf(error), redirectOf(error));
      // They have answered, with headers that make no dialog.
      if (!isRefusal(error) && attempt.dialogId !== null) connection.endDialog(attempt.dialogId);
    };
    const answered = (leg: DialogLeg, response: ClientResponse) => {
      // The library has acknowledged the answer already (RFC 3261, 13.2.2.4).
      if (connection.refusesKeys(response, leg.remoteSdp)) attempt.fail(488);
      else if (attempt.finish()) return resolve(leg);
      // Also if the 200 has crossed our CANCEL (RFC 3261, 9.1).
      void leg.hangUp();
    };
    invite(intervalSeconds, minSeconds);
  });
}

/** The interval of the session timer that a 422 requires (RFC 4028, 7.4). Null for other failures. */
function longerInterval(error: unknown, offeredSeconds: number): number | null {
  const refusal = statusOf(error) === 422 ? refusalOf(error) : null;
  return refusal && requiredSeconds(refusal, offeredSeconds);
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

  /** Null until the INVITE has been sent. */
  get dialogId(): string | null {
    return this.#invite === undefined ? null : dialogIdOf(this.#invite);
  }

  sent(invite: ClientRequest | undefined): void {
    this.#invite = invite;
    if (this.#over) invite?.cancel();
  }

  giveUp(status: number): void {
    if (this.fail(status)) this.#invite?.cancel();
  }

  /** The INVITE has its final response. @returns whether the wait had not ended before */
  fail(status: number, redirectedTo: string | null = null): boolean {
    if (!this.finish()) return false;
    this.#reject(new DialFailure(status, redirectedTo));
    return true;
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
