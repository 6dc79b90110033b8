/**
 * A test caller: a phone that dials a checkout, presses keys and recognizes prompts, with the voice agent that the call
 * returns to. Sends its own RTP, so it needs no root (SIPp does).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Deferred, deferred } from '../../src/lib/concurrency/deferred.ts';
import { AudioSessions } from '../../src/local/scripted-caller/audio.ts';
import { type KeysBy, Phone } from '../../src/local/scripted-caller/phone.ts';
import { createPhrase, type Phrase, PromptLibrary } from '../../src/local/scripted-caller/prompt-library.ts';
import { frameOf, isAudible } from '../../src/local/scripted-caller/sound-frames.ts';
import { SpeechRecognizer } from '../../src/local/scripted-caller/speech-recognizer.ts';
import { agentGreeting, VoiceAgent } from '../../src/local/scripted-caller/voice-agent.ts';
import { decodeWav } from '../../src/local/softswitch/rtp/index.ts';
import { type Checkout, createCheckout } from './checkouts.ts';
import type { TestProduct } from './product.ts';
import { turnToCall } from './turn-to-call.ts';

const AUDIO_SESSIONS = new AudioSessions();
const AGENT = '(the agent)';
/** Keyed by folder, so that the prompts are read only once, because reading them delays the packets of all callers. */
const PROMPTS = new Map<string, PromptLibrary>();
let own: Phrase[] | undefined;
/** Appended to the text of recorded prompts, to distinguish them from prompts rendered for the call. */
export const RECORDED = '(recorded)';
const FRAME_MS = 20;
/** Only a call that hangs reaches it. */
const HEARING_LIMIT_MS = 200_000;
/** More calls never return to one agent. */
const MAX_RETURNS = 2;

export interface TestCallerOptions {
  /** Fields of the checkout to create. `return_to` is the caller's own agent by default. */
  fields?: Record<string, unknown>;
  /** An existing checkout to call instead. */
  checkout?: Checkout;
  takesRefer?: boolean;
  /** Default: telephone events. */
  keysBy?: KeysBy;
  /** Default: true if it sends keys as telephone events. */
  offersEvents?: boolean;
  /** Additional headers of the INVITE, such as a trunk's. */
  headers?: Record<string, string>;
  /** Default: plain audio. */
  audio?: AudioSessions;
  agentAudio?: AudioSessions;
  /** The URI to dial for `transfer_to`, if it is not the line itself. */
  uriOf?: (transferTo: string) => string;
}

/** On a busy machine whose heartbeats are late, the line takes no calls for a moment, and a platform dials again. */
export const isRefused = (answer: string) => answer.startsWith('503 ');
export const MOST_DIALS = 20;
/** The line asks for it with Retry-After. */
export const DIAL_AGAIN_MS = 5_000;

interface Waiter {
  wanted: RegExp;
  resolve: (text: string) => void;
}

export class TestCaller {
  readonly checkout: Checkout;
  /** Sentences so far, complete or in part; `?` for an unknown sound. */
  readonly heard: string[] = [];
  /** The SIP messages so far, in words. */
  readonly sip: string[] = [];
  /** How the call ended, in words. */
  readonly over: Promise<string>;
  /** Total length of the frames with sound. */
  audibleMs = 0;
  readonly #agent: VoiceAgent;
  /** The outcome headers of each call that returns to the agent. */
  readonly #returns: Deferred<Record<string, string>>[];
  readonly #waiters = new Set<Waiter>();
  #phone: Phone | null = null;
  #target = '';
  #finish: (how: string) => void = () => undefined;
  readonly #recognizer: SpeechRecognizer;

