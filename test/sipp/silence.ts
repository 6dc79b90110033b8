/** A capture file of silent RTP for SIPp's `play_pcap_audio`, like a phone's during silence. */
const FRAME_BYTES = 160;
const FRAME_MS = 20;
const ETHERNET = 14;
const IP = 20;
const UDP = 8;
const RTP = 12;
const PACKET = ETHERNET + IP + UDP + RTP + FRAME_BYTES;

/** RTP payload type to the octet of silence in it. */
const SILENCE = { 0: 0xff, 8: 0xd5 } as const;
export type PayloadType = keyof typeof SILENCE;

/**
 * The format of libpcap: a file header of 24 bytes, then 16 bytes before each packet. SIPp replaces addresses and
 * ports.
 */
export function silence(seconds: number, payloadType: PayloadType): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(1, 20);
  const packets = Array.from({ length: (seconds * 1_000) / FRAME_MS }, (_, index) => packet(index, payloadType));
  return Buffer.concat([head, ...packets]);
}

function packet(index: number, payloadType: PayloadType): Buffer {
  const record = Buffer.alloc(16 + PACKET);
  const atMs = index * FRAME_MS;
  record.writeUInt32LE(Math.floor(atMs / 1_000), 0);
  record.writeUInt32LE((atMs % 1_000) * 1_000, 4);
  record.writeUInt32LE(PACKET, 8);
  record.writeUInt32LE(PACKET, 12);
  const frame = record.subarray(16);
  frame.writeUInt16BE(0x0800, 12);
  const ip = frame.subarray(ETHERNET);
  ip[0] = 0x45;
  ip.writeUInt16BE(PACKET - ETHERNET, 2);
  ip[8] = 64;
  ip[9] = 17;
  const udp = ip.subarray(IP);
  udp.writeUInt16BE(UDP + RTP + FRAME_BYTES, 4);
  const rtp = udp.subarray(UDP);
  rtp[0] = 0x80;
  rtp[1] = payloadType;
  rtp.writeUInt16BE(index % 65_536, 2);
  rtp.writeUInt32BE(index * FRAME_BYTES, 4);
  rtp.writeUInt32BE(0x52_4b_00_00 + payloadType, 8);
  rtp.fill(SILENCE[payloadType], RTP);
  return record;
}
