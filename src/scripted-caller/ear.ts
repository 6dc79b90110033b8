/**
 * The caller's ear: 20 ms frames in, heard sentences out. A sentence is recognized by comparing frames with the
 * phrasebook's, so one that is cut short, swallowed or never played shows as such.
 */
import { type Phrase, type Phrasebook, rms, SILENCE_RMS } from './phrasebook.ts';

/** What was heard. Times are milliseconds on the clock that stamps the frames. */
export interface Heard {
  /** Null: a sound that is no known sentence. */
  text: string | null;
  startedAtMs: number;
  endedAtMs: number;
  /** False when it stopped before its last word. */
  complete: boolean;
}

const FRAME_MS = 20;
/** Share of the energy by which a frame may differ from the phrase's: G.711 leaves under 0.01. */
const TOLERANCE = 0.1;
/** Frames that differ before a candidate is dropped, and silent frames before a sound is over. */
const PATIENCE_FRAMES = 3;

/** Frames that may be missing in one place: a sender that was held up leaves them out. */
const MOST_LEFT_OUT_FRAMES = 50;

/** How long a sound must follow a phrase to be taken for it: 200 ms. */
const SURE_FRAMES = 10;

interface Candidate {
  phrase: Phrase;
  startedAtMs: number;
  /** Index of the phrase's frame that the next frame should equal. */
  at: number;
  misses: number;
}

/** Whether two frames are the same sound but for the codec. */
function alike(heard: Int16Array, expected: Int16Array): boolean {
  let difference = 0;
  let energy = 0;
  for (let i = 0; i < expected.length; i += 1) {
    const want = expected[i] ?? 0;
    const error = (heard[i] ?? 0) - want;
    difference += error * error;
    energy += want * want;
  }
  return difference <= TOLERANCE * energy + SILENCE_RMS * SILENCE_RMS * expected.length * TOLERANCE;
}

/** How many frames further on the phrase sounds as what was heard; 0 when it does not. */
function framesLeftOut({ phrase, at }: Candidate, heard: Int16Array): number {
  const ahead = phrase.frames.slice(at + 1, at + 1 + MOST_LEFT_OUT_FRAMES);
  return ahead.findIndex((frame) => alike(heard, frame)) + 1;
}

export class Ear {
  readonly #book: Pick<Phrasebook, 'phrases'>;
  readonly #onHeard: (heard: Heard) => void;
  #phrases: readonly Phrase[] = [];
  #candidates: Candidate[] = [];
  /** Start of the sound under way that nothing was reported of yet; null in silence. */
  #startedAtMs: number | null = null;
  #quietFrames = 0;
  #lastSoundAtMs = 0;

  constructor(book: Pick<Phrasebook, 'phrases'>, onHeard: (heard: Heard) => void) {
    this.#book = book;
    this.#onHeard = onHeard;
  }

  /** Feeds the frame that arrived at `atMs`. */
  frame(samples: Int16Array, atMs: number): void {
    const audible = rms(samples) >= SILENCE_RMS;
    if (this.#startedAtMs === null && this.#candidates.length === 0) {
      if (!audible) return;
      this.#startedAtMs = atMs;
      this.#phrases = this.#book.phrases();
    }
    if (audible) this.#lastSoundAtMs = atMs + FRAME_MS;
    this.#quietFrames = audible ? 0 : this.#quietFrames + 1;
    this.#follow(samples, audible);
    const certain = this.#candidates.some(({ at, misses }) => at >= SURE_FRAMES && misses === 0);
    if (audible && !certain) this.#consider(samples, atMs);
    if (this.#candidates.length === 0 && this.#quietFrames >= PATIENCE_FRAMES) this.#unknown(this.#lastSoundAtMs);
  }

  /** The call is over: what was being heard ends here. */
  end(): void {
    const best = this.#best(this.#candidates);
    if (best) this.#known(best, false);
    else this.#unknown(this.#lastSoundAtMs);
  }

  /** Compares the frame with what each candidate expects. The last candidate to go was what was heard. */
  #follow(samples: Int16Array, audible: boolean): void {
    const before = this.#candidates;
    for (const candidate of before) {
      const expected = candidate.phrase.frames[candidate.at];
      const missed = expected !== undefined && !alike(samples, expected);
      const leftOut = missed && audible ? framesLeftOut(candidate, samples) : 0;
      if (missed && leftOut === 0) candidate.misses += 1;
      // A gap that the network made: the phrase goes on after it.
      if (!missed || audible) candidate.at += 1 + leftOut;
    }
    const fitting = before.filter(({ misses }) => misses < PATIENCE_FRAMES);
    this.#candidates = fitting;
    const whole = this.#best(fitting.filter(({ at, phrase }) => at >= phrase.frames.length));
    const lost = this.#best(before.filter(({ misses }) => misses >= PATIENCE_FRAMES));
    const found = whole ?? lost;
    // Another phrase with the same beginning may still explain more.
    const rival = fitting.some(
      ({ at, phrase, startedAtMs }) => at < phrase.frames.length && startedAtMs <= (found?.startedAtMs ?? 0),
    );
    if (found && !rival) this.#known(found, found === whole);
  }

