/**
 * Which synthesizers speak an utterance, in order: the one that its voice names, else the chosen one; then espeak-ng in
 * the same language. After them come recordings (`speech.ts`).
 */
import type { Synthesizer, SynthesizerId, Utterance } from './ports.ts';

/** Needs no network and no key, and speaks every language that there are words in. */
const LAST: SynthesizerId = 'espeak-ng';

/** One try of the chain. */
export interface ChainStep {
  synthesizer: Synthesizer;
  /** With the synthesizer's own name of the voice. */
  utterance: Utterance;
}

/** Digits in a row, with what people put between them, as many as a card number has at least. */
const MAYBE_CARD = /\d(?:[ .-]?\d){11}/;
const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

export class Synthesizers {
  readonly #byId: ReadonlyMap<string, Synthesizer>;
  readonly #chosen: Synthesizer | null;

  /**
   * @param all that the settings allow
   * @param chosen for utterances without a voice; null: nothing is rendered at all
   */
  constructor(all: readonly Synthesizer[], chosen: SynthesizerId | null) {
    this.#byId = new Map(all.map((synthesizer) => [synthesizer.id, synthesizer]));
    this.#chosen = chosen === null ? null : (this.#byId.get(chosen) ?? null);
  }

  get all(): readonly Synthesizer[] {
    return [...this.#byId.values()];
  }

  /** False where recordings are all there is. */
  get canRender(): boolean {
    return this.#chosen !== null;
  }

  /** In the order in which they are tried; empty where recordings are all there is. */
  chainFor(utterance: Utterance): ChainStep[] {
    if (this.#chosen === null) return [];
    const named = utterance.voice === null ? null : parseVoice(utterance.voice);
    const first = named === null ? undefined : this.#byId.get(named.synthesizer);
    const steps: ChainStep[] = [
      first !== undefined && named !== null
        ? { synthesizer: first, utterance: { ...utterance, voice: named.name } }
        : { synthesizer: this.#chosen, utterance: { ...utterance, voice: null } },
    ];
    const last = this.#byId.get(LAST);
    if (last !== undefined && steps[0]?.synthesizer !== last) {
      steps.push({ synthesizer: last, utterance: { ...utterance, voice: null } });
    }
    return steps.filter(({ synthesizer }) => synthesizer === last || mayLeave(utterance.text));
  }

  /** Whether a merchant may have this voice: its synthesizer is set up here, and may have a voice of that name. */
  mayHave(voice: string): boolean {
    const { synthesizer, name } = parseVoice(voice);
    return this.#byId.get(synthesizer)?.mayHave(name) ?? false;
  }
}

/** What may be sent to a vendor: no text that may hold a card number, and none that there is nothing to say of. */
function mayLeave(text: string): boolean {
  return hasWords(text) && !MAYBE_CARD.test(text);
}

/** `<synthesizer>:<voice>`; a name without a colon is espeak-ng's. */
function parseVoice(voice: string): { synthesizer: string; name: string } {
  const colon = voice.indexOf(':');
  return colon < 0
    ? { synthesizer: LAST, name: voice }
    : { synthesizer: voice.slice(0, colon), name: voice.slice(colon + 1) };
}
