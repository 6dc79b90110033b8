/**
 * The caller's phone: a SIP user agent with audio that dials, presses keys, follows a REFER, hangs up or disconnects.
 */

import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClientTransaction,
  createSipAgent,
  type Dialog,
  headerValue,
  parseSipUri,
  type ServerTransaction,
  type SipAgent,
} from '../softswitch/sip/index.ts';
import { type AudioSession, type AudioSessions, type FrameListener, withoutTelephoneEvents } from './audio.ts';
import { checkFarEnd, type FarEndChecks, NO_LONGER_ANSWERS } from './far-end.ts';

/** The INVITE that a REFER asks for. */
export interface ReferredInvite {
  uri: string;
  headers: Record<string, string>;
}

interface PhoneEvents {
  /** A line for the timeline. */
  sip(text: string): void;
  /** The phone follows a REFER. */
  referred?(invite: ReferredInvite): void;
  frame: FrameListener;
  /** The call has ended, or was never answered; `how` is the reason in words. */
  ended(how: string): void;
}

/**
 * How a phone sends its keys. `info_and_sound`: a trunk that sends each key both ways. `sound_then_event`: a gateway
 * that leaves the start of a tone in the audio until it has recognized the key. `event_without_end`: telephone events
 * without end packets.
 */
export type KeysBy = 'telephone_event' | 'event_without_end' | 'info' | 'sound' | 'info_and_sound' | 'sound_then_event';

const BY_EVENT: readonly KeysBy[] = ['telephone_event', 'event_without_end', 'sound_then_event'];

interface PhoneOptions {
  callerNumber: string;
  /** Default: telephone events. */
  keysBy?: KeysBy;
  /** Whether its SDP has telephone-event. Default: if it sends keys as telephone events. */
  offersEvents?: boolean;
  /** Additional headers of its INVITEs, such as a trunk's. */
  headers?: Record<string, string>;
  /** Whether the phone's Allow header has REFER. Otherwise the payment line bridges the call to the agent. */
  takesRefer: boolean;
  /** Default: a far end that is gone is not noticed. */
  checks?: FarEndChecks;
}

interface Leg {
  dialog: Dialog;
  audio: AudioSession;
}

/** Pause between two keys in INFO. */
const INFO_GAP_MS = 100;
const ALLOW = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, NOTIFY';

export class Phone {
  readonly #sip: SipAgent;
  readonly #audioSessions: AudioSessions;
  readonly #options: PhoneOptions;
  readonly #events: PhoneEvents;
  #invite: ClientTransaction | null = null;
  #givenUp = false;
  /** The call, or the one that the last followed REFER requested. Keys and the hang-up belong to it. */
  #leg: Leg | null = null;
  /** Opened for the first call, before it is answered. */
  #audio: AudioSession | null = null;
  /** Whether a REFER was followed. */
  #isReferred = false;
  /** When the last audio arrived. */
  #heardAtMs = 0;
  /** Stops the checks of the far end. */
  readonly #closing = new AbortController();

  private constructor(sip: SipAgent, audioSessions: AudioSessions, options: PhoneOptions, events: PhoneEvents) {
    this.#sip = sip;
    this.#audioSessions = audioSessions;
    this.#options = options;
    this.#events = events;
  }

