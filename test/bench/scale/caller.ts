/**
 * A person who pays by phone while parts of the service fail: answers the questions that are heard, calls again if a
 * call did not end with a payment, and notes everything that was heard and every silence.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Field } from '../../../src/flow/terms.ts';
import type { AudioSessions } from '../../../src/local/scripted-caller/audio.ts';
import { Phone } from '../../../src/local/scripted-caller/phone.ts';
import type { PromptLibrary } from '../../../src/local/scripted-caller/prompt-library.ts';
import { fieldAskedFor } from '../../../src/local/scripted-caller/questions.ts';
import { createCheckout, RestFailure } from '../../../src/local/scripted-caller/rest-client.ts';
import { frameOf, isAudible } from '../../../src/local/scripted-caller/sound-frames.ts';
import { SpeechRecognizer } from '../../../src/local/scripted-caller/speech-recognizer.ts';
import { VoiceAgent } from '../../../src/local/scripted-caller/voice-agent.ts';
import { testCard } from '../../../src/payments/sandbox/cards.ts';

/** What the caller or the agent was told about the payment. */
export interface Announcement {
  /** Milliseconds since 1970. */
  at: number;
  by: 'line' | 'agent header';
  /** `nothing charged`: also that the payment failed or was canceled. `unsure`: not to pay again. */
  what: 'paid' | 'nothing charged' | 'unsure';
  text: string;
}

export interface CallRecord {
  sessionId: string;
  /** How each call to the line ended, in words. */
  calls: string[];
  announced: Announcement[];
  /** The longest silence of a call, in milliseconds, and when it began. */
  silence: { ms: number; from: number };
}

interface CallPlace {
  audio: AudioSessions;
  prompts: PromptLibrary;
  baseUrls: readonly string[];
  sipPorts: readonly number[];
}

const KEYS: Partial<Record<Field, string>> = {
  card_number: testCard('visa').number,
  expiry: '1230',
  security_code: '123',
};
/** A checkout is created again at the other process. */
const MAX_CHECKOUT_TRIES = 20;
const MAX_CALLS = 6;
const CALL_AGAIN_MS = 2_000;
/** A platform tries the next SIP server after about this time. */
const NO_ANSWER_MS = 8_000;
const CALL_LIMIT_MS = 150_000;
/** The agent's call may arrive after the line has hung up. */
const AGENT_LIMIT_MS = 3_000;

/** @param at which SIP server and api process this caller starts with */
export async function payByPhone(place: CallPlace, at: number): Promise<CallRecord> {
  const record: CallRecord = { sessionId: '', calls: [], announced: [], silence: { ms: 0, from: 0 } };
  const agent = await VoiceAgent.start(place.audio, {
    returned: (headers) => noteOutcome(record, headers['X-Ringkey-Outcome'] ?? 'none'),
    hangsUp: () => undefined,
  });
  try {
    const checkout = await createCheckoutSomewhere(place.baseUrls, agent.uri, at);
    record.sessionId = checkout.checkout_session_id;
    const target = checkout.transfer_to ?? '';
    for (let call = 0; call < MAX_CALLS && !isOver(record); call += 1) {
      if (call > 0) await delay(CALL_AGAIN_MS);
      const port = place.sipPorts[(at + call) % place.sipPorts.length] ?? 0;
      record.calls.push(await new OneCall(place, record).run(target.replace(/:\d+(?=;|$)/, `:${port}`)));
    }
    return record;
  } finally {
    await agent.close();
  }
}

/** Whoever was told of a payment, or not to pay again, does not call again. */
function isOver({ announced }: CallRecord): boolean {
  const last = announced.at(-1)?.what;
  return last === 'paid' || last === 'unsure';
}

export function noteOutcome({ announced }: Pick<CallRecord, 'announced'>, outcome: string): void {
  const what = outcome === 'succeeded' ? 'paid' : outcome === 'pending' ? 'unsure' : 'nothing charged';
  announced.push({ at: Date.now(), by: 'agent header', what, text: outcome });
}

