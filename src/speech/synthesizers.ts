/**
 * The synthesizers that are tried for an utterance, in order: the one of its voice, or the default one; then espeak-ng in
 * the same language. If all fail, recordings play (`speech.ts`).
 */
import type { KnownVoice, Synthesizer, SynthesizerId, Utterance } from './ports.ts';

/** Needs no network and no key, and speaks all languages of the line. */
const LAST: SynthesizerId = 'espeak-ng';

/** One attempt of the chain. */
export interface ChainStep {
  synthesizer: Synthesizer;
  /** With the synthesizer's own name of the voice. */
  utterance: Utterance;
}

/** As many digits as the shortest card number, also with separators. */
const MAYBE_CARD = /\d(?:[ .-]?\d){11}/;
const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

export class Synthesizers {
  readonly #byId: ReadonlyMap<string, Synthesizer>;
  readonly #chosen: Synthesizer | null;

  /**
   * @param all the configured ones
   * @param chosen for utterances without a voice. Null if nothing is rendered
   */
  constructor(all: readonly Synthesizer[], chosen: SynthesizerId | null) {
    this.#byId = new Map(all.map((synthesizer) => [synthesizer.id, synthesizer]));
    this.#chosen = chosen === null ? null : (this.#byId.get(chosen) ?? null);
  }

  get all(): readonly Synthesizer[] {
    return [...this.#byId.values()];
  }

  /** False if only recordings play. */
  get canRender(): boolean {
    return this.#chosen !== null;
  }

  /** In the order of the attempts. Empty if only recordings play. */
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

  /** Whether a merchant can use this voice: its synthesizer is configured, and accepts a voice of that name. */
  mayHave(voice: string): boolean {
    const { synthesizer, name } = parseVoice(voice);
    return this.#byId.get(synthesizer)?.mayHave(name) ?? false;
  }

  /** Voices to suggest to a merchant, those of the default synthesizer first. Empty if only recordings play. */
  get voices(): KnownVoice[] {
    const first = this.#chosen;
    if (first === null) return [];
    const others = this.all.filter((synthesizer) => synthesizer !== first);
    return [first, ...others].flatMap(({ id, voices = [] }) =>
      voices.map(({ name, language }) => ({ name: `${id}:${name}`, language })),
    );
  }
}

/** Whether a text can be sent to a vendor: it has words, and nothing that looks like a card number. */
function mayLeave(text: string): boolean {
  return hasWords(text) && !MAYBE_CARD.test(text);
}

/** Parses `<synthesizer>:<voice>`. A name without a colon is a voice of espeak-ng. */
function parseVoice(voice: string): { synthesizer: string; name: string } {
  const colon = voice.indexOf(':');
  return colon < 0
    ? { synthesizer: LAST, name: voice }
    : { synthesizer: voice.slice(0, colon), name: voice.slice(colon + 1) };
}
