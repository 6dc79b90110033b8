/**
 * One measured call: dials, enters a card field by field, returns by REFER, and records the time of each event on one
 * clock.
 */

import { withoutTelephoneEvents } from '../../../src/local/scripted-caller/audio.ts';
import { readSdp, SdpSession } from '../../../src/local/softswitch/media/sdp.ts';
import {
  clipOf,
  encodeG711,
  type MediaClock,
  onceOf,
  type PortRange,
  RtpStream,
  SILENCE_BYTE,
  tonesOf,
} from '../../../src/local/softswitch/rtp/index.ts';
import {
  type Dialog,
  headerValue,
  type ServerTransaction,
  type SipAgent,
} from '../../../src/local/softswitch/sip/index.ts';

export interface CallPlan {
  /** The address to dial. */
  target: string;
  /** Entered one after the other. */
  fields: readonly string[];
  /** Whether its keys are tones in the audio and its SDP has no telephone-event. */
  isInband?: boolean;
  /** Whether it sends noise until the first key. */
  isNoisy?: boolean;
  /** From the answer to the first key. */
  patienceMs?: number;
}

/** Times are milliseconds of the machine's clock since 1970, with fractions; null if the event did not happen. */
export interface CallResult {
  target: string;
  status: number;
  /** `Retry-After` of the answer. */
  retryAfter: string | null;
  /** From the INVITE sent to the 200 received. */
  answerMs: number | null;
  /** From the ACK sent to the first packet that is not silence. */
  firstSoundMs: number | null;
  /** When the last digit's key was released: its first end packet was sent. */
  lastDigitAt: number | null;
  /** Periods of packets that are not silence, including pauses under 60 ms. */
  sounds: Stretch[];
  referAt: number | null;
  /** `X-Ringkey-Outcome` of the REFER. */
  outcome: string | null;
  /** Deviation from 20 ms between packets at the generator: each call's 50th and 99th percentile. */
  jitterMs: { median: number; p99: number };
  packets: number;
  /** Gaps in the received sequence numbers. */
  packetsLost: number;
}

interface Stretch {
  from: number;
  to: number;
}

export interface Surroundings {
  sip: SipAgent;
  ports: PortRange;
  clock: MediaClock;
  address: string;
}

const TONE = { toneMs: 80, gapMs: 60 };
const BEFORE_KEYING_MS = 1_500;
const BETWEEN_FIELDS_MS = 800;
const PAUSE_IN_SPEECH_MS = 60;
/** A frame of about -25 dBm0. */
const NOISE = Buffer.from(
  encodeG711(
    Int16Array.from({ length: 160 }, (_, at) => ((at * 7_919) % 4_001) - 2_000),
    'PCMU',
  ),
);
const CALL_LIMIT_MS = 60_000;
const FRAME_MS = 20;
const ALLOW = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, NOTIFY, REFER';

/** The machine's clock with fractions: `Date.now()` truncates them, so the largest difference is the true one. */
export function clockOffsetMs(): number {
  let offset = 0;
  const until = performance.now() + 5;
  while (performance.now() < until) offset = Math.max(offset, Date.now() - performance.now());
  return offset;
}

/** Places the call; resolves when it has ended, at the latest after a minute. */
export async function placeCall(around: Surroundings, plan: CallPlan, offsetMs: number): Promise<CallResult> {
  const pair = await around.ports.acquire();
  const call = new MeasuredCall(around, plan, offsetMs);
  const stream = new RtpStream(pair, around.clock, {
    audio: (sound, _codec, packet) => call.receive(sound, packet.sequence),
  });
  try {
    return await call.run(stream);
  } finally {
    stream.close();
  }
}

class MeasuredCall {
  readonly #around: Surroundings;
  readonly #plan: CallPlan;
  readonly #now: () => number;
  readonly #result: CallResult;
  readonly #deviations: number[] = [];
  readonly #waits = new Set<NodeJS.Timeout>();
  #ackAt = 0;
  #packetAt = 0;
  #sequence = -1;

