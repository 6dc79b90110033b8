/** The caller and the agent of a test call, each with its own SIP user agent and RTP. */

import { type AudioSession, AudioSessions } from '../../../src/local/scripted-caller/audio.ts';
import {
  type ClientTransaction,
  createSipAgent,
  type Dialog,
  type ServerTransaction,
  type SipAgent,
  type SipRequest,
  type SipResponse,
} from '../../../src/local/softswitch/sip/index.ts';
import { EventLog } from './event-log.ts';

const ALLOW = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, NOTIFY';
export const audioSessions = new AudioSessions();
/** Louder samples are sound; quieter ones are the noise of µ-law silence. */
const LOUD = 500;

export interface DialOptions {
  headers?: Record<string, string | readonly string[]>;
  /** By default an offer of G.711 and telephone-event. Null: an INVITE without an offer. */
  body?: string | null;
  takesRefer?: boolean;
}

/** A request received in the dialog, or the end of the dialog. */
type Incident =
  | { kind: 'request'; method: string; transaction: ServerTransaction }
  | { kind: 'ended'; by: 'local' | 'remote' | 'stack' };

export class Caller {
  readonly sip: SipAgent;
  readonly audio: AudioSession;
  readonly incidents = new EventLog<Incident>();
  /** Changes between sound and silence, with their times. */
  readonly heard: EventLog<{ sound: 'loud' | 'still'; atMs: number }>;
  invite: ClientTransaction | null = null;
  dialog: Dialog | null = null;
  /** Whether to answer a re-INVITE with 200 or 488. */
  takesOffers = true;
  ackedAtMs = 0;

  readonly #listening: (() => void)[];

  private constructor(sip: SipAgent, audio: AudioSession, heard: Caller['heard'], listening: (() => void)[]) {
    this.sip = sip;
    this.audio = audio;
    this.heard = heard;
    this.#listening = listening;
  }

  static async make(): Promise<Caller> {
    const heard: Caller['heard'] = new EventLog();
    const listening: (() => void)[] = [];
    let last: 'loud' | 'still' = 'still';
    const audio = await audioSessions.openSession((samples, atMs) => {
      const sound = isLoud(samples) ? 'loud' : 'still';
      if (sound !== last) heard.push({ sound, atMs });
      if (sound === 'loud') for (const resolve of listening.splice(0)) resolve();
      last = sound;
    });
    return new Caller(await createSipAgent({ address: '127.0.0.1', port: 0 }), audio, heard, listening);
  }

  /**
   * Sends the INVITE. Requests in the dialog go to `incidents`; all but REFER are answered with 200. @returns the final
   * answer
   */
  async dial(uri: string, options: DialOptions = {}): Promise<SipResponse> {
    const invite = this.sendInvite(uri, options);
    const answer = await invite.final;
    if (answer.status >= 300 || !invite.dialog) return answer;
    this.follow(invite.dialog);
    this.audio.connect(answer.body);
    return answer;
  }

  sendInvite(uri: string, options: DialOptions = {}): ClientTransaction {
    const { body, headers, takesRefer = true } = options;
    const sdp = body === undefined ? this.audio.offer() : body;
    const allow = takesRefer ? `${ALLOW}, REFER` : ALLOW;
    this.invite = this.sip.request({
      method: 'INVITE',
      uri,
      headers: { Allow: allow, ...(sdp !== null && { 'Content-Type': 'application/sdp' }), ...headers },
      ...(sdp !== null && { body: sdp }),
      ...(sdp === null && { ack: 'manual' as const }),
    });
    return this.invite;
  }

  follow(dialog: Dialog): void {
    this.dialog = dialog;
    this.ackedAtMs = performance.now();
    dialog.once('ended', ({ by }) => {
      // Stop sending RTP: another phone may soon use this port.
      this.audio.close();
      this.incidents.push({ kind: 'ended', by });
    });
    dialog.on('request', (transaction) => {
      if (transaction.method === 'INVITE') this.#takeOffer(transaction);
      else if (transaction.method !== 'REFER') transaction.respond(200);
      this.incidents.push({ kind: 'request', method: transaction.method, transaction });
    });
  }

