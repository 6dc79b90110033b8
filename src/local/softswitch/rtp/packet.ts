/** Writes and reads RTP headers (RFC 3550, 5.1): writes 12 bytes, checks all bounds when reading. */

/** Fixed header size, without CSRCs and extension. */
export const RTP_HEADER_BYTES = 12;

const VERSION_2 = 0x80;
const PADDING = 0x20;
const EXTENSION = 0x10;
const CSRC_COUNT = 0x0f;
const MARKER = 0x80;

/** A received packet; `payload` is a view into the datagram, not a copy. */
export interface RtpPacket {
  payloadType: number;
  marker: boolean;
  /** 16 bits. */
  sequence: number;
  /** 32 bits, in units of the payload's clock (8 kHz for all payloads here). */
  timestamp: number;
  ssrc: number;
  payload: Buffer;
}

/**
 * Parses one datagram. Returns null if it is not RTP version 2 or its lengths are wrong: short datagrams, STUN and
 * DTLS, RTCP (RFC 5761, 4: types 192–223), CSRC lists, extensions or padding beyond the end.
 */
export function parseRtp(datagram: Buffer): RtpPacket | null {
  const { length } = datagram;
  if (length < RTP_HEADER_BYTES) return null;
  const first = datagram.readUInt8(0);
  if ((first & 0xc0) !== VERSION_2) return null;
  const second = datagram.readUInt8(1);
  if (second >= 192 && second <= 223) return null;
  let start = RTP_HEADER_BYTES + (first & CSRC_COUNT) * 4;
  if (first & EXTENSION) {
    if (start + 4 > length) return null;
    start += 4 + datagram.readUInt16BE(start + 2) * 4;
  }
  let end = length;
  if (first & PADDING) {
    const padding = datagram.readUInt8(length - 1);
    if (padding === 0) return null;
    end -= padding;
  }
  if (start > end) return null;
  return {
    payloadType: second & 0x7f,
    marker: (second & MARKER) !== 0,
    sequence: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    ssrc: datagram.readUInt32BE(8),
    payload: datagram.subarray(start, end),
  };
}

/** Writes the 12 header bytes at the start of `target`. */
export function writeRtpHeader(target: Buffer, header: Omit<RtpPacket, 'payload'>): void {
  target[0] = VERSION_2;
  target[1] = (header.marker ? MARKER : 0) | header.payloadType;
  target.writeUInt16BE(header.sequence, 2);
  target.writeUInt32BE(header.timestamp, 4);
  target.writeUInt32BE(header.ssrc, 8);
}

/** `a - b` modulo 2³², in −2³¹ … 2³¹−1: positive if `a` is later. */
export function timestampDifference(a: number, b: number): number {
  return (a - b) | 0;
}
