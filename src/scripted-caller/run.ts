/** Runs one script on one call: reacts to what is heard, does the script's deed, and tells the whole of it. */
import type { Field } from '../flow/types.ts';
import { agentGreeting, type Returned } from './agent.ts';
import type { AudioRoom } from './audio.ts';
import { Ear, type Heard } from './ear.ts';
import { Phone } from './phone.ts';
import { Phrasebook, phraseOf } from './phrasebook.ts';
import { askedBy, masked, type Script } from './scripts.ts';
import type { Timeline } from './timeline.ts';

export interface RunOptions {
  room: AudioRoom;
  target: string;
  script: Script;
  callerNumber: string;
  takesRefer: boolean;
  speechFolders: readonly string[];
  timeline: Timeline;
}

export interface RunResult {
  answered: boolean;
  /** How it ended, in words. */
  over: string;
  /** Everything the caller heard, 8 kHz. */
  sound: Int16Array[];
}

const AGENT_SPEAKS = '(the agent greets the caller)';
const WORTH_TELLING_SILENCE_MS = 1_500;
const CALL_LIMIT_MS = 180_000;
const DEFAULT_GAP_MS = 60;
/** In which order an unknown line is taken to ask. */
const ORDER: readonly Field[] = ['card_number', 'expiry', 'security_code', 'postal_code', 'confirmation'];

/** Places the call and resolves when it is over, with the agent's part of it. */
export async function runCall(options: RunOptions): Promise<RunResult> {
  const caller = new ScriptedCaller(options);
  return caller.run();
}

class ScriptedCaller {
  readonly #options: RunOptions;
  readonly #book: Phrasebook;
  readonly #ear: Ear;
  readonly #sound: Int16Array[] = [];
  readonly #asked = new Map<Field, number>();
  readonly #over: Promise<string>;
  #finish: (how: string) => void = () => undefined;
  #phone: Phone | null = null;
  #quietSinceMs = performance.now();
  #unknownAsks = 0;
  #deedDone = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#book = new Phrasebook(options.speechFolders, [phraseOf(AGENT_SPEAKS, agentGreeting())]);
    this.#ear = new Ear(this.#book, (heard) => this.#heard(heard));
    this.#over = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async run(): Promise<RunResult> {
    const { room, target, timeline, callerNumber, takesRefer } = this.#options;
    const phone = await Phone.plugIn(
      room,
      { callerNumber, takesRefer },
      {
        sip: (text) => timeline.add({ kind: 'sip', text }),
        frame: (samples, atMs) => this.#frame(samples, atMs),
        over: (how) => this.#finish(how),
      },
    );
    this.#phone = phone;
    const limit = setTimeout(() => this.#finish(`given up after ${CALL_LIMIT_MS / 1000} s`), CALL_LIMIT_MS);
    try {
      timeline.add({ kind: 'sip', text: `→ INVITE ${target.replace(/-[^@]+@/, '-…@')}` });
      const dialing = phone.dial(target);
      this.#at('ringing');
      const answered = await dialing;
      if (answered) this.#answered();
      const over = await this.#over;
      this.#ear.end();
      return { answered, over, sound: this.#sound };
    } finally {
      clearTimeout(limit);
      await phone.unplug();
    }
  }

  #answered(): void {
    this.#quietSinceMs = performance.now();
    this.#at('answered');
    if (this.#options.script.bargesIn) this.#answer('card_number');
  }

  #frame(samples: Int16Array, atMs: number): void {
    this.#sound.push(Int16Array.from(samples));
    this.#ear.frame(samples, atMs);
  }

  #heard(heard: Heard): void {
    const { timeline } = this.#options;
    this.#tellSilence(heard.startedAtMs);
    this.#quietSinceMs = heard.endedAtMs;
    const forMs = heard.endedAtMs - heard.startedAtMs;
    const text = heard.text ?? '(a sound that is no known sentence)';
    const kind = heard.text === AGENT_SPEAKS ? 'agent' : 'said';
    timeline.add({ kind, text, forMs, complete: heard.complete } as Parameters<Timeline['add']>[0], heard.startedAtMs);
    if (!heard.complete || kind === 'agent') return;
    if (heard.text !== null && /one moment|still working/i.test(heard.text)) this.#at('paying');
    const field = heard.text === null ? this.#guess() : askedBy(heard.text);
    if (field) this.#answer(field);
  }

  /** Without any known sentence (a line elsewhere) every sound is taken to ask for the next field. */
  #guess(): Field | null {
    return this.#book.phrases().length > 1 ? null : (ORDER[this.#unknownAsks++] ?? null);
  }

  #tellSilence(untilMs: number): void {
    const forMs = untilMs - this.#quietSinceMs;
    if (forMs >= WORTH_TELLING_SILENCE_MS) {
      this.#options.timeline.add({ kind: 'silence', forMs: Math.round(forMs) }, this.#quietSinceMs);
    }
  }

  #answer(field: Field): void {
    const { script } = this.#options;
    const answers = script.answers[field] ?? [];
    const turn = this.#asked.get(field) ?? 0;
    this.#asked.set(field, turn + 1);
    const keys = answers[Math.min(turn, answers.length - 1)];
    if (keys !== undefined) void this.#press(field, keys);
  }

  async #press(field: Field, keys: string): Promise<void> {
    const startedAtMs = performance.now();
    this.#tellSilence(startedAtMs);
    this.#options.timeline.add({ kind: 'keyed', text: masked(field, keys) }, startedAtMs);
    await this.#phone?.press(keys, this.#options.script.gapMs ?? DEFAULT_GAP_MS);
    this.#quietSinceMs = performance.now();
    if (field === 'card_number') this.#at('mid_card');
  }

  /** Does the script's deed when its moment is here, once. */
  #at(moment: NonNullable<Script['twist']>['when']): void {
    const { twist } = this.#options.script;
    if (twist?.when !== moment || this.#deedDone || !this.#phone) return;
    this.#deedDone = true;
    const phone = this.#phone;
    const { timeline, target } = this.#options;
    if (twist.deed === 'hang_up') void phone.hangUp();
    if (twist.deed === 'cancel') phone.cancel();
    if (twist.deed === 'vanish') {
      timeline.add({ kind: 'note', text: 'the caller is gone, without a BYE' });
      void phone.vanish().then(() => this.#finish('the caller vanished'));
    }
    if (twist.deed === 'call_again') {
      void phone.dialAgain(target).then((status) => {
        timeline.add({ kind: 'sip', text: `a second call to the same session: ${status}` });
      });
    }
  }
}

/** The agent's part of the timeline. */
export function describeReturn(returned: Returned): string {
  const headers = Object.entries(returned.headers).map(([name, value]) => `\n${' '.repeat(16)}${name}: ${value}`);
  return `answers the returned call${headers.join('')}`;
}
