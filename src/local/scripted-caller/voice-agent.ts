/**
 * A test voice agent at `return_to`: answers the returned call, plays a greeting, reads the outcome headers, hangs up.
 */

import { FRAME_SAMPLES } from '../softswitch/rtp/index.ts';
import { createSipAgent, type ServerTransaction, type SipAgent } from '../softswitch/sip/index.ts';
import type { AudioSessions } from './audio.ts';

const GREETING_SECONDS = 0.8;
const SAMPLE_RATE = 8_000;

/** The agent's greeting: two tones, unlike any prompt. */
export function agentGreeting(): Int16Array {
  return Int16Array.from(
    { length: Math.ceil((GREETING_SECONDS * SAMPLE_RATE) / FRAME_SAMPLES) * FRAME_SAMPLES },
    (_, i) => {
      const note = i < (GREETING_SECONDS * SAMPLE_RATE) / 2 ? 440 : 660;
      return Math.round(7_000 * Math.sin((2 * Math.PI * note * i) / SAMPLE_RATE));
    },
  );
}

interface AgentEvents {
  /** Called when a call returns. @param headers `X-Ringkey-*` and `User-to-User` of its INVITE */
  returned(headers: Record<string, string>): void;
  hangsUp(): void;
}

/** Listens on its own SIP port, answers every INVITE and hangs up after the greeting. */
export class VoiceAgent {
  readonly #sip: SipAgent;
  readonly #audioSessions: AudioSessions;
  readonly #events: AgentEvents;
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(sip: SipAgent, audioSessions: AudioSessions, events: AgentEvents) {
    this.#sip = sip;
    this.#audioSessions = audioSessions;
    this.#events = events;
  }

  static async start(audioSessions: AudioSessions, events: AgentEvents): Promise<VoiceAgent> {
    const sip = await createSipAgent({ address: audioSessions.address, port: 0, userAgent: 'ringkey-call agent' });
    const agent = new VoiceAgent(sip, audioSessions, events);
    sip.on('request', (transaction) => void agent.#take(transaction));
    return agent;
  }

  /** The SIP URI to use as `return_to`. */
  get uri(): string {
    return `sip:agent@${this.#sip.hostPortFor(this.#audioSessions.address)}`;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#sip.close();
  }

  async #take(transaction: ServerTransaction): Promise<void> {
    if (transaction.method !== 'INVITE') {
      transaction.respond(transaction.method === 'BYE' ? 200 : 405);
      return;
    }
    const audio = await this.#audioSessions.openSession(() => undefined);
    transaction.respond(180);
    const answer = audio.answer(transaction.request.body);
    if (answer === null) {
      transaction.respond(488);
      audio.close();
      return;
    }
    transaction.respond(200, { headers: { 'Content-Type': 'application/sdp' }, body: answer });
    this.#events.returned(outcomeHeaders(transaction));
    transaction.dialog?.once('ended', () => audio.close());
    transaction.dialog?.once('ack', () => {
      void audio.play(agentGreeting());
      this.#after((GREETING_SECONDS + 0.4) * 1_000, () => {
        if (!transaction.dialog?.alive) return;
        this.#events.hangsUp();
        transaction.dialog.bye();
      });
    });
  }

  #after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }
}

function outcomeHeaders(transaction: ServerTransaction): Record<string, string> {
  const wanted = transaction.request.headers.filter(({ name }) => /^(x-ringkey-|user-to-user$)/i.test(name));
  return Object.fromEntries(wanted.map(({ name, value }) => [name, value]));
}