  constructor(around: Surroundings, plan: CallPlan, offsetMs: number) {
    this.#around = around;
    this.#plan = plan;
    this.#now = () => performance.now() + offsetMs;
    this.#result = {
      target: plan.target,
      status: 0,
      retryAfter: null,
      answerMs: null,
      firstSoundMs: null,
      lastDigitAt: null,
      sounds: [],
      referAt: null,
      outcome: null,
      jitterMs: { median: 0, p99: 0 },
      packets: 0,
      packetsLost: 0,
    };
  }

  async run(stream: RtpStream): Promise<CallResult> {
    const { sip, address } = this.#around;
    const from = `<sip:+15550101234@${sip.hostPortFor(address)}>`;
    const headers = { From: from, Allow: ALLOW, 'Content-Type': 'application/sdp' };
    const offer = new SdpSession().offer(address, stream.port);
    const body = this.#plan.isInband ? withoutTelephoneEvents(offer) : offer;
    const startedAt = performance.now();
    const invite = sip.request({ method: 'INVITE', uri: this.#plan.target, headers, body });
    const answer = await invite.final;
    // The stack sends the ACK before it reports the answer.
    this.#ackAt = this.#now();
    this.#result.status = answer.status;
    this.#result.retryAfter = headerValue(answer, 'Retry-After') ?? null;
    const remote = readSdp(answer.body);
    if (answer.status >= 300 || !invite.dialog || !remote) return this.#result;
    this.#result.answerMs = performance.now() - startedAt;
    const over = this.#follow(invite.dialog);
    stream.configure({
      remoteAddress: remote.address,
      remotePort: remote.port,
      codec: remote.codec,
      telephoneEvents: [],
      sendTelephoneEvent: remote.telephoneEvent,
      sending: true,
    });
    // Like street noise, because a detector has nothing to do in silence.
    if (this.#plan.isNoisy) stream.play({ read: () => NOISE });
    void this.#keyAll(stream);
    await over;
    for (const wait of this.#waits) clearTimeout(wait);
    this.#sum();
    return this.#result;
  }

  /** Handles a packet of audio. */
  receive(sound: Buffer, sequence: number): void {
    const at = this.#now();
    const result = this.#result;
    if (this.#sequence >= 0) {
      this.#deviations.push(Math.abs(at - this.#packetAt - FRAME_MS));
      result.packetsLost += Math.max(0, ((sequence - this.#sequence) & 0xffff) - 1);
    }
    this.#packetAt = at;
    this.#sequence = sequence;
    result.packets += 1;
    if (sound.every((byte) => byte === SILENCE_BYTE.PCMU)) return;
    result.firstSoundMs ??= at - this.#ackAt;
    const last = result.sounds.at(-1);
    if (last && at - last.to < PAUSE_IN_SPEECH_MS) last.to = at;
    else result.sounds.push({ from: at, to: at });
  }

  #follow(dialog: Dialog): Promise<void> {
    return new Promise((resolve) => {
      this.#after(CALL_LIMIT_MS, () => {
        dialog.bye();
        resolve();
      });
      dialog.once('ended', () => resolve());
      dialog.on('request', (transaction) => {
        if (transaction.method === 'REFER') this.#referred(dialog, transaction);
        else transaction.respond(200);
      });
    });
  }

  /** RFC 3515: accepted, trying, OK. */
  #referred(dialog: Dialog, transaction: ServerTransaction): void {
    this.#result.referAt = this.#now();
    this.#result.outcome = headerValue(transaction.request, 'X-Ringkey-Outcome') ?? null;
    transaction.respond(202);
    notify(dialog, 'active;expires=60', 'SIP/2.0 100 Trying');
    notify(dialog, 'terminated;reason=noresource', 'SIP/2.0 200 OK');
  }

  async #keyAll(stream: RtpStream): Promise<void> {
    await new Promise<void>((resolve) => this.#after(this.#plan.patienceMs ?? BEFORE_KEYING_MS, resolve));
    const { fields } = this.#plan;
    if (this.#plan.isInband) return this.#soundAll(stream);
    for (const [at, field] of fields.entries()) {
      if (at < fields.length - 1) {
        await stream.sendDigits(field, TONE);
        await new Promise<void>((resolve) => this.#after(BETWEEN_FIELDS_MS, resolve));
      } else {
        await stream.sendDigits(field.slice(0, -1), TONE);
        // Without a gap it resolves in the tick that sends the end packets.
        await stream.sendDigits(field.slice(-1), { ...TONE, gapMs: 0 });
        this.#result.lastDigitAt = this.#now();
      }
    }
  }

  async #soundAll(stream: RtpStream): Promise<void> {
    for (const field of this.#plan.fields) {
      await new Promise<void>((resolve) => stream.play(onceOf(clipOf(tonesOf(field, TONE)), resolve)));
      await new Promise<void>((resolve) => this.#after(BETWEEN_FIELDS_MS, resolve));
    }
  }

  #after(ms: number, work: () => void): void {
    this.#waits.add(setTimeout(work, ms));
  }

  #sum(): void {
    const sorted = this.#deviations.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    this.#result.jitterMs = { median: at(0.5), p99: at(0.99) };
  }
}

function notify(dialog: Dialog, state: string, sipfrag: string): void {
  const headers = { Event: 'refer', 'Subscription-State': state, 'Content-Type': 'message/sipfrag;version=2.0' };
  dialog.request({ method: 'NOTIFY', headers, body: `${sipfrag}\r\n` });
}
