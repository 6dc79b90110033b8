/**
 * Plays one script on one call: answers the questions it hears with key presses, and records everything on the
 * timeline.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Field } from '../../flow/terms.ts';
import type { AudioSessions } from './audio.ts';
import { FAR_END_CHECKS } from './far-end.ts';
import type { PayPage } from './pay-page.ts';
import { Phone, type ReferredInvite, withoutToken } from './phone.ts';
import { createPhrase, PromptLibrary } from './prompt-library.ts';
import { fieldAskedFor, maskKeys } from './questions.ts';
import type { Script } from './scripts.ts';
import { MIN_SENTENCE_MS, type RecognizedSound, SpeechRecognizer } from './speech-recognizer.ts';
import type { Timeline } from './timeline.ts';
import { agentGreeting } from './voice-agent.ts';

export interface RunOptions {
  audioSessions: AudioSessions;
  target: string;
  /** Dialed as soon as the line has answered, as a platform does. Null: none. */
  code: string | null;
  script: Script;
  callerNumber: string;
  takesRefer: boolean;
  speechFolders: readonly string[];
  timeline: Timeline;
  /** The page on which the caller pays first; null: only by keypad. */
  page: PayPage | null;
  /** Makes the caller hang up, regardless of the script. */
  hangUp?: AbortSignal | undefined;
}

export interface RunResult {
  answered: boolean;
  /** How the call ended, in words. */
  over: string;
  /** The fields that the line asked for. */
  questions: ReadonlySet<Field>;
  /** Whether the line said something, however short, after the last key that the caller pressed. */
  hasSpokenAfterKeys: boolean;
  /** All sound that the caller heard, at 8 kHz. */
  sound: Int16Array[];
  /** The INVITEs that followed REFERs, in order. */
  referrals: readonly ReferredInvite[];
}

/** Before the answer to whether the card may be saved: a yes before the end of the sentence does not count. */
const CONSIDERS_MS = 1_000;

const AGENT_GREETING_TEXT = '(the agent greets the caller)';
const MIN_REPORTED_SILENCE_MS = 1_500;
const CALL_LIMIT_MS = 180_000;
/** The order in which a line whose prompts are unknown is assumed to ask. */
const LANGUAGE_KEY = '9';
const KEYS_BY_WORD: Readonly<Record<string, string>> = { one: '1', two: '2', three: '3' };
const ASKING_ORDER: readonly Field[] = ['card_number', 'expiry', 'security_code', 'postal_code', 'confirmation'];

/** Places the call. Resolves when it has ended, including the part with the agent. */
export function runCall(options: RunOptions): Promise<RunResult> {
  return new ScriptedCaller(options).run();
}

class ScriptedCaller {
  readonly #options: RunOptions;
  readonly #prompts: PromptLibrary;
  readonly #recognizer: SpeechRecognizer;
  readonly #sound: Int16Array[] = [];
  readonly #referrals: ReferredInvite[] = [];
  #hasChangedLanguage = false;
  readonly #attempts = new Map<Field, number>();
  readonly #ended: Promise<string>;
  #finish: (how: string) => void = () => undefined;
  #phone: Phone | null = null;
  #quietSinceMs = performance.now();
  #unknownAsks = 0;
  #interrupted = false;
  #isAnswered = false;
  #isPressing = false;
  /** When the last key was released, and when the last sound of the line began. */
  #pressedAtMs = 0;
  #spokenAtMs = 0;
  /** The caller's next step on the page. */
  #pageStep: 'open' | 'pay' | 'done' = 'open';

