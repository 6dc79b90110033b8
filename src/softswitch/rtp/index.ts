/** RTP for the softswitch's media half and for the scripted caller. Knows nothing of SIP, SDP or FreeSWITCH. */
export { type AudioSource, BridgeFeed, type Clip, frameAt, onceOf } from './audio-source.ts';
export { ClipCache, ClipUnavailable, clipOf, decodeWav } from './clip-cache.ts';
export { MediaClock, type Ticked } from './clock.ts';
export { type Digit, DTMF_KEYS, DtmfReceiver } from './dtmf-receiver.ts';
export { DEFAULT_TIMING, DtmfSender, type DtmfTiming } from './dtmf-sender.ts';
export {
  type Codec,
  decodeG711,
  encodeG711,
  FRAME_MS,
  FRAME_SAMPLES,
  PAYLOAD_TYPE,
  SAMPLES_PER_MS,
  SILENCE_BYTE,
  transcodeG711,
} from './g711.ts';
export { tonesOf } from './dtmf-tones.ts';
export { parseRtp, RTP_HEADER_BYTES, type RtpPacket, writeRtpHeader } from './packet.ts';
export { type DatagramSocket, NoFreePort, type PortPair, PortRange, type PortRangeOptions } from './port-range.ts';
export { type RtpCounters, type RtpListener, type RtpSettings, RtpStream } from './rtp-stream.ts';
export { ToneReceiver } from './tone-receiver.ts';
