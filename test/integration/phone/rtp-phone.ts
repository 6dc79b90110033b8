/** The audio of one test phone: RTP both ways, key presses and SDP. */
import { readSdp, SdpSession } from '../../../src/softswitch/media/sdp.ts';
import {
  clipOf,
  decodeG711,
  FRAME_SAMPLES,
  frameAt,
  MediaClock,
  type PortPair,
  PortRange,
  RtpStream,
} from '../../../src/softswitch/rtp/index.ts';

const ADDRESS = '127.0.0.1';
const PORTS = new PortRange({ address: ADDRESS, firstPort: 40_000, lastPort: 49_998 });
const CLOCK = new MediaClock();

export class RtpPhone {
  readonly #pair: PortPair;
  readonly #stream: RtpStream;
  readonly #sdp = new SdpSession();

  private constructor(pair: PortPair, onFrame: (samples: Int16Array, atMs: number) => void) {
    this.#pair = pair;
    this.#stream = new RtpStream(pair, CLOCK, {
      audio: (sound, codec) => onFrame(decodeG711(sound, codec), performance.now()),
    });
  }

  static async make(onFrame: (samples: Int16Array, atMs: number) => void): Promise<RtpPhone> {
    return new RtpPhone(await PORTS.acquire(), onFrame);
  }

  /** Telephone-event packets received so far. */
  get events(): number {
    return this.#stream.counters.events;
  }

  get port(): number {
    return this.#pair.port;
  }

  offer(): string {
    return this.#sdp.offer(ADDRESS, this.#pair.port);
  }

  answer(offer: string): string | null {
    const remote = readSdp(offer);
    if (remote === null) return null;
    this.connect(offer);
    return this.#sdp.answer(ADDRESS, this.#pair.port, remote);
  }

  connect(description: string): void {
    const remote = readSdp(description);
    if (remote === null) throw new Error('a description without audio for us');
    this.#stream.configure({
      remoteAddress: remote.address,
      remotePort: remote.port,
      codec: remote.codec,
      telephoneEvents: remote.telephoneEvent === null ? [] : [remote.telephoneEvent],
      sendTelephoneEvent: remote.telephoneEvent,
      sending: true,
    });
  }

  /** Presses keys. Resolves when the last key is released. */
  press(keys: string, gapMs = 40): Promise<void> {
    return this.#stream.sendDigits(keys, { toneMs: 60, gapMs });
  }

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
