/**
 * The `play_and_get_digits` application: `min max tries timeout terminators file invalid_file var_name regexp
 * [digit_timeout]`.
 */
import { SAMPLES_PER_MS } from '../rtp/index.ts';
import type { Frame } from './app-stack.ts';
import type { Channel } from './channel.ts';
import { type Playable, Player } from './playable.ts';

interface Request {
  min: number;
  max: number;
  tries: number;
  timeoutMs: number;
  terminators: string;
  file: string;
  invalidFile: string;
  variable: string;
  regexp: string;
  digitTimeoutMs: number;
}

interface Collected {
  digits: string;
  terminator: string;
  interrupted: boolean;
}

interface CollectDeps {
  resolve(path: string): Promise<Playable | null>;
}

const MAX_DIGITS = 128;
const MAX_TRIES = 128;
/** Patterns come from the app over a trusted socket, and match 128 characters at most. */
const MAX_PATTERN = 256;

/**
 * When it resolves, the channel's variables have the digits, or `<var_name>_invalid` with the keys that did not match.
 */
export async function collectDigits(channel: Channel, frame: Frame, deps: CollectDeps): Promise<void> {
  const request = parseRequest(frame.data);
  if (!request) return;
  const { variables } = channel;
  const collector = new Collector(channel, request);
  collector.enter(frame);
  variables.setAll({
    [request.variable]: undefined,
    [`${request.variable}_invalid`]: undefined,
    read_terminator_used: undefined,
  });
  for (let tried = 0; tried < request.tries; tried++) {
    const collected = await collector.once(await deps.resolve(request.file));
    variables.set('read_terminator_used', collected.terminator);
    if (collected.interrupted) return;
    if (collected.digits.length >= request.min && matches(request.regexp, collected.digits)) {
      variables.set(request.variable, collected.digits);
      return;
    }
    variables.set(`${request.variable}_invalid`, collected.digits);
    if (tried + 1 < request.tries) await collector.sound(await deps.resolve(request.invalidFile));
  }
}

function parseRequest(data: string): Request | null {
  const parts = data.split(' ');
  const number = (index: number): number => Number.parseInt(parts[index] ?? '', 10) || 0;
  const [, , , , terminators, file, invalidFile, variable, regexp] = parts;
  if (!file || !variable) return null;
  const timeoutMs = Math.max(1000, number(3));
  return {
    min: number(0),
    max: Math.min(MAX_DIGITS, Math.max(1, number(1))),
    tries: Math.min(MAX_TRIES, Math.max(1, number(2))),
    timeoutMs,
    terminators: terminators === 'none' ? '' : (terminators ?? '#'),
    file,
    invalidFile: invalidFile ?? '',
    variable,
    regexp: regexp ?? '',
    digitTimeoutMs: number(9) || timeoutMs,
  };
}

function matches(pattern: string, digits: string): boolean {
  if (!pattern || pattern.length > MAX_PATTERN) return true;
  try {
    return new RegExp(pattern).test(digits);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Counts its time in frames of silence, so that the time stops while a command runs inside it. */
class Collector {
  readonly #channel: Channel;
  readonly #request: Request;
  #digits = '';
  #player: Player | null = null;
  #interrupted = false;
  #onKey: ((key: string) => void) | null = null;
  #wake: (() => void) | null = null;

  constructor(channel: Channel, request: Request) {
    this.#channel = channel;
    this.#request = request;
  }

  enter(frame: Frame): void {
    frame.wait({
      suspend: () => this.#channel.play(null),
      resume: () => this.#channel.play(this.#player),
      digit: (key) => this.#onKey?.(key),
      interrupt: () => {
        this.#interrupted = true;
        this.#wake?.();
        return true;
      },
    });
  }

  /** Plays one sound to its end; keys pressed during it are lost. */
  async sound(playable: Playable | null): Promise<void> {
    if (playable) await this.#wait(playable);
  }

  /** One try: the prompt, which the first key stops, then keys until there are enough, a terminator or a pause. */
  async once(prompt: Playable | null): Promise<Collected> {
    const { max, terminators, timeoutMs, digitTimeoutMs } = this.#request;
    this.#digits = '';
    let terminator = '';
    this.#onKey = (key) => {
      if (terminators.includes(key)) terminator = key;
      else this.#digits += key;
      this.#wake?.();
    };
    if (prompt) await this.#wait(prompt);
    while (!this.#interrupted && !terminator && this.#digits.length < max) {
      const before = this.#digits.length;
      await this.#wait(silenceOf(before === 0 ? timeoutMs : digitTimeoutMs));
      if (this.#digits.length === before && !terminator) break;
    }
    this.#onKey = null;
    return { digits: this.#digits, terminator, interrupted: this.#interrupted };
  }

  #wait(playable: Playable): Promise<void> {
    if (this.#interrupted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        this.#player = null;
        this.#channel.play(null);
        resolve();
      };
      this.#player = new Player(playable, () => this.#wake?.());
      this.#channel.play(this.#player);
    });
  }
}

function silenceOf(ms: number): Playable {
  return { path: '', segments: [{ clip: null, samples: ms * SAMPLES_PER_MS }], loops: 1 };
}