  /** Answers a re-INVITE and moves the audio to its address. */
  #takeOffer(transaction: ServerTransaction): void {
    const answer = this.takesOffers ? this.audio.answer(transaction.request.body) : null;
    if (answer === null) transaction.respond(488);
    else transaction.respond(200, { headers: { 'Content-Type': 'application/sdp' }, body: answer });
  }

  /** Resolves to the next request of that method. */
  async requested(method: string): Promise<ServerTransaction> {
    const incident = await this.incidents.waitFor((item) => item.kind === 'request' && item.method === method);
    if (incident.kind !== 'request') throw new Error('no request');
    return incident.transaction;
  }

  /** Accepts the REFER and reports by NOTIFY that the new call was answered. @returns the REFER */
  async followRefer(): Promise<SipRequest> {
    const refer = await this.requested('REFER');
    refer.respond(202);
    await this.notify('SIP/2.0 200 OK');
    return refer.request;
  }

  /** Resolves to the side that ended the dialog. */
  async ended(): Promise<'local' | 'remote' | 'stack'> {
    const incident = await this.incidents.waitFor((item) => item.kind === 'ended');
    if (incident.kind !== 'ended') throw new Error('not over');
    return incident.by;
  }

  press(keys: string): Promise<void> {
    return this.audio.press(keys);
  }

  /** Resolves with the next loud packet. */
  nextSound(): Promise<void> {
    return new Promise((resolve) => this.#listening.push(resolve));
  }

  async notify(sipfrag: string, state = 'terminated;reason=noresource'): Promise<void> {
    const headers = { Event: 'refer', 'Subscription-State': state, 'Content-Type': 'message/sipfrag' };
    await this.dialog?.request({ method: 'NOTIFY', headers, body: `${sipfrag}\r\n` }).final;
  }

  async hangUp(): Promise<void> {
    await this.dialog?.bye().final;
  }

  async close(): Promise<void> {
    this.audio.close();
    await this.sip.close();
  }
}

/** The agent at `return_to`. By default it answers at once. */
export class Agent {
  readonly sip: SipAgent;
  readonly audio: AudioSession;
  readonly calls = new EventLog<ServerTransaction>();
  readonly heard: EventLog<string>;
  readonly ended = new EventLog<string>();
  readonly acked = new EventLog<string>();

  private constructor(sip: SipAgent, audio: AudioSession, heard: EventLog<string>) {
    this.sip = sip;
    this.audio = audio;
    this.heard = heard;
  }

  static async make(take: (agent: Agent, invite: ServerTransaction) => void = (agent, call) => agent.answer(call)) {
    const heard = new EventLog<string>();
    const audio = await audioSessions.openSession((samples) => {
      if (heard.entries.length === 0 && isLoud(samples)) heard.push('loud');
    });
    const agent = new Agent(await createSipAgent({ address: '127.0.0.1', port: 0 }), audio, heard);
    agent.sip.on('request', (transaction) => {
      if (transaction.method !== 'INVITE') {
        transaction.respond(200);
        return;
      }
      take(agent, transaction);
      agent.calls.push(transaction);
    });
    return agent;
  }

  get uri(): string {
    return `sip:agent@127.0.0.1:${this.sip.port}`;
  }

  answer(invite: ServerTransaction): void {
    const answer = this.audio.answer(invite.request.body);
    invite.respond(answer === null ? 488 : 200, { headers: { 'Content-Type': 'application/sdp' }, body: answer ?? '' });
    invite.dialog?.once('ended', ({ by }) => this.ended.push(by));
    invite.dialog?.once('ack', () => this.acked.push('ack'));
  }

  async close(): Promise<void> {
    this.audio.close();
    await this.sip.close();
  }
}

/** Whether a packet is sound. */
export function isLoud(samples: Int16Array): boolean {
  return samples.some((sample) => Math.abs(sample) > LOUD);
}

/** A loud tone. */
export function noise(seconds = 1): Int16Array {
  return Int16Array.from({ length: seconds * 8_000 }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 700 * at) / 8_000)),
  );
}