  constructor(options: RunOptions) {
    this.#options = options;
    this.#prompts = new PromptLibrary(options.speechFolders, [createPhrase(AGENT_GREETING_TEXT, agentGreeting())]);
    // Reading all prompts takes so long that, during a call, it would delay its packets.
    this.#prompts.phrases();
    this.#recognizer = new SpeechRecognizer(this.#prompts, (sentence) => this.#handleSentence(sentence));
    this.#ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async run(): Promise<RunResult> {
    const { audioSessions, target, timeline, callerNumber, takesRefer, script } = this.#options;
    const { keysBy = 'telephone_event' } = script;
    const phone = await Phone.create(
      audioSessions,
      { callerNumber, takesRefer, keysBy, checks: FAR_END_CHECKS },
      {
        sip: (text) => timeline.add({ kind: 'sip', text }),
        referred: (invite) => this.#referrals.push(invite),
        frame: (samples, atMs) => this.#frame(samples, atMs),
        ended: (how) => this.#finish(how),
      },
    );
    this.#phone = phone;
    const limit = setTimeout(() => this.#finish(`given up after ${CALL_LIMIT_MS / 1000} s`), CALL_LIMIT_MS);
    const { hangUp } = this.#options;
    const onHangUp = () => this.#hangUp();
    hangUp?.addEventListener('abort', onHangUp);
    try {
      if (hangUp?.aborted) return this.#result(false, 'the caller did not dial');
      timeline.add({ kind: 'sip', text: `→ INVITE ${withoutToken(target)}` });
      const dialing = phone.dial(target);
      this.#interruptAt('ringing');
      const answered = await dialing;
      if (answered) this.#answered();
      const over = await this.#ended;
      this.#recognizer.finish();
      return this.#result(answered, over);
    } finally {
      clearTimeout(limit);
      hangUp?.removeEventListener('abort', onHangUp);
      await phone.close();
    }
  }

  #result(answered: boolean, over: string): RunResult {
    const hasSpokenAfterKeys = !this.#isPressing && this.#spokenAtMs > this.#pressedAtMs;
    const questions = new Set(this.#attempts.keys());
    return { answered, over, questions, hasSpokenAfterKeys, sound: this.#sound, referrals: this.#referrals };
  }

  #hangUp(): void {
    this.#interrupted = true;
    if (this.#isAnswered) void this.#phone?.hangUp().then(() => this.#finish('the caller hung up'));
    else this.#phone?.cancel();
  }

  #answered(): void {
    this.#isAnswered = true;
    this.#quietSinceMs = performance.now();
    this.#interruptAt('answered');
    const { code } = this.#options;
    if (code !== null) {
      this.#options.timeline.add({ kind: 'keyed', text: 'the transfer code, dialed by the platform' });
      void this.#phone?.press(`${code}#`);
    }
    if (this.#options.script.bargesIn) this.#answerQuestion('card_number');
  }

  #frame(samples: Int16Array, atMs: number): void {
    this.#sound.push(samples);
    this.#recognizer.addFrame(samples, atMs);
  }

  #handleSentence(sentence: RecognizedSound): void {
    const { timeline } = this.#options;
    this.#reportSilence(sentence.startedAtMs);
    this.#quietSinceMs = sentence.endedAtMs;
    if (sentence.text !== AGENT_GREETING_TEXT) this.#spokenAtMs = sentence.startedAtMs;
    const forMs = sentence.endedAtMs - sentence.startedAtMs;
    const text =
      sentence.text ?? (forMs < MIN_SENTENCE_MS ? '(too short to tell)' : '(a sound that is no known sentence)');
    const kind = sentence.text === AGENT_GREETING_TEXT ? 'agent' : 'said';
    timeline.add(
      { kind, text, forMs, complete: sentence.complete } as Parameters<Timeline['add']>[0],
      sentence.startedAtMs,
    );
    if (!sentence.complete || kind === 'agent') return;
    if (sentence.text !== null && /one moment|still working/i.test(sentence.text)) this.#interruptAt('paying');
    this.#chooseMerchant(sentence.text);
    const field = sentence.text === null ? this.#guessField() : fieldAskedFor(sentence.text);
    if (this.#waitsForLanguage(sentence.text) || this.#usesPage(field, sentence.text)) return;
    if (field) this.#answerQuestion(field);
  }

  /**
   * Opens the page once the link is texted, and pays when the line has noticed. @returns whether the caller is too busy
   * to press keys
   */
  #usesPage(field: Field | null, text: string | null): boolean {
    const { page, script } = this.#options;
    const step = this.#pageStep;
    if (page === null || step === 'done') return false;
    const isByLine = script.textedBy === 'line';
    if (step === 'open' && (isByLine ? /texting you a link/i.test(text ?? '') : field !== null)) {
      this.#pageStep = 'pay';
      this.#watch(page.open());
    } else if (step === 'pay' && text !== null && /opened the payment page/i.test(text)) {
      this.#pageStep = 'done';
      this.#watch(page.pay(script.paysOnPage ?? ''));
    }
    // Until the line has texted the link, its questions are answered, because an answer requests the link.
    return !isByLine || this.#pageStep !== 'open';
  }

