/**
 * Callers who dial the line's number and whose number has no waiting session. If the number's owner has open transfer
 * codes, the line first listens for one, which a platform dials. Otherwise, and if none comes, the caller hears one
 * sentence and a goodbye (RINGKEY_NUMBER_UNKNOWN). Such a call has no row, counts for no account, and ends by itself.
 */
import { readNumberLanguage } from '../db/merchants/merchants.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { NumberOwner } from '../domain/transfer-number.ts';
import type { Line } from '../flow/lines.ts';
import { deferred } from '../lib/concurrency/deferred.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { Vocabulary } from '../speech/ports.ts';
import { CodeEntry, type CodeListening } from './code-entry.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { CallerGone, type CallLeg, type IncomingCall, type MediaLeg } from './ports.ts';

/** At the same time in this process. Others are refused, so that these calls do not displace payments. */
const MAX_UNKNOWN_CALLERS = 4;
/** The same while the line listens for codes, as a share of all calls: every call of some platforms starts so. */
const LISTENING_SHARE = 0.25;
/** Longer than the sentence in any language. */
const UNKNOWN_CALL_MS = 20_000;
const FALLBACK_LANGUAGE = 'en-US';

interface Legs {
  leg: CallLeg;
  media: MediaLeg;
  /** Resolves when one of them has ended, or all such calls have to end. */
  over: Promise<unknown>;
}

/** An answered call whose code has named a session. */
export interface NamedCall {
  found: SessionForCall;
  leg: CallLeg;
  media: MediaLeg;
  /** Says that the session cannot be paid on this call, and hangs up. */
  refuse: () => Promise<void>;
}

export class UnknownCallers {
  readonly #deps: PhoneDeps;
  /** For each live call: ends it. */
  readonly #ends = new Set<() => void>();
  #isClosed = false;
  readonly #calls = { speaking: 0, listening: 0 };

  constructor(deps: PhoneDeps) {
    this.#deps = deps;
  }

  /** Whether one more such call can be answered. @param listens for a code */
  hasRoom(listens: boolean): boolean {
    if (this.#isClosed) return false;
    if (!listens) return this.#calls.speaking < MAX_UNKNOWN_CALLERS;
    const limit = Math.max(MAX_UNKNOWN_CALLERS, Math.floor(this.#deps.settings.maxCalls * LISTENING_SHARE));
    return this.#calls.listening < limit;
  }

  /** Ends the live ones. */
  closeAll(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end();
  }

  /**
   * Answers, and listens for a code if `listening` is given. Without a right one, says that no payment is waiting, and
   * hangs up.
   * @param dialed the owner of the number
   * @returns null when the call has ended. @throws if the call cannot be answered
   */
  async answer(
    call: IncomingCall,
    dialed: NumberOwner,
    listening: CodeListening | null,
    createMedia: () => Promise<MediaLeg>,
  ): Promise<NamedCall | null> {
    const kind = listening === null ? 'speaking' : 'listening';
    this.#calls[kind] += 1;
    const closed = deferred<void>();
    this.#ends.add(closed.resolve);
    let media: MediaLeg | null = null;
    let leg: CallLeg | null = null;
    let named: NamedCall | null = null;
    try {
      const [language, created] = await Promise.all([this.#languageOf(dialed), createMedia()]);
      media = created;
      const sentence = () => this.#files('no_payment_waiting', language);
      const files = listening === null ? await sentence() : null;
      if (call.canceled.aborted) return null;
      leg = await call.answer(media.localSdp, listening?.keys.sink ?? null);
      if (call.offerSdp === null) await media.negotiate(leg.remoteSdp);
      this.#noteAnswer(call, listening !== null);
      const legs = { leg, media, over: Promise.race([leg.ended, media.lost, closed.promise]) };
      const found = listening === null ? null : await this.#listen(legs, listening);
      if (found !== null) {
        named = { found, leg, media, refuse: async () => this.#refuse(legs, language) };
        return named;
      }
      await this.#play(legs, files ?? (await sentence()));
      return null;
    } catch (error) {
      if (!(error instanceof CallerGone)) throw error;
      return null;
    } finally {
      this.#calls[kind] -= 1;
      this.#ends.delete(closed.resolve);
      if (named === null) await Promise.all([leg?.hangUp(), media?.destroy()]);
    }
  }

  #noteAnswer(call: IncomingCall, listens: boolean): void {
    const fields = { sipCallId: call.sipCallId, source: call.sourceAddress };
    this.#deps.log.info({ ...fields, listens }, 'answered a caller without a waiting session');
    if (listens) this.#deps.onAnswer?.((Date.now() - call.receivedAt.getTime()) / 1_000);
  }

  #listen({ leg, media, over }: Legs, listening: CodeListening): Promise<SessionForCall | null> {
    return new CodeEntry(this.#deps, listening).run(leg, media, over);
  }

  async #refuse(legs: Legs, language: string): Promise<void> {
    await this.#play(legs, await this.#files('session_not_taken', language));
    await Promise.all([legs.leg.hangUp(), legs.media.destroy()]);
  }

  async #play({ media, over }: Legs, files: readonly string[]): Promise<void> {
    await waitAtMost(UNKNOWN_CALL_MS, Promise.race([media.play(files), over]));
  }

  #files(name: Extract<Line['name'], 'no_payment_waiting' | 'session_not_taken'>, language: string) {
    return this.#deps.speech.files({ name }, wordsIn(language));
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
