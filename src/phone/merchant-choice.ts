/** The question for a caller who has payments waiting at several merchants, and the claim of the chosen session. */
import { claimSession } from '../db/calls/calls.ts';
import { findSessionOfCall, type SessionForCall } from '../db/sessions/sessions.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import type { Line } from '../flow/lines.ts';
import { choiceLine } from '../flow/merchant-choice.ts';
import type { SpokenMerchant } from '../flow/terms.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { Vocabulary } from '../speech/ports.ts';
import { type Transcript, transcriptOf } from '../speech/transcript.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import type { CallRecord } from './call-record.ts';
import type { CallSession } from './call-session.ts';
import { limitsOf, type PhoneDeps } from './deps.ts';
import { endLostCalls } from './lost-calls.ts';
import type { WaitingSessions } from './session-lookup.ts';

export class MerchantChoice {
  /** The owner of all sessions that may be chosen. */
  readonly accountId: AccountId;
  readonly mode: Mode;
  readonly merchants: readonly SpokenMerchant[];
  /** The codes of the sessions, in the same order. */
  readonly codeHashes: readonly (Buffer | null)[];
  readonly #deps: PhoneDeps;
  readonly #sessions: WaitingSessions;
  readonly #callSessionOf: (facts: SessionForCall) => CallSession;
  readonly #vocabulary: Vocabulary;
  /** Files of the question, looked up before the answer. */
  readonly #question: Promise<readonly string[]>;

  /** @param sessions in the order of their keys; the question uses the language and voice of the first */
  constructor(deps: PhoneDeps, sessions: WaitingSessions, callSession: (facts: SessionForCall) => CallSession) {
    const [{ session, merchant }] = sessions;
    this.#deps = deps;
    this.#sessions = sessions;
    this.#callSessionOf = callSession;
    this.accountId = session.accountId;
    this.mode = session.mode;
    this.codeHashes = sessions.map(({ transferCodeHash }) => transferCodeHash);
    this.merchants = sessions.map((each) => ({
      businessName: each.merchant.businessName,
      amount: each.session.amount,
    }));
    // These belong to one session alone. The question uses only its language and voice.
    const own = { other: null, successMessage: null, failureMessage: null, returns: false };
    this.#vocabulary = { ...vocabularyOf(session, merchant, false), ...own };
    this.#question = deps.speech.files(choiceLine(this.merchants), this.#vocabulary);
  }

  files(line: Line): Promise<readonly string[]> {
    const isFirst = line.name === 'choose_merchant' && line.attempt === 1 && line.error === null;
    return isFirst ? this.#question : this.#deps.speech.files(line, this.#vocabulary);
  }

  words(line: Line): Transcript {
    return transcriptOf(this.#deps.speech, line, this.#vocabulary);
  }

  /**
   * Claims the chosen session and reads it again: it may have been paid or have expired since the question.
   * @returns null if another call has it, it was called too often, or the database does not answer in time
   */
  async take(place: number, record: Pick<CallRecord, 'id' | 'leaseId'>): Promise<CallSession | null> {
    const chosen = this.#sessions[place];
    if (chosen === undefined) return null;
    const taking = this.#claimAndRead(chosen, record).catch((error: unknown) => {
      this.#deps.log.warn({ err: error, callId: record.id }, 'chosen session could not be claimed');
      return null;
    });
    const facts = await waitAtMost(2 * limitsOf(this.#deps).lookUpMs, taking);
    return facts === null ? null : this.#callSessionOf(facts);
  }

  async #claimAndRead(
    { session: { id } }: SessionForCall,
    record: Pick<CallRecord, 'id' | 'leaseId'>,
  ): Promise<SessionForCall | null> {
    const { sql, log } = this.#deps;
    const claim = () => claimSession(sql, record, id);
    let claimed = await claim();
    // Rows of dead processes must not block a call.
    if (claimed === 'busy' && (await endLostCalls(this.#deps, id)) > 0) claimed = await claim();
    if (claimed === 'claimed') return findSessionOfCall(sql, id);
    log.info({ callId: record.id, reason: claimed }, 'chosen session could not be claimed');
    return null;
  }
}
