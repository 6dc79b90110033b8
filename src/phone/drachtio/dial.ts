/** Places a call: sends an INVITE and waits for its final response. */
import { type CallLeg, DialFailure, type DialOptions } from '../ports.ts';
import { DialogLeg } from './dialog-leg.ts';
import { type ClientRequest, type Dialog, type SrfLibrary, statusOf } from './library.ts';

/** A number that may stand in our From. */
const CALLING_NUMBER = /^\+?\d{2,20}$/;

/** The connection that a leg belongs to: it keeps track of its legs, and says when it is lost. */
export interface EdgeConnection {
  track: (leg: DialogLeg) => void;
  lost: AbortSignal;
}

/** @throws DialFailure; 408 past the limit, 487 when `options.signal` aborts, 503 when the connection is lost */
export function dial(
  srf: SrfLibrary,
  target: { uri: string; sdp: string; headers: Record<string, string> },
  options: DialOptions,
  connection: EdgeConnection,
): Promise<CallLeg> {
  return new Promise((resolve, reject) => {
    const attempt = new DialAttempt(options, connection.lost, reject);
    if (options.signal.aborted) return;
    const { callingNumber, onRinging } = options;
    const from = callingNumber && CALLING_NUMBER.test(callingNumber) ? { callingNumber } : {};
    const progress = {
      cbRequest: (_error: unknown, request: ClientRequest | undefined) => attempt.sent(request),
      cbProvisional: ({ status }: { status: number }) => {
        if (status >= 180) onRinging?.();
      },
    };
    const settings = { localSdp: target.sdp, headers: target.headers, ...from };
    srf.createUAC(target.uri, settings, progress, (error: unknown, dialog: Dialog) => {
      if (error) {
        attempt.giveUp(statusOf(error));
        return;
      }
      const leg = new DialogLeg(srf, dialog);
      connection.track(leg);
      // The 200 may have crossed our CANCEL (RFC 3261, 9.1).
      if (attempt.finish()) resolve(leg);
      else void leg.hangUp();
    });
  });
}

/** The wait for the final response, which ends once: by it, the limit, the caller's end, or a lost connection. */
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

  sent(invite: ClientRequest | undefined): void {
    this.#invite = invite;
    if (this.#over) invite?.cancel();
  }

  giveUp(status: number): void {
    if (!this.finish()) return;
    this.#invite?.cancel();
    this.#reject(new DialFailure(status));
  }

  /** @returns whether the wait was still on */
  finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#aborted);
    this.#lost.removeEventListener('abort', this.#cutOff);
    return true;
  }
}
