/** Audio sessions of a test caller or agent whose RTP is always encrypted, with keys in the SDP (SRTP, SDES). */
import { randomBytes } from 'node:crypto';
import type { RemoteInfo } from 'node:dgram';
import { AudioSession, AudioSessions, type FrameListener } from '../../src/local/scripted-caller/audio.ts';
import { type RemoteMedia, readSdp } from '../../src/local/softswitch/media/sdp.ts';
import {
  type DatagramSocket,
  type MediaClock,
  type PortPair,
  PortRange,
} from '../../src/local/softswitch/rtp/index.ts';
import { SRTP_KEY_BYTES, SRTP_SUITE, SrtpStream } from './srtp.ts';

const ADDRESS = '127.0.0.1';
/** Above the ports of plain sessions. */
const PORTS = { firstPort: 50_000, lastPort: 51_998 };

/** Received datagrams of all sessions. */
interface PacketCounts {
  decrypted: number;
  /** Datagrams not encrypted with the key in the SDP. */
  refused: number;
}

export class EncryptedAudioSessions extends AudioSessions {
  readonly packets: PacketCounts = { decrypted: 0, refused: 0 };
  readonly #ports = new PortRange({ address: ADDRESS, ...PORTS });

  constructor() {
    super(ADDRESS);
  }

  override async openSession(onFrame: FrameListener): Promise<AudioSession> {
    const pair = await this.#ports.acquire();
    return new EncryptedAudioSession(pair, new EncryptedSocket(pair.rtp, this.packets), this.clock, onFrame);
  }
}

class EncryptedAudioSession extends AudioSession {
  readonly #socket: EncryptedSocket;

  constructor(pair: PortPair, socket: EncryptedSocket, clock: MediaClock, onFrame: FrameListener) {
    super(ADDRESS, { ...pair, rtp: socket }, clock, onFrame);
    this.#socket = socket;
  }

  override offer(): string {
    return encrypted(super.offer(), 1, this.#socket.ownKey);
  }

  override answer(offer: string): string | null {
    const answer = super.answer(offer);
    return answer && encrypted(answer, cryptoOf(offer)?.tag ?? 1, this.#socket.ownKey);
  }

  protected override readRemote(description: string): RemoteMedia | null {
    const crypto = cryptoOf(description);
    if (crypto === null) return null;
    this.#socket.setTheirKey(crypto.key);
    return readSdp(encryptedOnly(description));
  }
}

/** A UDP socket for SRTP that behaves like one for RTP. */
class EncryptedSocket implements DatagramSocket {
  readonly ownKey = randomBytes(SRTP_KEY_BYTES);
  readonly #socket: DatagramSocket;
  readonly #packets: PacketCounts;
  readonly #out = new SrtpStream(this.ownKey);
  #in: SrtpStream | null = null;
  #theirKey: Buffer | null = null;

  constructor(socket: DatagramSocket, packets: PacketCounts) {
    this.#socket = socket;
    this.#packets = packets;
  }

  /** Sets the key of the peer's latest SDP. The stream continues if the key is the same. */
  setTheirKey(key: Buffer): void {
    if (this.#theirKey?.equals(key)) return;
    this.#theirKey = key;
    this.#in = new SrtpStream(key);
  }

  on(event: 'message', listener: (datagram: Buffer, from: RemoteInfo) => void): void {
    this.#socket.on(event, (datagram, from) => {
      // There is no key before the peer's SDP arrives.
      if (this.#in === null) return;
      const rtp = this.#in.decrypt(datagram);
      this.#packets[rtp === null ? 'refused' : 'decrypted'] += 1;
      if (rtp !== null) listener(rtp, from);
    });
  }

  send(rtp: Buffer, port: number, address: string): void {
    this.#socket.send(this.#out.encrypt(rtp), port, address);
  }
}

/** The lines before the first `m=` line, then one section for each `m=` line. */
const sectionsOf = (sdp: string) => sdp.split(/^(?=m=)/m);
const ENCRYPTED_LINE = /^m=audio [1-9]\d* RTP\/SAVP /;

/** The first offered key of our suite (RFC 4568, 9.1); null if there is none. */
function cryptoOf(sdp: string): { tag: number; key: Buffer } | null {
  const section = sectionsOf(sdp).find((text) => ENCRYPTED_LINE.test(text)) ?? '';
  const { tag, key } =
    new RegExp(`^a=crypto:(?<tag>\\d+) ${SRTP_SUITE} inline:(?<key>[\\w+/]{40})`, 'm').exec(section)?.groups ?? {};
  return tag === undefined || key === undefined ? null : { tag: Number(tag), key: Buffer.from(key, 'base64') };
}

/** The description for the plain session: encrypted audio becomes plain audio, and plain audio an unknown stream. */
function encryptedOnly(sdp: string): string {
  const disguised = (text: string) =>
    ENCRYPTED_LINE.test(text)
      ? text.replace('RTP/SAVP', 'RTP/AVP')
      : text.replace(/^(m=audio \d+) RTP\/AVP/, '$1 plain');
  return sectionsOf(sdp).map(disguised).join('');
}

/** The plain session's description with encrypted audio. */
function encrypted(sdp: string, tag: number, key: Buffer): string {
  const crypto = `a=crypto:${tag} ${SRTP_SUITE} inline:${key.toString('base64')}`;
  const line = /^(m=audio [1-9]\d*) RTP\/AVP (.*)$/m;
  return sdp.replace(line, `$1 RTP/SAVP $2\r\n${crypto}`).replace(/^(m=audio 0) plain/m, '$1 RTP/AVP');
}