  static async create(audioSessions: AudioSessions, options: PhoneOptions, events: PhoneEvents): Promise<Phone> {
    const sip = await createSipAgent({ address: audioSessions.address, port: 0, userAgent: 'ringkey-call' });
    const phone = new Phone(sip, audioSessions, options, events);
    sip.on('request', (transaction) => phone.#unexpected(transaction));
    return phone;
  }

  /** Dials; resolves to true if the line answered. */
  async dial(target: string): Promise<boolean> {
    const audio = await this.#openAudio();
    this.#audio = audio;
    const invite = this.#sendInvite(target, audio, {});
    this.#invite = invite;
    invite.on('response', ({ status, reason }) => this.#events.sip(`${status} ${reason}`));
    const answer = await invite.final;
    if (answer.status >= 300 || !invite.dialog || !audio.connect(answer.body)) {
      audio.close();
      const isSilent = answer.status === 408;
      this.#events.ended(isSilent ? `nothing answered at ${hostOf(target)}` : `${answer.status} ${answer.reason}`);
      return false;
    }
    const leg: Leg = { dialog: invite.dialog, audio };
    this.#leg = leg;
    if (this.#givenUp) {
      // The 200 crossed our CANCEL: the call is up and must be ended with BYE (RFC 3261 9.1).
      await invite.dialog.bye().final;
      this.#ended(leg, 'local');
      return false;
    }
    this.#follow(leg);
    return true;
  }

  /** Makes a second call to the same address during the first one. @returns the SIP status of the answer */
  async dialAgain(target: string): Promise<number> {
    const audio = await this.#audioSessions.openSession(() => undefined);
    const second = this.#sendInvite(target, audio, {});
    const answer = await second.final;
    audio.close();
    second.dialog?.bye();
    return answer.status;
  }

  /** Presses keys. Resolves when the last key is released. */
  async press(keys: string, gapMs?: number): Promise<void> {
    const { keysBy = 'telephone_event' } = this.#options;
    const leg = this.#leg;
    if (leg === null) return;
    const { audio } = leg;
    if (keysBy === 'telephone_event') return audio.press(keys, gapMs);
    if (keysBy === 'event_without_end') return audio.press(keys, gapMs, false);
    if (keysBy === 'sound') return audio.pressTones(keys, gapMs);
    if (keysBy === 'sound_then_event') {
      for (const key of keys) {
        await audio.pressTones(key, 0);
        await audio.press(key, gapMs);
      }
      return;
    }
    for (const key of keys) {
      if (!leg.dialog.alive) return;
      await Promise.all([
        this.#inform(leg, key),
        keysBy === 'info' ? delay(gapMs ?? INFO_GAP_MS) : audio.pressTones(key, gapMs),
      ]);
    }
  }

  async #inform({ dialog }: Leg, key: string): Promise<void> {
    const headers = { 'Content-Type': 'application/dtmf-relay' };
    await dialog.request({ method: 'INFO', headers, body: `Signal=${key}\r\nDuration=100\r\n` }).final;
  }

  #described(sdp: string): string {
    const { keysBy = 'telephone_event', offersEvents = BY_EVENT.includes(keysBy) } = this.#options;
    return offersEvents ? sdp : withoutTelephoneEvents(sdp);
  }

