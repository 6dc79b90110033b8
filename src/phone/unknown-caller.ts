/**
 * A caller who dials the line's number without a waiting session hears one sentence and a goodbye
 * (RINGKEY_NUMBER_UNKNOWN). Such a call has no row, counts for no account, and ends by itself in seconds.
 */

import { readNumberLanguage } from '../db/merchants/merchants.ts';
import type { NumberOwner } from '../domain/transfer-number.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { Vocabulary } from '../speech/ports.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { CallerGone, type CallLeg, type IncomingCall, type MediaLeg } from './ports.ts';

/** At the same time in this process. Others are refused, so that these calls do not displace payments. */
const MAX_UNKNOWN_CALLERS = 4;
/** Longer than the sentence in any language. */
const UNKNOWN_CALL_MS = 20_000;
const FALLBACK_LANGUAGE = 'en-US';

export class UnknownCallers {
  readonly #deps: PhoneDeps;
  readonly #closing = new AbortController();
  #calls = 0;

  constructor(deps: PhoneDeps) {
    this.#deps = deps;
  }

  /** Whether one more such call can be answered. */
  get hasRoom(): boolean {
    return this.#calls < MAX_UNKNOWN_CALLERS && !this.#closing.signal.aborted;
  }

  /** Ends the live ones. */
  closeAll(): void {
    this.#closing.abort();
  }

  /**
   * Answers, says that no payment is waiting, and hangs up. Resolves when the call has ended.
   * @param dialed the owner of the number @throws if the call cannot be answered
   */
  async speak(call: IncomingCall, dialed: NumberOwner, createMedia: () => Promise<MediaLeg>): Promise<void> {
    this.#calls += 1;
    let media: MediaLeg | null = null;
    let leg: CallLeg | null = null;
    try {
      const [language, created] = await Promise.all([this.#languageOf(dialed), createMedia()]);
      media = created;
      const files = await this.#deps.speech.files({ name: 'no_payment_waiting' }, wordsIn(language));
      if (call.canceled.aborted) return;
      leg = await call.answer(media.localSdp, null);
      if (call.offerSdp === null) await media.negotiate(leg.remoteSdp);
      const { log } = this.#deps;
      log.info(
        { sipCallId: call.sipCallId, source: call.sourceAddress },
        'answered a caller without a waiting session',
      );
      await waitAtMost(UNKNOWN_CALL_MS, Promise.race([media.play(files), leg.ended, media.lost, this.#closed()]));
    } catch (error) {
      if (!(error instanceof CallerGone)) throw error;
    } finally {
      this.#calls -= 1;
      await Promise.all([leg?.hangUp(), media?.destroy()]);
    }
  }

  #closed(): Promise<void> {
    const { signal } = this.#closing;
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async #languageOf(dialed: NumberOwner): Promise<string> {
    const { sql, log } = this.#deps;
    const reading = readNumberLanguage(sql, dialed).catch((error: unknown) => {
      log.warn({ err: error }, 'language of a number could not be read');
      return null;
    });
    return (await waitAtMost(limitsOf(this.#deps).lookUpMs, reading)) ?? FALLBACK_LANGUAGE;
  }
}

/** The sentence contains no name and no amount. */
function wordsIn(language: string): Vocabulary {
  return {
    language,
    voice: null,
    businessName: '',
    amountCents: 0,
    currency: 'USD',
    canText: false,
    successMessage: null,
    failureMessage: null,
    returns: false,
    acceptedBrands: [],
  };
}
