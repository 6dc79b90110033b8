/**
 * Keeps a transfer code away from the conversation of a call that was found by its calling number. A platform cannot know
 * that its trunk shows the caller's number this time, so it dials the code anyway, right after the answer. Without this,
 * the code would start a card number, or choose a merchant.
 *
 * Keys are held back while they can still be a code that a machine dials: eight digits, each soon after the one before.
 */
import { Secret } from '../domain/secret.ts';
import { TRANSFER_CODE_DIGITS } from '../domain/transfer-number.ts';
import type { PhoneLimits } from './deps.ts';

export interface CodeCandidates {
  /** The place of the session that has the code; -1 if none has. */
  placeOf: (code: Secret) => number;
  /** The code was dialed. */
  onCode: (place: number) => void;
  /** Not a part of a code. */
  pass: (key: Secret) => void;
  /** What a platform may have dialed is over, also if a tone of its code was not recognized. */
  onOver: () => void;
}

export class DialedCode {
  readonly #candidates: CodeCandidates;
  readonly #limits: Pick<PhoneLimits, 'codeStartMs' | 'codeGapMs'>;
  readonly #startedAtMs = performance.now();
  readonly #held: Secret[] = [];
  /** `ended`: a `#` that follows the code at once belongs to it. */
  #state: 'listening' | 'ended' | 'over' = 'listening';
  #timer: NodeJS.Timeout | undefined;

  constructor(candidates: CodeCandidates, limits: Pick<PhoneLimits, 'codeStartMs' | 'codeGapMs'>) {
    this.#candidates = candidates;
    this.#limits = limits;
  }

  press(key: Secret): void {
    if (this.#state === 'ended') {
      this.#state = 'over';
      if (key.reveal((character) => character === '#')) key.wipe();
      else this.#candidates.pass(key);
    } else if (this.#state === 'over') this.#candidates.pass(key);
    else this.#hold(key);
  }

  #hold(key: Secret): void {
    const isDigit = key.reveal((character) => character !== '*' && character !== '#');
    this.#held.push(key);
    const isLate = performance.now() - this.#startedAtMs > this.#limits.codeStartMs && this.#held.length === 1;
    clearTimeout(this.#timer);
    if (!isDigit || isLate) this.#release();
    else if (this.#held.length === TRANSFER_CODE_DIGITS) this.#compare();
    else this.#timer = setTimeout(() => setImmediate(() => this.#release()), this.#limits.codeGapMs);
  }

  /** Wipes what is held back. Idempotent. */
  close(): void {
    this.#state = 'over';
    clearTimeout(this.#timer);
    for (const key of this.#held.splice(0)) key.wipe();
  }

  #compare(): void {
    const code = this.#held.reduce((before, key) => before.append(key), Secret.empty());
    const place = this.#candidates.placeOf(code);
    code.wipe();
    if (place < 0) {
      this.#release();
      return;
    }
    this.close();
    this.#state = 'ended';
    this.#candidates.onOver();
    this.#candidates.onCode(place);
  }

  #release(): void {
    if (this.#state !== 'listening') return;
    this.#state = 'over';
    clearTimeout(this.#timer);
    this.#candidates.onOver();
    for (const key of this.#held.splice(0)) this.#candidates.pass(key);
  }
}