  async hangUp(): Promise<void> {
    if (!this.#leg?.dialog.alive) return;
    this.#events.sip('→ BYE');
    await this.#leg.dialog.bye().final;
  }

  cancel(): void {
    this.#events.sip('→ CANCEL');
    this.#givenUp = true;
    this.#invite?.cancel();
  }

  /** Disappears like a phone without power: no BYE, no more RTP. */
  async disconnect(): Promise<void> {
    this.#closeAudio();
    await this.#sip.close();
  }

  async close(): Promise<void> {
    this.#closeAudio();
    await this.#sip.close();
  }

  #sendInvite(uri: string, audio: AudioSession, headers: Record<string, string>): ClientTransaction {
    const from = `<sip:${this.#options.callerNumber}@${this.#sip.hostPortFor(this.#audioSessions.address)}>`;
    const allow = this.#options.takesRefer ? `${ALLOW}, REFER` : ALLOW;
    return this.#sip.request({
      method: 'INVITE',
      uri,
      headers: { From: from, Allow: allow, 'Content-Type': 'application/sdp', ...this.#options.headers, ...headers },
      body: this.#described(audio.offer()),
    });
  }

  #openAudio(): Promise<AudioSession> {
    return this.#audioSessions.openSession((samples, atMs) => {
      this.#heardAtMs = atMs;
      this.#events.frame(samples, atMs);
    });
  }

  #closeAudio(): void {
    this.#closing.abort();
    this.#audio?.close();
    this.#leg?.audio.close();
  }

  #follow(leg: Leg): void {
    leg.dialog.on('request', (transaction) => void this.#inDialog(leg, transaction));
    leg.dialog.once('ended', ({ by }) => this.#ended(leg, by));
    const { checks } = this.#options;
    if (checks === undefined) return;
    const gone = () => leg === this.#leg && this.#events.ended(`${this.#farEnd} ${NO_LONGER_ANSWERS}`);
    void checkFarEnd(leg.dialog, checks, () => this.#heardAtMs, this.#closing.signal).then(
      (isGone) => isGone && gone(),
    );
  }

  get #farEnd(): string {
    return this.#isReferred ? 'the agent' : 'the line';
  }

  #ended(leg: Leg, by: 'local' | 'remote' | 'stack'): void {
    leg.audio.close();
    const isFirst = leg.audio === this.#audio;
    if (by === 'remote' && isFirst) this.#events.sip('← BYE');
    // The far end of an earlier leg may end it whenever it likes.
    if (leg !== this.#leg) return;
    this.#events.ended(by === 'remote' ? `${this.#farEnd} hung up` : 'the caller hung up');
  }

  async #inDialog(leg: Leg, transaction: ServerTransaction): Promise<void> {
    const { method, request } = transaction;
    if (method === 'REFER' && this.#options.takesRefer) {
      await this.#followRefer(leg, transaction);
    } else if (method === 'INVITE') {
      const answer = leg.audio.answer(request.body);
      transaction.respond(answer === null ? 488 : 200, {
        headers: { 'Content-Type': 'application/sdp' },
        body: this.#described(answer ?? ''),
      });
    } else {
      transaction.respond(['BYE', 'INFO', 'OPTIONS', 'NOTIFY', 'UPDATE'].includes(method) ? 200 : 405);
    }
  }

  /**
   * Answers a REFER with 202, sends the requested INVITE and reports the result in a NOTIFY with a sipfrag (RFC 3515
   * 2.4).
   */
  async #followRefer(leg: Leg, transaction: ServerTransaction): Promise<void> {
    const target = referredInvite(headerValue(transaction.request, 'Refer-To') ?? '');
    if (!target) {
      transaction.respond(400);
      return;
    }
    this.#events.sip(`← REFER to ${withoutToken(target.uri)}`);
    this.#events.referred?.(target);
    transaction.respond(202);
    await this.#notify(leg, 'SIP/2.0 100 Trying', 'active;expires=60');
    const audio = await this.#openAudio();
    const invite = this.#sendInvite(target.uri, audio, target.headers);
    const answer = await invite.final;
    if (answer.status < 300 && invite.dialog && audio.connect(answer.body)) {
      this.#isReferred = true;
      this.#leg = { dialog: invite.dialog, audio };
      this.#follow(this.#leg);
    } else {
      audio.close();
    }
    await this.#notify(leg, `SIP/2.0 ${answer.status} ${answer.reason}`, 'terminated;reason=noresource');
  }

  async #notify({ dialog }: Leg, sipfrag: string, state: string): Promise<void> {
    this.#events.sip(`→ NOTIFY ${sipfrag.slice('SIP/2.0 '.length)}`);
    await dialog.request({
      method: 'NOTIFY',
      headers: { Event: 'refer', 'Subscription-State': state, 'Content-Type': 'message/sipfrag;version=2.0' },
      body: `${sipfrag}\r\n`,
    }).final;
  }

  #unexpected(transaction: ServerTransaction): void {
    transaction.respond(transaction.method === 'BYE' || transaction.method === 'OPTIONS' ? 200 : 405);
  }
}

const hostOf = (uri: string) => uri.replace(/^sips?:(?:[^@]*@)?|;.*$/gi, '');

/** The URI for people to read. The token of a `transfer_to` lets anyone pay. */
export const withoutToken = (uri: string) => uri.replace(/-[^@]+@/, '-…@');

/**
 * Splits a Refer-To into URI and headers for the new INVITE: `sip:a@b?Name=value&…` (RFC 3261 19.1.1). Null if it is no
 * SIP URI.
 */
export function referredInvite(referTo: string): ReferredInvite | null {
  const target = /<([^>]+)>/.exec(referTo)?.[1] ?? referTo;
  const [uri = '', query = ''] = target.split('?');
  if (!parseSipUri(uri)) return null;
  const pairs = query.split('&').filter((pair) => pair.includes('='));
  const headers = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decodeURIComponent(name), decodeURIComponent(value.join('='))] as const;
  });
  return { uri, headers: Object.fromEntries(headers) };
}
