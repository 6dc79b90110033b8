/** The test caller's SRTP, checked with the test vectors of RFC 3711 and libsrtp. */
import { describe, expect, it } from 'vitest';
import { deriveSessionKeys, SrtpStream } from './srtp.ts';

const MASTER_KEY = Buffer.from('e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6', 'hex');

/** A packet with sequence number `sequence` and 16 bytes of payload. */
function packet(sequence: number): Buffer {
  const rtp = Buffer.from(`800f0000decafbadcafebabe${'ab'.repeat(16)}`, 'hex');
  rtp.writeUInt16BE(sequence, 2);
  return rtp;
}

describe('SRTP', () => {
  it('derives the session keys of RFC 3711, B.3', () => {
    const { cipher, authentication, salt } = deriveSessionKeys(MASTER_KEY);
    expect(cipher.toString('hex')).toBe('c61e7a93744f39ee10734afe3ff7a087');
    expect(salt.toString('hex')).toBe('30cbbc08863d8c85d49db34a9ae1');
    expect(authentication.toString('hex')).toBe('cebe321f6ff7716b6fd4ab49af256a156d38baa4');
  });

  it('creates the packet of libsrtp’s own check (srtp_validate in test/srtp_driver.c)', () => {
    const encrypted = new SrtpStream(MASTER_KEY).encrypt(packet(0x1234));
    expect(encrypted.toString('hex')).toBe(
      '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb',
    );
  });

  it('decrypts its own packets, even after the sequence number wraps and out of order', () => {
    const [sender, receiver] = [new SrtpStream(MASTER_KEY), new SrtpStream(MASTER_KEY)];
    const sequences = [65_534, 65_535, 0, 1];
    const encrypted = sequences.map((sequence) => sender.encrypt(packet(sequence)));
    for (const at of [0, 2, 1, 3]) {
      expect(receiver.decrypt(encrypted[at] as Buffer)).toEqual(packet(sequences[at] as number));
    }
  });

  it('refuses a changed packet, another key, and plain RTP', () => {
    const encrypted = new SrtpStream(MASTER_KEY).encrypt(packet(7));
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    const receiver = new SrtpStream(MASTER_KEY);
    expect(receiver.decrypt(changed)).toBeNull();
    expect(receiver.decrypt(packet(7))).toBeNull();
    expect(receiver.decrypt(Buffer.alloc(5))).toBeNull();
    expect(new SrtpStream(Buffer.alloc(30)).decrypt(encrypted)).toBeNull();
    expect(receiver.decrypt(encrypted)).toEqual(packet(7));
  });
});
