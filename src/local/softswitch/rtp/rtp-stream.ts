/**
 * One end of an RTP session: sends a frame every 20 ms, receives audio and telephone events, follows the peer's
 * address.
 */
import { randomInt } from 'node:crypto';
import type { RemoteInfo } from 'node:dgram';
import { performance } from 'node:perf_hooks';
import type { AudioSource } from './audio-source.ts';
import type { MediaClock, Ticked } from './clock.ts';
import { type Digit, DtmfReceiver } from './dtmf-receiver.ts';
import { DEFAULT_TIMING, type DtmfPacket, DtmfSender, type DtmfTiming } from './dtmf-sender.ts';
import { type Codec, FRAME_SAMPLES, PAYLOAD_TYPE, SILENCE_BYTE } from './g711.ts';
import { parseRtp, RTP_HEADER_BYTES, type RtpPacket, writeRtpHeader } from './packet.ts';
import type { PortPair } from './port-range.ts';
import { Reception } from './reception.ts';

/** The result of the SDP exchange. */
export interface RtpSettings {
  /** Where to send the media until the peer's actual source is seen. Port 0 or 0.0.0.0: nowhere. */
  remoteAddress: string;
  remotePort: number;
  codec: Codec;
  /** Payload types that are received as telephone events. */
  telephoneEvents: readonly number[];
  /** Clock rate of one of them, if it is not 8 kHz. */
  telephoneEventRate?: { payloadType: number | null; hertz: number };
  /** Payload type of the events that we send; null if the peer accepts none. */
  sendTelephoneEvent: number | null;
  /** False while the peer is `sendonly` or `inactive`. */
  sending: boolean;
}

/** Packet counts since the start of the stream. */
interface RtpCounters {
  sent: number;
  received: number;
  /** Received audio packets. */
  audio: number;
  /** Received telephone-event packets. */
  events: number;
  /** Datagrams that were no RTP, came from another source or had an unknown payload type. */
  ignored: number;
}

export interface RtpListener {
  /** Called after the end of a key press. */
  digit?(digit: Digit): void;
  /** @param sound a view into the datagram: copy it to keep it */
  audio?(sound: Buffer, codec: Codec, packet: RtpPacket): void;
}

/** The kernel may still be using the last buffers. */
const SEND_BUFFERS = 4;

const CODEC_OF_PAYLOAD = new Map<number, Codec>([
  [PAYLOAD_TYPE.PCMU, 'PCMU'],
  [PAYLOAD_TYPE.PCMA, 'PCMA'],
]);

/** Owns its port pair from construction to `close`. */
export class RtpStream implements Ticked {
  readonly counters: RtpCounters = { sent: 0, received: 0, audio: 0, events: 0, ignored: 0 };
  readonly reception = new Reception();
  readonly ssrc = randomInt(1, 0xffffffff);
  readonly #pair: PortPair;
  readonly #clock: MediaClock;
  readonly #listener: RtpListener;
  readonly #receiver: DtmfReceiver;
  readonly #sender = new DtmfSender();
  readonly #buffers = Array.from({ length: SEND_BUFFERS }, () => Buffer.alloc(RTP_HEADER_BYTES + FRAME_SAMPLES));
  #settings: RtpSettings | null = null;
  #source: AudioSource | null = null;
  #relay: ((sound: Buffer, codec: Codec) => void) | null = null;
  #sequence = randomInt(0x10000);
  #timestamp = randomInt(0xffffffff);
  /** Ticks skipped after a stall that are not in the timestamps yet. */
  #skipped = 0;
  #pressTimestamp = 0;
  #peerAddress = '';
  #peerPort = 0;
  #latched = false;
  #lastPacketAtMs = performance.now();
  #started = false;
  #closed = false;

