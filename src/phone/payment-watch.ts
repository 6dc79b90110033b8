/**
 * Watches the session of a live call: a payment on the page, or by the agent, is told to the conversation, and is in
 * the outcome that the agent gets. News only say when to look; what is told was read from the database.
 */

import { findFailedLinkText } from '../db/pay-links/recent-link-text.ts';
import { findStanding, type LiveCharge, type SessionStanding } from '../db/sessions/standing.ts';
import type { CallStage } from '../domain/call-stage.ts';
import type { ChargeId, CheckoutSessionId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { ElsewherePayer, FlowEvent } from '../flow/types.ts';
import { createRerunner, type Rerunner } from '../lib/concurrency/run-again.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { PaymentResult } from '../payments/take-payment.ts';
import type { PhoneDeps } from './deps.ts';

/** A caller who goes back does not wait longer for the database than this. */
const OUTCOME_LIMIT_MS = 400;

export interface WatchedConversation {
  /** A charge of this call is in flight: its answer decides, and news of it are not of another's. */
  readonly charging: boolean;
  /** `by_link`: the line waits for a payment by the link that it had texted. */
  readonly stage: CallStage;
  handle(event: FlowEvent): void;
}

export interface PaymentWatchOptions {
  sessionId: CheckoutSessionId;
  /** As the session stood just before the answer. */
  first: SessionStanding;
  conversation: WatchedConversation;
  /** The page was opened, perhaps once more: it shows the stage of the call from now on. */
  onPageOpened: () => void;
}

type Deps = Pick<PhoneDeps, 'sql' | 'progress' | 'log'>;

export class PaymentWatch {
  readonly #deps: Deps;
  readonly #sessionId: CheckoutSessionId;
  readonly #conversation: WatchedConversation;
  readonly #onPageOpened: () => void;
  readonly #looker: Rerunner;
  /** Charges of this call. */
  readonly #own = new Set<ChargeId>();
  /** What the conversation was told of. */
  readonly #told = new Set<string>();
  /** How things stood at the beginning. */
  readonly #first: SessionStanding;
  #isOpened = false;
  /** By this call. */
  #isPaid = false;
  #stop: (() => void) | null = null;

  constructor(deps: Deps, { sessionId, first, conversation, onPageOpened }: PaymentWatchOptions) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#first = first;
    this.#conversation = conversation;
    this.#onPageOpened = onPageOpened;
    this.#looker = createRerunner(() => this.#look());
  }

  /** @returns what the conversation begins with, where the session is paid or being paid already */
  start(): FlowEvent | null {
    this.#stop = this.#deps.progress.subscribe(this.#sessionId, (news) => {
      if (news === 'page_opened') this.#pageOpened();
      if (news !== 'call_stage') this.look();
    });
    return this.#firstEventOf(this.#first);
  }

  /** Whether somebody may be looking at the page. */
  get isPageOpened(): boolean {
    return this.#isOpened || this.#first.pageOpenedAt !== null;
  }

  /** Reads how the session stands, and tells what is new. */
  look(): void {
    if (this.#stop !== null && !this.#isPaid) this.#looker.wake();
  }

  /**
   * A charge of this call was answered: news of it are no other payer's, from now on. Looks once the conversation has
   * the answer, unless it has paid: then nobody else can.
   */
  answered(result: PaymentResult): void {
    if (result.type !== 'refused') this.#own.add(result.charge.id);
    if (result.type === 'succeeded') this.#isPaid = true;
    else setImmediate(() => this.look());
  }

  /** The outcome with what was paid elsewhere meanwhile: never `failed` where a charge is pending or has succeeded. */
  async corrected(outcome: CallOutcome): Promise<CallOutcome> {
    if (outcome.kind === 'succeeded') return outcome;
    const live = (await waitAtMost(OUTCOME_LIMIT_MS, this.#read()))?.live;
    if (live == null) return outcome;
    return { kind: live.status === 'succeeded' ? 'succeeded' : 'pending', chargeId: live.id };
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
    void this.#looker.close();
  }

  /** Never rejects. @returns null where the database does not say */
  async #read(): Promise<SessionStanding | null> {
    try {
      return await findStanding(this.#deps.sql, this.#sessionId);
    } catch (error) {
      this.#deps.log.warn(
        { err: error, sessionId: this.#sessionId },
        'session of a call cannot be watched now, will retry',
      );
      return null;
    }
  }

  async #look(): Promise<void> {
    if (this.#conversation.charging) return;
    const standing = await this.#read();
    // While a charge of this call is in flight nothing is told: the answer is followed by another look.
    if (standing === null || this.#stop === null || this.#conversation.charging) return;
    if (this.#isPageNew(standing) && this.#isNew('page')) {
      this.#pageOpened();
      this.#conversation.handle({ type: 'page_opened' });
    }
    const event = this.#eventOf(standing);
    if (event !== null) this.#conversation.handle(event);
    // After what became of a charge: the table tells an expired session from a payment that is not confirmed.
    if (standing.status === 'expired' && standing.live === null && this.#isNew('expired')) {
      return this.#conversation.handle({ type: 'refused', reason: 'expired' });
    }
    if (this.#conversation.stage === 'by_link') await this.#lookAtLink(standing);
  }

  /** Whether the caller has got the link. */
  async #lookAtLink({ pageOpenedAt }: SessionStanding): Promise<void> {
    if (pageOpenedAt !== null) return;
    const failed = await findFailedLinkText(this.#deps.sql, this.#sessionId).catch(() => null);
    // What the line does meanwhile is its own: the table knows what of this still matters.
    if (failed === null || this.#stop === null || !this.#isNew(failed)) return;
    this.#conversation.handle({ type: 'link', result: 'not_sent', reason: 'unavailable' });
  }

  #pageOpened(): void {
    this.#isOpened = true;
    this.#onPageOpened();
  }

  /** Opened during this call, for the first time or again. */
  #isPageNew({ pageOpenedAt }: SessionStanding): boolean {
    return pageOpenedAt !== null && (this.#isOpened || this.#first.pageOpenedAt === null);
  }

  /**
   * A charge of an earlier call is nobody's any more: its caller is this one, and is not kept waiting. What was paid
   * before the call is told as such; on the page, perhaps this minute, by the caller.
   */
  #firstEventOf(standing: SessionStanding): FlowEvent | null {
    const { live } = standing;
    if (live?.status === 'pending' && live.source === 'phone') return this.#stillConfirming(live);
    if (live?.status === 'succeeded' && live.source !== 'page' && this.#isNew(`${live.id} paid`)) {
      return { type: 'refused', reason: 'already_paid', chargeId: live.id };
    }
    return this.#eventOf(standing);
  }

  #eventOf({ live, failed }: SessionStanding): FlowEvent | null {
    if (live?.status === 'succeeded') {
      return this.#isNew(`${live.id} paid`) ? { type: 'paid_elsewhere', chargeId: live.id } : null;
    }
    if (live !== null) {
      if (this.#own.has(live.id)) return null;
      if (live.isUnknown) return this.#stillConfirming(live);
      const bankAsks = live.awaitsPayer;
      if (!this.#isNew(`${live.id} ${bankAsks ? 'asked' : 'paying'}`)) return null;
      return { type: 'paying_elsewhere', by: payerOf(live.source), chargeId: live.id, ...(bankAsks && { bankAsks }) };
    }
    if (failed === null || failed.id === this.#first.failed?.id || this.#own.has(failed.id)) return null;
    if (!this.#isNew(`${failed.id} declined`)) return null;
    return { type: 'declined_elsewhere', by: payerOf(failed.source), chargeId: failed.id, code: failed.declineCode };
  }

  /** Nobody is making this payment, and its outcome may take long. */
  #stillConfirming({ id, isUnknown }: LiveCharge): FlowEvent | null {
    if (!this.#isNew(`${id} unconfirmed`)) return null;
    // Where the outcome comes before anybody was left in doubt, no text tells of a decline.
    return { type: 'unconfirmed', chargeId: id, elsewhere: { textFollows: isUnknown } };
  }

  /** Whether the conversation was not told of it yet; from now on it was. */
  #isNew(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    return true;
  }
}

export function payerOf(source: 'phone' | 'saved_card' | 'page'): ElsewherePayer {
  return source === 'page' ? 'page' : 'other';
}