  #chooseMerchant(text: string | null): void {
    const { choosesMerchantAt: choice } = this.#options.script;
    const key = KEYS_BY_WORD[choice?.exec(text ?? '')?.[1] ?? ''];
    if (key !== undefined) void this.#press('confirmation', key);
  }

  /** @returns whether the caller still waits for the offer of another language, or accepts it now */
  #waitsForLanguage(text: string | null): boolean {
    const { changesLanguageAt: offer } = this.#options.script;
    if (offer === undefined || this.#hasChangedLanguage) return false;
    if (text !== null && offer.test(text)) {
      this.#hasChangedLanguage = true;
      void this.#press('confirmation', LANGUAGE_KEY);
    }
    return true;
  }

  /** Reports a failure on the page; the call continues. */
  #watch(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.timeline.add({ kind: 'note', text: String(error) }));
  }

  /** If the line's prompts are unknown, every sound counts as the question for the next field. */
  #guessField(): Field | null {
    return this.#prompts.phrases().length > 1 ? null : (ASKING_ORDER[this.#unknownAsks++] ?? null);
  }

  #reportSilence(untilMs: number): void {
    const forMs = untilMs - this.#quietSinceMs;
    if (forMs >= MIN_REPORTED_SILENCE_MS) {
      this.#options.timeline.add({ kind: 'silence', forMs: Math.round(forMs) }, this.#quietSinceMs);
    }
  }

  #answerQuestion(field: Field): void {
    const { script } = this.#options;
    const answers = script.answers[field] ?? [];
    const turn = this.#attempts.get(field) ?? 0;
    this.#attempts.set(field, turn + 1);
    const keys = answers[Math.min(turn, answers.length - 1)];
    if (keys !== undefined) void this.#press(field, keys);
  }

  async #press(field: Field, keys: string): Promise<void> {
    if (field === 'keep_card') await delay(CONSIDERS_MS);
    const startedAtMs = performance.now();
    this.#reportSilence(startedAtMs);
    this.#options.timeline.add({ kind: 'keyed', text: maskKeys(field, keys) }, startedAtMs);
    this.#isPressing = true;
    await this.#phone?.press(keys, this.#options.script.gapMs);
    this.#isPressing = false;
    this.#pressedAtMs = performance.now();
    this.#quietSinceMs = this.#pressedAtMs;
    if (field === 'card_number') this.#interruptAt('mid_card');
  }

  /** Interrupts the call once (hang up, cancel …) if the script requires it at this moment. */
  #interruptAt(moment: NonNullable<Script['interruption']>['when']): void {
    const { interruption } = this.#options.script;
    if (interruption?.when !== moment || this.#interrupted || !this.#phone) return;
    this.#interrupted = true;
    const phone = this.#phone;
    const { timeline, target } = this.#options;
    switch (interruption.action) {
      case 'hang_up':
        void phone.hangUp();
        break;
      case 'cancel':
        phone.cancel();
        break;
      case 'vanish':
        timeline.add({ kind: 'note', text: 'the caller is gone, without a BYE' });
        // Reported first: closing the connection ends the dialog, which would be reported as hanging up.
        this.#finish('the caller vanished');
        void phone.disconnect();
        break;
      case 'call_again':
        void phone.dialAgain(target).then((status) => {
          timeline.add({ kind: 'sip', text: `a second call to the same session: ${status}` });
        });
    }
  }
}

/** The timeline entry for the call that returned to the agent. */
export function describeReturn(headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `\n${' '.repeat(16)}${name}: ${value}`);
  return `answers the returned call${lines.join('')}`;
}