  constructor(pair: PortPair, clock: MediaClock, listener: RtpListener = {}) {
    this.#pair = pair;
    this.#clock = clock;
    this.#listener = listener;
    this.#receiver = new DtmfReceiver((digit) => this.#listener.digit?.(digit));
    pair.rtp.on('message', (datagram, from) => this.#receive(datagram, from));
  }

  get port(): number {
    return this.#pair.port;
  }

  /** `performance.now()` at the peer's last packet; before the first one, at the last `configure`. */
  get lastPacketAtMs(): number {
    return this.#lastPacketAtMs;
  }

  /** Starts the stream, or changes it after a re-INVITE: the peer's address is learned again. */
  configure(settings: RtpSettings): void {
    const moved =
      settings.remoteAddress !== this.#settings?.remoteAddress || settings.remotePort !== this.#settings.remotePort;
    this.#settings = settings;
    if (moved) {
      this.#peerAddress = settings.remoteAddress;
      this.#peerPort = settings.remotePort;
      this.#latched = false;
    }
    this.#lastPacketAtMs = performance.now();
    if (!this.#closed) this.#clock.add(this);
  }

  /** Sends this source from the next tick on; null: silence. */
  play(source: AudioSource | null): void {
    this.#source = source;
  }

  /** Also passes the peer's audio to `relay` (the other leg of a bridge); null stops it. */
  relayTo(relay: ((sound: Buffer, codec: Codec) => void) | null): void {
    this.#relay = relay;
  }

  /** Sends keys as telephone events, or nothing if none are negotiated. Resolves after the last gap, or at `close`. */
  sendDigits(digits: string, timing: DtmfTiming = DEFAULT_TIMING): Promise<void> {
    if (this.#closed || this.#settings?.sendTelephoneEvent == null) return Promise.resolve();
    return new Promise((resolve) => this.#sender.send(digits, timing, resolve));
  }

  tick(nowMs: number, skipped: number): void {
    this.#receiver.poll(nowMs);
    this.#passTime(skipped);
    const settings = this.#settings;
    if (!settings) return;
    // The source is read even if nothing can be sent, so that playback continues.
    const frame = this.#source?.read(settings.codec) ?? null;
    const presses = this.#sender.next(skipped);
    if (!settings.sending || !this.#reachable()) return;
    if (presses.length > 0) {
      for (const press of presses) this.#sendPress(press, settings.sendTelephoneEvent ?? 0);
    } else {
      this.#send(PAYLOAD_TYPE[settings.codec], !this.#started, this.#timestamp, frame, SILENCE_BYTE[settings.codec]);
    }
    this.#started = true;
  }

  /** A gap in a key's tone would split it into two keys, so the time lost to a stall is skipped after such a sound. */
  #passTime(skipped: number): void {
    this.#skipped += skipped;
    const toSkip = this.#source?.isUnbroken ? 0 : this.#skipped;
    this.#skipped -= toSkip;
    this.#timestamp = (this.#timestamp + FRAME_SAMPLES * (1 + toSkip)) >>> 0;
  }

  /** Returns the ports and reports a key press in progress. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#clock.remove(this);
    this.#receiver.flush();
    this.#sender.clear();
    this.#source = null;
    this.#relay = null;
    this.#pair.release();
  }

  /**
   * False if the peer's address is our own: an endpoint created without an offer gets its own offer back in the ACK.
   */
  #reachable(): boolean {
    if (this.#peerPort === 0 || this.#peerAddress === '0.0.0.0') return false;
    return !this.#isOurselves(this.#peerAddress, this.#peerPort);
  }

  #isOurselves(address: string, port: number): boolean {
    return port === this.#pair.port && address === this.#pair.address;
  }

  #sendPress(press: DtmfPacket, payloadType: number): void {
    if (press.ticksSinceStart === 0) this.#pressTimestamp = this.#timestamp;
    this.#send(payloadType, press.marker, this.#pressTimestamp, press.payload, 0);
  }

  #send(payloadType: number, marker: boolean, timestamp: number, payload: Buffer | null, fill: number): void {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    const packet = this.#buffers[sequence % SEND_BUFFERS] as Buffer;
    writeRtpHeader(packet, { payloadType, marker, sequence, timestamp, ssrc: this.ssrc });
    const length = payload?.length ?? FRAME_SAMPLES;
    if (payload) payload.copy(packet, RTP_HEADER_BYTES);
    else packet.fill(fill, RTP_HEADER_BYTES);
    const whole = length === FRAME_SAMPLES ? packet : packet.subarray(0, RTP_HEADER_BYTES + length);
    this.#pair.rtp.send(whole, this.#peerPort, this.#peerAddress);
    this.counters.sent++;
  }

  #receive(datagram: Buffer, from: RemoteInfo): void {
    const packet = this.#closed ? null : parseRtp(datagram);
    if (!packet || !this.#settings || !this.#accept(from)) {
      this.counters.ignored++;
      return;
    }
    this.counters.received++;
    const codec = CODEC_OF_PAYLOAD.get(packet.payloadType);
    if (codec) {
      this.counters.audio++;
      this.reception.receive(packet.sequence, performance.now());
      this.#relay?.(packet.payload, codec);
      this.#listener.audio?.(packet.payload, codec, packet);
    } else if (this.#settings.telephoneEvents.includes(packet.payloadType)) {
      this.counters.events++;
      this.reception.interrupt();
      const { telephoneEventRate: rate } = this.#settings;
      const isRated = rate?.payloadType === packet.payloadType;
      this.#receiver.receive(packet, performance.now(), isRated ? rate.hertz : undefined);
    } else {
      this.counters.ignored++;
    }
  }

  /**
   * Symmetric RTP: the first source of packets is the peer, regardless of the SDP. After that, only the address in the
   * SDP can replace it, because then the first source was left over from an earlier call on this port. Other sources
   * are ignored even if the peer is silent: an attacker who guesses the port could take over the call. A peer that
   * moves sends a re-INVITE.
   */
  #accept(from: RemoteInfo): boolean {
    const known = from.port === this.#peerPort && from.address === this.#peerAddress;
    if (!known) {
      if (this.#isOurselves(from.address, from.port)) return false;
      const named = from.port === this.#settings?.remotePort && from.address === this.#settings.remoteAddress;
      if (!named && this.#latched) return false;
      this.#peerAddress = from.address;
      this.#peerPort = from.port;
    }
    this.#latched = true;
    this.#lastPacketAtMs = performance.now();
    return true;
  }
}
