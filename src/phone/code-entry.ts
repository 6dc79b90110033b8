/**
 * Runs the entry of a transfer code on an answered call: passes keys and time to the pure steps (flow/code-entry.ts),
 * and looks codes up. A code is used up when it names a session.
 */
import { findSessionOfCall, type SessionForCall } from '../db/sessions/sessions.ts';
import { type CodeOwner, findCodeOwner, takeTransferCode } from '../db/sessions/transfer-codes.ts';
import type { Secret } from '../domain/secret.ts';
import type { NumberOwner } from '../domain/transfer-number.ts';
import { type CodeEffect, type CodeEvent, type CodeState, codeStep, startCodeEntry } from '../flow/code-entry.ts';
import { deferred } from '../lib/concurrency/deferred.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import { payingCallOf } from './call-session.ts';
import { type CodeCaller, limitsOf, type PhoneDeps, type TransferCodes } from './deps.ts';
import { KeyBuffer } from './key-buffer.ts';
import type { CallLeg, IncomingCall, MediaLeg } from './ports.ts';

/** What a call needs to name its session by a code. */
export interface CodeListening {
  codes: TransferCodes;
  owner: CodeOwner;
  caller: CodeCaller;
  keys: KeyBuffer;
}

/** Null: codes are of no use to this call. Never rejects. @param dialed the owner of the number */
export async function codeListeningFor(
  deps: PhoneDeps,
  call: IncomingCall,
  dialed: NumberOwner,
): Promise<CodeListening | null> {
  const { sql, log, codes, settings } = deps;
  if (codes === undefined) return null;
  const finding = findCodeOwner(sql, dialed).catch((error: unknown) => {
    log.warn({ err: error, sipCallId: call.sipCallId }, 'transfer codes could not be read');
    return null;
  });
  const owner = await waitAtMost(limitsOf(deps).lookUpMs, finding);
  if (owner === null) return null;
  const { number, source } = payingCallOf(call, settings);
  const caller = { accountId: owner.accountId, trunk: source, number: number ?? 'withheld' };
  if (!(await codes.mayTry(caller))) {
    log.warn({ sipCallId: call.sipCallId, trunk: source }, 'too many wrong transfer codes: not listening for one');
    return null;
  }
  return { codes, owner, caller, keys: new KeyBuffer(call.offerSdp) };
}

type Deps = Pick<PhoneDeps, 'sql' | 'log' | 'limits'>;

/** `failed`: the database did not answer. */
type CheckedCode = SessionForCall | 'wrong' | 'failed';

export class CodeEntry {
  readonly #deps: Deps;
  readonly #listening: CodeListening;
  readonly #done = deferred<SessionForCall | null>();
  #state: CodeState = startCodeEntry();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps, listening: CodeListening) {
    this.#deps = deps;
    this.#listening = listening;
  }

  /**
   * Listens from the answer on. The keys are held when it has ended. @param over resolves when the call has ended
   * @returns the session; null if no right code came, or the call has ended
   */
  async run(leg: CallLeg, media: MediaLeg, over: Promise<unknown>): Promise<SessionForCall | null> {
    const { keys } = this.#listening;
    keys.connect({ onKey: (key) => this.#handle({ type: 'key', key }), note: () => undefined, kind: () => undefined });
    keys.useMedia(media, leg.remoteSdp);
    leg.onOffer(async (sdp) => {
      const answer = await media.negotiate(sdp);
      keys.describe(sdp);
      return answer;
    });
    void over.then(() => this.#handle({ type: 'hung_up' }));
    this.#handle({ type: 'answered' });
    keys.release();
    const found = await this.#done.promise;
    keys.hold();
    // Some platforms end the code so. Kept, it would make the caller's next one a request for the pay link.
    keys.dropHeld('#');
    keys.expectAnotherPhone();
    return found;
  }

  #handle(event: CodeEvent): void {
    const { state, effects } = codeStep(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: CodeEffect): void {
    switch (effect.type) {
      case 'start_timer':
        this.#startTimer(effect.ms);
        break;
      case 'cancel_timer':
        clearTimeout(this.#timer);
        this.#timer = undefined;
        break;
      case 'check_code':
        this.#listening.keys.hold();
        void this.#check(effect.code);
        break;
      case 'give_up':
        this.#done.resolve(null);
        break;
    }
  }

  /** Reads the sockets before it fires, as the conversation's timer does. */
  #startTimer(ms: number): void {
    clearTimeout(this.#timer);
    const timer = setTimeout(() => setImmediate(() => this.#timer === timer && this.#handle({ type: 'silence' })), ms);
    this.#timer = timer;
  }

  /** Never rejects. */
  async #check(code: Secret): Promise<void> {
    const { codes, caller, keys } = this.#listening;
    const limit = 2 * limitsOf(this.#deps).lookUpMs;
    const checked = await waitAtMost(limit, this.#look(code), 'failed' as const);
    if (checked !== 'wrong') {
      this.#handle({ type: 'checked' });
      this.#done.resolve(checked === 'failed' ? null : checked);
      return;
    }
    this.#deps.log.info({ accountId: caller.accountId, trunk: caller.trunk }, 'wrong transfer code');
    await codes.countWrong(caller);
    this.#handle({ type: 'wrong_code', isLast: !(await codes.mayTry(caller)) });
    keys.release();
  }

  async #look(code: Secret): Promise<CheckedCode> {
    const { codes, owner } = this.#listening;
    const { sql, log } = this.#deps;
    const hash = codes.hash(owner.accountId, code);
    try {
      const id = await takeTransferCode(sql, owner, hash);
      return id === null ? 'wrong' : ((await findSessionOfCall(sql, id)) ?? 'wrong');
    } catch (error) {
      log.warn({ err: error, accountId: owner.accountId }, 'transfer code could not be looked up');
      return 'failed';
    }
  }
}