  /** Creates a caller with a checkout; {@link dial} is next. */
  static async create(
    product: Pick<TestProduct, 'baseUrl' | 'speechFolder'>,
    options: TestCallerOptions = {},
  ): Promise<TestCaller> {
    const { audio = AUDIO_SESSIONS, agentAudio = AUDIO_SESSIONS, uriOf = (uri) => uri } = options;
    const returns = Array.from({ length: MAX_RETURNS }, () => deferred<Record<string, string>>());
    let count = 0;
    const returned = (headers: Record<string, string>) => returns[count++]?.resolve(headers);
    const agent = await VoiceAgent.start(agentAudio, { returned, hangsUp: () => undefined });
    const checkout = options.checkout ?? (await createCheckout(product, { return_to: agent.uri, ...options.fields }));
    const person = new TestCaller(checkout, agent, returns, product.speechFolder);
    person.#target = uriOf(checkout.transferTo);
    person.#phone = await Phone.create(
      audio,
      {
        callerNumber: '+15550101234',
        takesRefer: options.takesRefer ?? true,
        headers: options.headers ?? {},
        keysBy: options.keysBy ?? 'telephone_event',
        ...(options.offersEvents !== undefined && { offersEvents: options.offersEvents }),
      },
      {
        sip: (text) => void person.sip.push(text),
        frame: (samples, atMs) => person.#frame(samples, atMs),
        ended: (how) => isRefused(how) || person.#finish(how),
      },
    );
    return person;
  }

  private constructor(
    checkout: Checkout,
    agent: VoiceAgent,
    returns: Deferred<Record<string, string>>[],
    folder: string,
  ) {
    this.checkout = checkout;
    this.#agent = agent;
    this.#returns = returns;
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#recognizer = new SpeechRecognizer(promptsOf(folder), ({ text }) => this.#hear(text ?? '?'));
  }

  /** Resolves when the line has answered. @throws if it does not */
  async dial(): Promise<void> {
    await turnToCall();
    for (let dials = 1; !(await this.#phone?.dial(this.#target)); dials += 1) {
      if (!isRefused(this.sip.at(-1) ?? '') || dials === MOST_DIALS) {
        throw new Error(`the line did not answer: ${this.sip.join(', ')}`);
      }
      await delay(DIAL_AGAIN_MS);
    }
  }

  /** The outcome headers that the agent received, after the call with the agent has ended too. */
  async outcomeHeadersAfterCall(): Promise<Record<string, string>> {
    const headers = await this.outcomeHeaders();
    await this.over;
    return headers;
  }

  /** The outcome headers of a call that returned to the agent: the first one, or the one after `earlier` others. */
  outcomeHeaders(earlier = 0): Promise<Record<string, string>> {
    const returned = this.#returns[earlier];
    if (returned === undefined) throw new Error(`no more than ${MAX_RETURNS} calls to an agent are listened to`);
    return returned.promise;
  }

  /** Presses keys. Resolves when the last key is released. */
  async press(keys: string): Promise<void> {
    await this.#phone?.press(keys);
  }

  /** Waits for a past or future sentence. @throws after 200 s */
  waitForSentence(wanted: RegExp): Promise<string> {
    const already = this.heard.find((text) => wanted.test(text));
    if (already !== undefined) return Promise.resolve(already);
    return new Promise((resolve, reject) => {
      const waiter = {
        wanted,
        resolve: (text: string) => {
          clearTimeout(limit);
          resolve(text);
        },
      };
      const limit = setTimeout(() => {
        reject(new Error(`never heard ${wanted}; heard ${JSON.stringify(this.heard)}; ${this.sip.join(', ')}`));
      }, HEARING_LIMIT_MS);
      this.#waiters.add(waiter);
    });
  }

  async hangUp(): Promise<void> {
    await this.#phone?.hangUp();
  }

  async close(): Promise<void> {
    await this.#phone?.close();
    await this.#agent.close();
  }

  #frame(samples: Int16Array, atMs: number): void {
    if (isAudible(frameOf(samples))) this.audibleMs += FRAME_MS;
    this.#recognizer.addFrame(samples, atMs);
  }

  #hear(text: string): void {
    this.heard.push(text);
    for (const waiter of this.#waiters) {
      if (!waiter.wanted.test(text)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(text);
    }
  }
}

const RECORDINGS = new URL('../../prompts/recorded/en/', import.meta.url).pathname;

function promptsOf(folder: string): PromptLibrary {
  own ??= [createPhrase(AGENT, agentGreeting()), ...recordings()];
  const prompts = PROMPTS.get(folder) ?? new PromptLibrary([folder], own);
  PROMPTS.set(folder, prompts);
  prompts.phrases();
  return prompts;
}

/** The recordings that replace prompts if speech cannot be rendered: their text, and {@link RECORDED}. */
function recordings() {
  const words = JSON.parse(readFileSync(join(RECORDINGS, 'index.json'), 'utf8')) as Record<string, string>;
  return Object.entries(words).map(([file, text]) =>
    createPhrase(`${text} ${RECORDED}`, decodeWav(readFileSync(join(RECORDINGS, file)))),
  );
}
