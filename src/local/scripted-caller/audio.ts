/**
 * Audio of a call leg of the scripted caller or its agent: RTP ports, SDP, received frames, played audio, key presses.
 */
import { type RemoteMedia, readSdp, SdpSession } from '../softswitch/media/sdp.ts';
import {
  clipOf,
  decodeG711,
  FRAME_SAMPLES,
  MediaClock,
  onceOf,
  type PortPair,
  PortRange,
  RtpStream,
  tonesOf,
} from '../softswitch/rtp/index.ts';

/** Receives each frame of 160 samples, which it may keep, with its arrival time by `performance.now()`. */
export type FrameListener = (samples: Int16Array, atMs: number) => void;

/** Above the softswitch's port range, so that both can run on one machine. */
const PORTS = { firstPort: 40_000, lastPort: 49_998 };

const TONE_MS = 80;
/** Pause between two keys. */
const DEFAULT_GAP_MS = 60;

/** Removes telephone-event from a description, for a phone that sends its keys in another way. */
export function withoutTelephoneEvents(sdp: string): string {
  const payload = /^a=rtpmap:(\d+) telephone-event\//im.exec(sdp)?.[1];
  if (payload === undefined) return sdp;
  return sdp
    .replace(new RegExp(`^a=(rtpmap|fmtp):${payload} .*\r\n`, 'gm'), '')
    .replace(new RegExp(`^(m=audio .*) ${payload}\\b`, 'm'), '$1');
}

/** Opens audio sessions, which share one media clock and one port range. */
export class AudioSessions {
  readonly address: string;
  readonly clock = new MediaClock();
  readonly #ports: PortRange;

  constructor(address = '127.0.0.1') {
    this.address = address;
    this.#ports = new PortRange({ address, ...PORTS });
    // The first encoding takes so long that, during a call, its packets would be sent in a burst.
    clipOf(tonesOf('0', { toneMs: TONE_MS, gapMs: DEFAULT_GAP_MS }));
  }

  async openSession(onFrame: FrameListener): Promise<AudioSession> {
    return new AudioSession(this.address, await this.#ports.acquire(), this.clock, onFrame);
  }
}

/** One RTP session with its SDP. Owns its ports until `close`. */
export class AudioSession {
  readonly #address: string;
  readonly #port: number;
  readonly #stream: RtpStream;
  readonly #sdp = new SdpSession();
  /** Resolves the playback in progress. */
  #played: () => void = () => undefined;

  constructor(address: string, pair: PortPair, clock: MediaClock, onFrame: FrameListener) {
    this.#address = address;
    this.#port = pair.port;
    this.#stream = new RtpStream(pair, clock, {
      audio: (sound, codec) => {
        const samples = decodeG711(sound, codec);
        for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
          onFrame(samples.subarray(at, at + FRAME_SAMPLES), performance.now());
        }
      },
    });
  }

  /** The SDP offer. */
  offer(): string {
    return this.#sdp.offer(this.#address, this.#port);
  }

  /** Answers an SDP offer and starts the audio; null if there is no common codec. */
  answer(offer: string): string | null {
    const remote = this.readRemote(offer);
    if (!remote || !this.connect(offer)) return null;
    return this.#sdp.answer(this.#address, this.#port, remote);
  }

  /** Starts the audio with the peer's SDP; false if there is no common codec. */
  connect(description: string): boolean {
    const remote = this.readRemote(description);
    if (!remote) return false;
    this.#stream.configure({
      remoteAddress: remote.address,
      remotePort: remote.port,
      codec: remote.codec,
      telephoneEvents: remote.telephoneEvent === null ? [] : [remote.telephoneEvent],
      sendTelephoneEvent: remote.telephoneEvent,
      sending: remote.direction !== 'sendonly' && remote.direction !== 'inactive',
    });
    return true;
  }

  /** Null if the peer's SDP has no audio for this session. */
  protected readRemote(description: string): RemoteMedia | null {
    return readSdp(description);
  }

  /** Telephone-event packets received so far. */
  get events(): number {
    return this.#stream.counters.events;
  }

  /** Presses keys. Resolves when the last key is released. */
  press(keys: string, gapMs = DEFAULT_GAP_MS, sendsEnd = true): Promise<void> {
    return this.#stream.sendDigits(keys, { toneMs: TONE_MS, gapMs, sendsEnd });
  }

  /** Presses keys as tones in the audio. Resolves when the last tone and its gap have been sent. */
  pressTones(keys: string, gapMs = DEFAULT_GAP_MS): Promise<void> {
    return this.play(tonesOf(keys, { toneMs: TONE_MS, gapMs }));
  }

  /**
   * Plays samples once. Resolves when the last one has been sent, another sound replaces them, or the session is
   * closed.
   */
  play(samples: Int16Array): Promise<void> {
    this.#played();
    return new Promise((resolve) => {
      this.#played = resolve;
      this.#stream.play(onceOf(clipOf(samples), resolve));
    });
  }

  close(): void {
    this.#played();
    this.#stream.close();
  }
}
