/**
 * Session timers (RFC 4028) as in drachtio-server v0.9.10: the application agrees on a timer in its headers, the server
 * refreshes or hangs up. A 200 to an INVITE without Session-Expires leaves the timer unchanged.
 */
import { headerValue, type SipMessage, type SipRequest } from '../sip/index.ts';
import type { OwnedDialog } from './calls.ts';

/** The minimum of RFC 4028. */
const MIN_SESSION_SECONDS = 90;
/** About the maximum of setTimeout. */
const MAX_SECONDS = 2_000_000;
/** The reason that drachtio-server gives and drachtio-srf passes to the application. */
const EXPIRED = 'SIP ;cause=200 ;text="Session timer expired"';

type Refresher = 'us' | 'them';

interface SessionExpires {
  seconds: number;
  refresher: 'uac' | 'uas' | undefined;
}

function readSessionExpires(value: string | undefined): SessionExpires | undefined {
  const seconds = /^\s*(\d{1,9})\b/.exec(value ?? '')?.[1];
  if (seconds === undefined) return undefined;
  const refresher = /;\s*refresher\s*=\s*(uac|uas)\b/i.exec(value ?? '')?.[1]?.toLowerCase();
  return { seconds: Number(seconds), refresher: refresher === 'uac' || refresher === 'uas' ? refresher : undefined };
}

function sessionExpiresOf(message: SipMessage): SessionExpires | undefined {
  return readSessionExpires(headerValue(message, 'Session-Expires'));
}

export class SessionTimers {
  readonly #minSeconds: number;
  readonly #timers = new Map<OwnedDialog, { refresher: Refresher; seconds: number; timer: NodeJS.Timeout }>();

  constructor(minSeconds = MIN_SESSION_SECONDS) {
    this.#minSeconds = minSeconds;
  }

  /**
   * The Session-Expires of a 200 to an initial INVITE: the application's, otherwise the caller's if it names the
   * refresher. If neither names one, drachtio-server has no timer unless configured.
   */
  agreed(invite: SipRequest, byApplication: string | undefined): SessionExpires | undefined {
    const wanted = readSessionExpires(byApplication) ?? sessionExpiresOf(invite);
    if (wanted === undefined || (byApplication === undefined && wanted.refresher === undefined)) return undefined;
    return { ...wanted, seconds: Math.max(wanted.seconds, this.#minSeconds) };
  }

  /** Our side has answered an INVITE. */
  answered(owned: OwnedDialog, { seconds, refresher }: SessionExpires): void {
    this.#start(owned, seconds, refresher === 'uas' ? 'us' : 'them');
  }

  /** The other side has answered an INVITE or re-INVITE of ours with 200. */
  accepted(owned: OwnedDialog, answer: SipMessage): void {
    const agreed = sessionExpiresOf(answer);
    if (agreed) this.#start(owned, agreed.seconds, agreed.refresher === 'uas' ? 'them' : 'us');
  }

  /**
   * A re-INVITE or UPDATE from the network. @returns the Min-SE of its refusal with 422; undefined if it is accepted
   */
  refreshed(owned: OwnedDialog, request: SipRequest): number | undefined {
    const weWere = this.#timers.get(owned)?.refresher === 'us';
    this.stop(owned);
    const requested = sessionExpiresOf(request);
    if (requested === undefined) return undefined;
    if (requested.seconds < this.#minSeconds) return this.#minSeconds;
    const they = requested.refresher === 'uac' || (requested.refresher === undefined && weWere);
    this.#start(owned, requested.seconds, they ? 'them' : 'us');
    return undefined;
  }

  stop(owned: OwnedDialog): void {
    clearTimeout(this.#timers.get(owned)?.timer);
    this.#timers.delete(owned);
  }

  #start(owned: OwnedDialog, seconds: number, refresher: Refresher): void {
    this.stop(owned);
    if (!owned.dialog.alive) return;
    // The refresher sends its refresh after half the time (RFC 4028, 7.2).
    const delaySeconds = Math.min(seconds, MAX_SECONDS) / (refresher === 'us' ? 2 : 1);
    const timer = setTimeout(() => {
      this.#timers.delete(owned);
      if (refresher === 'us') void this.#refresh(owned, seconds);
      else this.#hangUp(owned);
    }, delaySeconds * 1_000);
    this.#timers.set(owned, { refresher, seconds, timer });
  }

  async #refresh(owned: OwnedDialog, seconds: number): Promise<void> {
    const headers = {
      'Session-Expires': `${seconds}; refresher=uac`,
      'Min-SE': this.#minSeconds,
      'Content-Type': 'application/sdp',
    };
    const answer = await owned.dialog.request({ method: 'INVITE', headers, body: owned.localSdp }).final;
    if (!owned.dialog.alive) return;
    if (answer.status === 200) this.accepted(owned, answer);
    // The other side sent a re-INVITE at the same time (RFC 3261, 14.1).
    else if (answer.status === 491) this.#start(owned, seconds, 'us');
    else this.#hangUp(owned);
  }

  #hangUp({ dialog }: OwnedDialog): void {
    if (!dialog.alive) return;
    const bye = dialog.bye({ Reason: EXPIRED });
    bye.once('sent', (message) => dialog.end({ by: 'stack', cause: 'session-expired', message }));
  }
}
