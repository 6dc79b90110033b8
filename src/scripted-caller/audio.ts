/** One end of an audio session of the scripted caller or its agent: ports, SDP, what it hears, what it plays and keys. */
import { readSdp, SdpSession } from '../softswitch/media/sdp.ts';
import {
  clipOf,
  decodeG711,
  FRAME_SAMPLES,
  frameAt,
  MediaClock,
  type PortPair,
  PortRange,
  RtpStream,
} from '../softswitch/rtp/index.ts';

/** A frame of 160 samples and when it came, on the clock of `performance.now()`. */
export type FrameListener = (samples: Int16Array, atMs: number) => void;

/** Above the engine's range, so that both fit on one machine. */
const PORTS = { firstPort: 40_000, lastPort: 49_998 };

/** What all audio ends of a process share. */
export class AudioRoom {
  readonly address: string;
  readonly clock = new MediaClock();
  readonly #ports: PortRange;

  constructor(address: string) {
    this.address = address;
    this.#ports = new PortRange({ address, ...PORTS });
  }

  async open(onFrame: FrameListener): Promise<AudioEnd> {
    return new AudioEnd(this.address, await this.#ports.acquire(), this.clock, onFrame);
  }
}

/** Owns its ports from `open` to `close`. */
export class AudioEnd {
  readonly #address: string;
  readonly #port: number;
  readonly #stream: RtpStream;
  readonly #sdp = new SdpSession();

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

  /** Our offer. */
  offer(): string {
    return this.#sdp.offer(this.#address, this.#port);
  }

  /** Our answer to an offer, and media as both say; null when the offer has nothing for us. */
  answer(offer: string): string | null {
    const remote = readSdp(offer);
    if (!remote || !this.connect(offer)) return null;
    return this.#sdp.answer(this.#address, this.#port, remote);
  }

  /** Media as the peer's description says; false when it says nothing that we speak. */
  connect(description: string): boolean {
    const remote = readSdp(description);
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

  /** Presses keys; resolves when the last one is let go. */
  press(keys: string, gapMs: number): Promise<void> {
    return this.#stream.sendDigits(keys, { toneMs: 80, gapMs });
  }

  /** Plays samples once. */
  play(samples: Int16Array): void {
    const clip = clipOf(samples);
    let at = 0;
    this.#stream.play({
      read: (codec) => {
        const frame = frameAt(clip, at, codec);
        at += FRAME_SAMPLES;
        return frame;
      },
    });
  }

  close(): void {
    this.#stream.close();
  }
}
