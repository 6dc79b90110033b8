/**
 * SRTP with AES_CM_128_HMAC_SHA1_80 (RFC 3711; RFC 4568, 6.2), for one direction of a stream: encrypts and
 * authenticates RTP packets. Without a master key identifier and without re-keying.
 */
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { RTP_HEADER_BYTES } from '../../src/local/softswitch/rtp/packet.ts';

/** The suite's name in SDP. */
export const SRTP_SUITE = 'AES_CM_128_HMAC_SHA1_80';
/** Length of the master key and the master salt after it. */
export const SRTP_KEY_BYTES = 30;

const MASTER_KEY_BYTES = 16;
const SALT_BYTES = 14;
const BLOCK_BYTES = 16;
const AUTH_KEY_BYTES = 20;
const TAG_BYTES = 10;
/** RFC 3711, 4.3.2. */
const LABEL = { cipher: 0, authentication: 1, salt: 2 };
const SEQUENCES = 0x10000;
/** A packet this far ahead belongs to the previous round (RFC 3711, 3.3.1). */
const HALF_ROUND = 0x8000;

interface SessionKeys {
  cipher: Buffer;
  authentication: Buffer;
  salt: Buffer;
}

/** @param masterKey {@link SRTP_KEY_BYTES}, key and salt as in an `inline:` parameter */
export function deriveSessionKeys(masterKey: Buffer): SessionKeys {
  const key = masterKey.subarray(0, MASTER_KEY_BYTES);
  const derived = (label: number, bytes: number) => {
    const counter = Buffer.alloc(BLOCK_BYTES);
    masterKey.copy(counter, 0, MASTER_KEY_BYTES, MASTER_KEY_BYTES + SALT_BYTES);
    counter[7] = (counter[7] ?? 0) ^ label;
    return applyKeystream(key, counter, Buffer.alloc(bytes));
  };
  return {
    cipher: derived(LABEL.cipher, MASTER_KEY_BYTES),
    authentication: derived(LABEL.authentication, AUTH_KEY_BYTES),
    salt: derived(LABEL.salt, SALT_BYTES),
  };
}

function applyKeystream(key: Buffer, counter: Buffer, data: Buffer): Buffer {
  return createCipheriv('aes-128-ctr', key, counter).update(data);
}

export class SrtpStream {
  readonly #keys: SessionKeys;
  /** The highest packet index of each SSRC: rounds of the sequence number × 65,536 + sequence number. */
  readonly #highest = new Map<number, number>();

  constructor(masterKey: Buffer) {
    this.#keys = deriveSessionKeys(masterKey);
  }

  encrypt(rtp: Buffer): Buffer {
    const index = this.#index(rtp);
    const encrypted = this.#crypt(rtp, index);
    this.#remember(rtp, index);
    return Buffer.concat([encrypted, this.#tag(encrypted, index)]);
  }

  /** Null if the packet was not encrypted with our key. */
  decrypt(srtp: Buffer): Buffer | null {
    const encrypted = srtp.subarray(0, -TAG_BYTES);
    if (encrypted.length < RTP_HEADER_BYTES) return null;
    const index = this.#index(encrypted);
    if (!timingSafeEqual(this.#tag(encrypted, index), srtp.subarray(-TAG_BYTES))) return null;
    this.#remember(encrypted, index);
    return this.#crypt(encrypted, index);
  }

  /** RFC 3711, 3.3.1: the round that brings the sequence number nearest to the highest one. */
  #index(packet: Buffer): number {
    const sequence = packet.readUInt16BE(2);
    const highest = this.#highest.get(packet.readUInt32BE(8)) ?? sequence;
    const sameRound = highest - (highest % SEQUENCES) + sequence;
    if (sameRound - highest > HALF_ROUND) return Math.max(sequence, sameRound - SEQUENCES);
    return highest - sameRound > HALF_ROUND ? sameRound + SEQUENCES : sameRound;
  }

  #remember(packet: Buffer, index: number): void {
    const ssrc = packet.readUInt32BE(8);
    this.#highest.set(ssrc, Math.max(index, this.#highest.get(ssrc) ?? 0));
  }

  /** RFC 3711, 4.1.1: the counter is salt, SSRC and packet index. The header does not change. */
  #crypt(packet: Buffer, index: number): Buffer {
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.writeUInt32BE(packet.readUInt32BE(8), 4);
    counter.writeUIntBE(index, 8, 6);
    for (const [at, byte] of this.#keys.salt.entries()) counter[at] = (counter[at] ?? 0) ^ byte;
    const start = headerBytes(packet);
    const payload = applyKeystream(this.#keys.cipher, counter, packet.subarray(start));
    return Buffer.concat([packet.subarray(0, start), payload]);
  }

  #tag(encrypted: Buffer, index: number): Buffer {
    const round = Buffer.alloc(4);
    round.writeUInt32BE(Math.floor(index / SEQUENCES));
    const hmac = createHmac('sha1', this.#keys.authentication).update(encrypted).update(round).digest();
    return hmac.subarray(0, TAG_BYTES);
  }
}

/** Length of the header, with contributing sources and extension (RFC 3550, 5.1 and 5.3.1), which are not encrypted. */
function headerBytes(packet: Buffer): number {
  const first = packet.readUInt8(0);
  const fixed = RTP_HEADER_BYTES + (first & 0x0f) * 4;
  return first & 0x10 ? fixed + 4 + packet.readUInt16BE(fixed + 2) * 4 : fixed;
}
