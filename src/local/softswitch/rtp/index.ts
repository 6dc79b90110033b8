/** RTP for the softswitch's media half and for the scripted caller. Does not depend on SIP, SDP or FreeSWITCH. */
export { type AudioSource, BridgeFeed, type Clip, frameAt, onceOf } from './audio-source.ts';
export { ClipCache, ClipUnavailable, clipOf, decodeWav } from './clip-cache.ts';
export { MediaClock } from './clock.ts';
export { type Digit, DTMF_KEYS } from './dtmf-receiver.ts';

export { tonesOf } from './dtmf-tones.ts';
export {
  type Codec,
  decodeG711,
  encodeG711,
  FRAME_SAMPLES,
  PAYLOAD_TYPE,
  SAMPLES_PER_MS,
  SILENCE_BYTE,
} from './g711.ts';

export { type DatagramSocket, NoFreePort, type PortPair, PortRange } from './port-range.ts';
export { RtpStream } from './rtp-stream.ts';
export { ToneReceiver } from './tone-receiver.ts';
