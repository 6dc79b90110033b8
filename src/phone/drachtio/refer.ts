/** Follows one REFER (RFC 3515): its response, its NOTIFYs and the end of its dialog. */
import { deferred } from '../../lib/concurrency/deferred.ts';
import type { LegEnd, ReferOptions, ReferResult, Referral } from '../ports.ts';

/** The content of a NOTIFY of the REFER. */
interface ReferNotify {
  /** The status in its sipfrag body. */
  status: number | null;
  /** Whether it is the last one. */
  terminated: boolean;
}

interface ReferHooks {
  /** Sends a request that every working phone answers. The answer must be reported to {@link ReferAttempt.answered}. */
  probe(): void;
  /** The far end has not answered at all. */
  vanished(): void;
  /**
   * Whether its NOTIFYs arrive here; default true. If not, the ringing limit applies as soon as the REFER is accepted.
   */
  hearsNotify?: boolean;
  /**
   * Whether an accepted REFER without further news counts as completed, because a second attempt would ring the agent
   * twice.
   */
  trustsAcceptance?: boolean;
}

export class ReferAttempt implements Referral {
  readonly #result = deferred<ReferResult>();
  readonly result = this.#result.promise;
  readonly #options: ReferOptions;
  readonly #hooks: ReferHooks;
  readonly #late = new AbortController();
  readonly #probe: NodeJS.Timeout;
  #limit: NodeJS.Timeout;
  #silent = true;
  /** Whether the far end has accepted the REFER. */
  #hasAccepted = false;
  #ringing = false;
  #settled: ReferResult | null = null;

  constructor(options: ReferOptions, hooks: ReferHooks) {
    this.#options = options;
    this.#hooks = hooks;
    this.#limit = setTimeout(() => this.#timeUp(), options.limitMs);
    // A phone that does not know REFER may drop it, but a working phone answers OPTIONS (RFC 3261, 11.2).
    this.#probe = setTimeout(() => this.#silent && hooks.probe(), options.limitMs / 4);
  }

  get succeededLate(): AbortSignal {
    return this.#late.signal;
  }

  /** The far end has sent something. */
  answered(): void {
    this.#silent = false;
  }

  /** The final response to the REFER. */
  responded(status: number): void {
    this.answered();
    if (status >= 200 && status < 300) this.#accepted();
    else this.#settle({ accepted: false, reason: 'refused', status });
  }

  #accepted(): void {
    this.#hasAccepted = true;
    if (this.#hooks.hearsNotify === false && this.#allowRinging()) this.#options.onUnheard?.();
  }

  /** A NOTIFY may come before the response to the REFER (RFC 6665, 4.1.2.4). */
  notified({ status, terminated }: ReferNotify): void {
    this.answered();
    this.#hasAccepted = true;
    if (status !== null && status >= 200) this.#final(status);
    else if (terminated) this.#settle({ accepted: false, reason: 'failed' });
    // 100 says only that an INVITE was sent. 18x: a phone rings.
    else if (status !== null && status >= 180) this.#rings();
  }

  legEnded(by: LegEnd['by']): void {
    const isTransferred = this.#hasAccepted && (by === 'them' || this.#hooks.trustsAcceptance === true);
    this.#settle(isTransferred ? { accepted: true } : { accepted: false, reason: 'leg_gone' });
  }

  connectionLost(): void {
    if (this.#silent) this.#settle({ accepted: false, reason: 'connection_lost' });
  }

  #final(status: number): void {
    if (status >= 300) this.#settle({ accepted: false, reason: 'failed', status });
    else if (this.#settled === null) this.#settle({ accepted: true });
    else if (!this.#settled.accepted) this.#late.abort();
  }

  #rings(): void {
    if (this.#allowRinging()) this.#options.onRinging?.();
  }

  /** @returns whether this was the first time */
  #allowRinging(): boolean {
    if (this.#ringing || this.#settled !== null) return false;
    this.#ringing = true;
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#timeUp(), this.#options.ringingLimitMs);
    return true;
  }

  #timeUp(): void {
    if (this.#hasAccepted && this.#hooks.trustsAcceptance === true) this.#settle({ accepted: true });
    else this.#settle({ accepted: false, reason: this.#silent ? 'leg_gone' : 'timeout' });
    // No response at all to requests in a dialog ends it (RFC 3261, 12.2.1.2).
    if (this.#silent) this.#hooks.vanished();
  }

  #settle(result: ReferResult): void {
    if (this.#settled !== null) return;
    this.#settled = result;
    clearTimeout(this.#limit);
    clearTimeout(this.#probe);
    this.#result.resolve(result);
  }
}