  /** Phrases that may begin with this frame, or did with the one before, on the edge of audibility. */
  #consider(samples: Int16Array, atMs: number): void {
    for (const phrase of this.#phrases) {
      const at = phrase.frames.slice(0, 2).findIndex((frame) => alike(samples, frame));
      if (at >= 0) this.#candidates.push({ phrase, startedAtMs: atMs - at * FRAME_MS, at: at + 1, misses: 0 });
    }
  }

  /** The candidate that explains most; null when none is sure. A phrase of under 200 ms has to be whole. */
  #best(candidates: readonly Candidate[]): Candidate | null {
    const sure = candidates.filter(({ at, phrase }) => at >= Math.min(SURE_FRAMES, phrase.frames.length));
    return sure.reduce<Candidate | null>(
      (most, one) => (most && most.at - most.misses >= one.at - one.misses ? most : one),
      null,
    );
  }

  #known({ phrase, startedAtMs, at }: Candidate, complete: boolean): void {
    if (this.#startedAtMs !== null && startedAtMs - this.#startedAtMs > PATIENCE_FRAMES * FRAME_MS) {
      this.#unknown(startedAtMs);
    }
    // What began in its last frames is another sentence, that cut it short.
    const nearEndMs = startedAtMs + (at - PATIENCE_FRAMES) * FRAME_MS;
    const next = this.#candidates.filter((one) => one.startedAtMs >= nearEndMs && one.misses < PATIENCE_FRAMES);
    const endedAtMs = complete
      ? this.#lastSoundAtMs
      : Math.min(this.#lastSoundAtMs, next[0]?.startedAtMs ?? Number.POSITIVE_INFINITY);
    this.#reset();
    this.#candidates = next;
    this.#onHeard({ text: complete ? phrase.text : this.#words(phrase, at), startedAtMs, endedAtMs, complete });
  }

  /** The words of a phrase that was cut after `frames`: where others begin alike, only what they share. */
  #words(phrase: Phrase, frames: number): string {
    const alikeSoFar = this.#phrases.filter((other) =>
      phrase.frames.slice(0, frames - PATIENCE_FRAMES).every((frame, index) => {
        const same = other.frames[index];
        return same !== undefined && alike(same, frame);
      }),
    );
    const words = phrase.text.split(' ');
    const shared = words.findIndex((word, index) => alikeSoFar.some(({ text }) => text.split(' ')[index] !== word));
    return shared < 0 ? phrase.text : `${words.slice(0, shared).join(' ')} …`.trimStart();
  }

  #unknown(endedAtMs: number): void {
    const startedAtMs = this.#startedAtMs;
    this.#reset();
    if (startedAtMs !== null) this.#onHeard({ text: null, startedAtMs, endedAtMs, complete: true });
  }

  #reset(): void {
    this.#startedAtMs = null;
    this.#candidates = [];
  }
}