async function createCheckoutSomewhere(baseUrls: readonly string[], returnTo: string, at: number) {
  const request = { merchant: 'demo-diner', amountCents: 4_250, callerNumber: '+15550101234', returnTo };
  for (let tries = 0; ; tries += 1) {
    try {
      return await createCheckout(baseUrls[(at + tries) % baseUrls.length] ?? '', request);
    } catch (error) {
      if (!(error instanceof RestFailure) || tries >= MAX_CHECKOUT_TRIES) throw error;
      await delay(500);
    }
  }
}

const PAID = /^you paid|payment went through|payment did go through|already paid|payment has arrived/i;
const UNSURE = /don't pay again/i;
const NOTHING = /nothing was charged/i;

/** Notes what a complete sentence of the line says about the payment, if it does. */
export function noteSentence({ announced }: Pick<CallRecord, 'announced'>, text: string): void {
  const what = PAID.test(text) ? 'paid' : UNSURE.test(text) ? 'unsure' : NOTHING.test(text) ? 'nothing charged' : null;
  if (what !== null) announced.push({ at: Date.now(), by: 'line', what, text });
}

class OneCall {
  readonly #place: CallPlace;
  readonly #record: CallRecord;
  readonly #recognizer: SpeechRecognizer;
  #phone: Phone | null = null;
  #isPressing = false;
  /** By `performance.now()`, of the last sound or key; null while no call is up. */
  #lastSoundMs: number | null = null;
  #end: (how: string) => void = () => undefined;

  constructor(place: CallPlace, record: CallRecord) {
    this.#place = place;
    this.#record = record;
    this.#recognizer = new SpeechRecognizer(
      place.prompts,
      ({ text, complete }) => complete && this.#onSentence(text ?? ''),
    );
  }

  /** @returns how it ended, in words */
  async run(target: string): Promise<string> {
    const ended = new Promise<string>((resolve) => {
      this.#end = resolve;
    });
    const phone = await Phone.create(
      this.#place.audio,
      { callerNumber: '+15550101234', takesRefer: true },
      { sip: () => undefined, frame: (samples, atMs) => this.#frame(samples, atMs), ended: (how) => this.#end(how) },
    );
    this.#phone = phone;
    const noAnswer = setTimeout(() => phone.cancel(), NO_ANSWER_MS);
    const limit = setTimeout(() => this.#end('given up'), CALL_LIMIT_MS);
    try {
      const isAnswered = await Promise.race([phone.dial(target), ended.then(() => false)]);
      clearTimeout(noAnswer);
      if (isAnswered) this.#lastSoundMs = performance.now();
      const how = await ended;
      if (!isAnswered) return how;
      this.#noteSound(performance.now());
      this.#lastSoundMs = null;
      this.#recognizer.finish();
      await this.#waitForAgent();
      return how;
    } finally {
      clearTimeout(noAnswer);
      clearTimeout(limit);
      await phone.close();
    }
  }

  /** If the line sent no outcome yet, the agent's call may be on its way. */
  async #waitForAgent(): Promise<void> {
    if (this.#record.announced.some(({ by }) => by === 'agent header')) return;
    await delay(AGENT_LIMIT_MS);
  }

  #frame(samples: Int16Array, atMs: number): void {
    if (isAudible(frameOf(samples))) this.#noteSound(atMs);
    this.#recognizer.addFrame(samples, atMs);
  }

  #noteSound(atMs: number): void {
    if (this.#lastSoundMs === null) return;
    const ms = atMs - this.#lastSoundMs;
    if (ms > this.#record.silence.ms)
      this.#record.silence = { ms, from: Date.now() - (performance.now() - this.#lastSoundMs) };
    this.#lastSoundMs = atMs;
  }

  #onSentence(text: string): void {
    noteSentence(this.#record, text);
    const field = fieldAskedFor(text);
    const keys = field === null ? undefined : KEYS[field];
    if (keys !== undefined) void this.#press(keys);
  }

  async #press(keys: string): Promise<void> {
    if (this.#isPressing) return;
    this.#isPressing = true;
    await this.#phone?.press(keys);
    this.#isPressing = false;
    this.#noteSound(performance.now());
  }
}
