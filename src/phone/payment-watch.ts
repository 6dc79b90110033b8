/**
 * Watches the session of a live call. A payment on the page or by the agent becomes an event of the conversation, and
 * changes the outcome that the agent gets. News only say when to look; the events come from the database.
 */
import { findFailedLinkText } from '../db/pay-links/link-texts.ts';
import type { LiveCharge, SessionState } from '../db/sessions/session-state.ts';
import type { CallStage } from '../domain/call.ts';
import { differenceOf, isPaidStatus } from '../domain/charge.ts';
import type { ChargeId, CheckoutSessionId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { ElsewherePayer } from '../flow/terms.ts';
import { createRerunner, type Rerunner } from '../lib/concurrency/run-again.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { NewsType } from '../notifications/progress/ports.ts';
import type { PaymentResult } from '../payments/charges/take-payment.ts';
import { paidBefore } from './charge-facts.ts';
import type { PhoneDeps } from './deps.ts';

/** Limit for the database when the caller is about to return to the agent. */
const OUTCOME_LIMIT_MS = 400;

export interface WatchedConversation {
  /** A charge of this call is in flight. Its answer decides, and news about it do not concern another payment. */
  readonly charging: boolean;
  /** `by_link`: the line waits for a payment by the texted link. */
  readonly stage: CallStage;
  handle(event: FlowEvent): void;
}

interface PaymentWatchOptions {
  sessionId: CheckoutSessionId;
  /** The state of the session just before the answer. */
  first: SessionState;
  /** When it was read, by `performance.now()`. */
  readAtMs: number;
  conversation: WatchedConversation;
  /** The page was opened, perhaps again. It shows the call's stage from now on. */
  onPageOpened: () => void;
}

type Deps = Pick<PhoneDeps, 'sql' | 'readSessionState' | 'progress' | 'log'>;

export class PaymentWatch {
  readonly #deps: Deps;
  readonly #sessionId: CheckoutSessionId;
  readonly #conversation: WatchedConversation;
  readonly #onPageOpened: () => void;
  readonly #looker: Rerunner;
  /** The charges of this call. */
  readonly #own = new Set<ChargeId>();
  /** Keys of the events that the conversation already got. */
  readonly #known = new Set<string>();
  /** The state at the start. */
  readonly #first: SessionState;
  readonly #readAtMs: number;
  #isOpened = false;
  /** Paid by this call. */
  #isPaid = false;
  #stop: (() => void) | null = null;

  constructor(deps: Deps, { sessionId, first, readAtMs, conversation, onPageOpened }: PaymentWatchOptions) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#first = first;
    this.#readAtMs = readAtMs;
    this.#conversation = conversation;
    this.#onPageOpened = onPageOpened;
    this.#looker = createRerunner(() => this.#look());
  }

  /** @returns the first event of the conversation if the session is already paid or being paid */
  start(): FlowEvent | null {
    const onNews = (news: NewsType) => {
      if (news === 'page_opened') this.#pageOpened();
      if (news !== 'call_stage') this.look();
    };
    this.#stop = this.#deps.progress.subscribe(this.#sessionId, onNews, this.#readAtMs);
    return this.#firstEventOf(this.#first);
  }

  /** Whether the payer may be looking at the page. */
  get isPageOpened(): boolean {
    return this.#isOpened || this.#first.pageOpenedAt !== null;
  }

  /** Reads the state of the session, and passes on what is new. */
  look(): void {
    if (this.#stop !== null && !this.#isPaid) this.#looker.wake();
  }

  /**
   * A charge of this call was answered: from now on, news about it do not concern another payer. Looks again once the
   * conversation has the answer, unless it has paid: then no one else can pay.
   */
  answered(result: PaymentResult): void {
    if (result.type !== 'refused') this.#own.add(result.charge.id);
    if (result.type === 'succeeded') this.#isPaid = true;
    else setImmediate(() => this.look());
  }

  /** The outcome, corrected by payments elsewhere: never `failed` if a charge is pending or has succeeded. */
  async corrected(outcome: CallOutcome): Promise<CallOutcome> {
    if (outcome.kind === 'succeeded') return outcome;
    const live = (await waitAtMost(OUTCOME_LIMIT_MS, this.#read()))?.live;
    if (live == null || (outcome.kind === 'pending' && outcome.chargeId === live.id && live.status === 'pending'))
      return outcome;
    return isPaidStatus(live.status)
      ? { kind: 'succeeded', chargeId: live.id, ...differenceOf(live) }
      : { kind: 'pending', chargeId: live.id };
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
    void this.#looker.close();
  }

  /** Never rejects. @returns null if the database does not answer */
  async #read(): Promise<SessionState | null> {
    try {
      return await this.#deps.readSessionState(this.#sessionId);
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
    const state = await this.#read();
    // No events while a charge of this call is in flight: its answer triggers another look.
    if (state === null || this.#stop === null || this.#conversation.charging) return;
    if (this.#isPageNew(state) && this.#isNew('page')) {
      this.#pageOpened();
      this.#conversation.handle({ type: 'page_opened' });
    }
    const event = this.#eventOf(state);
    if (event !== null) this.#conversation.handle(event);
    // After the events of charges: the table distinguishes an expired session from an unconfirmed payment.
    if (state.status === 'expired' && state.live === null && this.#isNew('expired')) {
      return this.#conversation.handle({ type: 'refused', reason: 'expired' });
    }
    if (this.#conversation.stage === 'by_link') await this.#lookAtLink(state);
  }

  /** Reports a link text that was not delivered. */
  async #lookAtLink({ pageOpenedAt }: SessionState): Promise<void> {
    if (pageOpenedAt !== null) return;
    const failed = await findFailedLinkText(this.#deps.sql, this.#sessionId).catch(() => null);
    // The line may be doing something else by now. The table decides whether this still matters.
    if (failed === null || this.#stop === null || !this.#isNew(failed)) return;
    this.#conversation.handle({ type: 'link', result: 'not_sent', reason: 'unavailable' });
  }

  #pageOpened(): void {
    this.#isOpened = true;
    this.#onPageOpened();
  }

  /** Whether the page was opened during this call, for the first time or again. */
  #isPageNew({ pageOpenedAt }: SessionState): boolean {
    return pageOpenedAt !== null && (this.#isOpened || this.#first.pageOpenedAt === null);
  }

  /**
   * A pending charge of an earlier call has no other caller waiting: its caller is this one, and must not be kept
   * waiting. A payment before the call is reported as such, except one on the page, which the caller may have made this
   * minute.
   */
  #firstEventOf(state: SessionState): FlowEvent | null {
    const { live } = state;
    if (live?.status === 'pending' && live.source === 'phone') return this.#stillConfirming(live);
    if (live !== null && isPaidStatus(live.status) && live.source !== 'page' && this.#isNew(`${live.id} paid`)) {
      return paidBefore(live);
    }
    return this.#eventOf(state);
  }

  #eventOf({ live, failed }: SessionState): FlowEvent | null {
    if (live !== null && isPaidStatus(live.status)) {
      return this.#isNew(`${live.id} paid`)
        ? { type: 'paid_elsewhere', chargeId: live.id, ...differenceOf(live) }
        : null;
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

  /** No payer is waiting for this payment, and its outcome may take long. */
  #stillConfirming({ id, isUnknown }: LiveCharge): FlowEvent | null {
    if (!this.#isNew(`${id} unconfirmed`)) return null;
    // No text reports a decline if the outcome comes before the payer was left in doubt.
    return { type: 'unconfirmed', chargeId: id, elsewhere: { textFollows: isUnknown } };
  }

  /** Whether this event is new. Marks it as known. */
  #isNew(what: string): boolean {
    if (this.#known.has(what)) return false;
    this.#known.add(what);
    return true;
  }
}

export function payerOf(source: 'phone' | 'saved_card' | 'page'): ElsewherePayer {
  return source === 'page' ? 'page' : 'other';
}
