/** Offer and answer (RFC 3264) for one audio stream of G.711 and telephone-event, in FreeSWITCH's words. */
import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { parse } from 'sdp-transform';
import { type Codec, PAYLOAD_TYPE } from '../rtp/index.ts';
import { headerValue, type SipMessage } from '../sip/index.ts';

/** RFC 4566, 6. */
type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The parts of the peer's session description that are used here. */
export interface RemoteMedia {
  address: string;
  port: number;
  /** The first codec of the peer's list that we support. */
  codec: Codec;
  /** All common codecs, in the peer's order. */
  codecs: Codec[];
  /** Payload type of telephone-event, if any. */
  telephoneEvent: number | null;
  /** Clock rate of telephone-event in Hz: 8,000, unless the peer offers only other rates. */
  telephoneEventRate: number;
  /** From the peer's point of view. */
  direction: Direction;
  /** Index of the audio stream that is used, and the number of streams: an answer has the same number. */
  mediaIndex: number;
  mediaLines: { type: string; protocol: string; payloads: string }[];
}

/** Longer descriptions are refused unread. */
const MAX_SDP_BYTES = 64 * 1024;
const MAX_PORT = 65_535;
const OUR_EVENTS: Events = { telephoneEvent: 101, telephoneEventRate: 8_000 };
const DIRECTIONS: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

type Events = Pick<RemoteMedia, 'telephoneEvent' | 'telephoneEventRate'>;
type Description = ReturnType<typeof parse>;
type MediaDescription = Description['media'][number];

/**
 * Null if there is no plain RTP audio stream with one of our codecs at an IP address (SIP: 488), or no description at
 * all.
 */
export function readSdp(sdp: string): RemoteMedia | null {
  if (sdp.length > MAX_SDP_BYTES) return null;
  let description: Description;
  try {
    description = parse(sdp);
  } catch {
    // A malformed description gets the same answer as one without a common codec.
    return null;
  }
  const mediaLines = (description.media ?? []).map((media) => ({
    type: String(media.type),
    protocol: String(media.protocol),
    payloads: String(media.payloads ?? ''),
  }));
  for (const [mediaIndex, media] of (description.media ?? []).entries()) {
    if (media.type !== 'audio' || !/^RTP\/AVPF?$/.test(media.protocol)) continue;
    const codecs = codecsOf(media);
    const codec = codecs[0];
    if (!codec) continue;
    if (!isWellFormed(media)) return null;
    const address = media.connection?.ip ?? description.connection?.ip ?? '0.0.0.0';
    // A host name would need a DNS lookup for each packet.
    if (isIP(address) === 0) return null;
    const direction = (media.direction ?? description.direction ?? 'sendrecv') as string;
    return {
      address,
      port: Number(media.port) || 0,
      codec,
      codecs,
      ...telephoneEventOf(media),
      direction: DIRECTIONS.includes(direction) ? (direction as Direction) : 'sendrecv',
      mediaIndex,
      mediaLines,
    };
  }
  return null;
}

/** Ports have 16 bits. If a codec's name is numeric, the parser returns it as a number. */
function isWellFormed({ port, rtp = [] }: MediaDescription): boolean {
  return Number(port) <= MAX_PORT && rtp.every(({ codec }) => typeof codec === 'string');
}

function payloadTypes(media: MediaDescription): number[] {
  return String(media.payloads ?? '')
    .split(/\s+/)
    .map(Number)
    .filter((type) => Number.isInteger(type) && type >= 0 && type <= 127);
}

function codecsOf(media: MediaDescription): Codec[] {
  const codecs = payloadTypes(media).flatMap((type) => {
    if (type === PAYLOAD_TYPE.PCMU) return ['PCMU' as const];
    return type === PAYLOAD_TYPE.PCMA ? ['PCMA' as const] : [];
  });
  return [...new Set(codecs)];
}

const EVENT_RATES = [8_000, 16_000, 32_000, 48_000];

/**
 * The telephone-event at 8 kHz: an offer for wide-band codecs has one for each clock rate (RFC 4733, 2.2). A phone that
 * offers only other rates sends those, even with audio at 8 kHz.
 */
function telephoneEventOf(media: MediaDescription): Events {
  const offered = payloadTypes(media);
  const entries = (media.rtp ?? [])
    .filter(({ codec, payload }) => codec.toLowerCase() === 'telephone-event' && offered.includes(payload))
    .map(({ payload, rate }) => ({ telephoneEvent: payload, telephoneEventRate: rate ?? 8_000 }))
    .filter(({ telephoneEventRate: rate }) => EVENT_RATES.includes(rate));
  const entry = entries.find(({ telephoneEventRate: rate }) => rate === 8_000) ?? entries[0];
  return entry ?? { telephoneEvent: null, telephoneEventRate: 8_000 };
}

/** Session id and version of our descriptions (RFC 3264, 8): each description that we send has a higher version. */
export class SdpSession {
  readonly #id = 1_700_000_000 + randomInt(100_000_000);
  #version = this.#id;

  /** Our offer, before the peer has sent a description: both codecs. */
  offer(address: string, port: number, preferred: Codec = 'PCMU'): string {
    const second: Codec = preferred === 'PCMU' ? 'PCMA' : 'PCMU';
    return this.#write(address, [audio(port, [preferred, second], OUR_EVENTS, 'sendrecv')]);
  }

  /** One codec, the payload type the peer uses for events, and every other stream refused with port 0. */
  answer(address: string, port: number, remote: RemoteMedia): string {
    const lines = remote.mediaLines.map((line, index) =>
      index === remote.mediaIndex
        ? audio(port, [remote.codec], remote, mirrored(remote.direction))
        : `m=${line.type} 0 ${line.protocol} ${line.payloads}\r\n`,
    );
    return this.#write(address, lines);
  }

  #write(address: string, media: string[]): string {
    this.#version++;
    const head = ['v=0', `o=FreeSWITCH ${this.#id} ${this.#version} IN IP4 ${address}`, 's=FreeSWITCH'];
    return `${[...head, `c=IN IP4 ${address}`, 't=0 0'].join('\r\n')}\r\n${media.join('')}`;
  }
}

function mirrored(remote: Direction): Direction {
  if (remote === 'sendonly') return 'recvonly';
  return remote === 'recvonly' ? 'sendonly' : remote;
}

function audio(port: number, codecs: Codec[], events: Events, direction: Direction): string {
  const { telephoneEvent, telephoneEventRate } = events;
  const types = [...codecs.map((codec) => PAYLOAD_TYPE[codec]), ...(telephoneEvent === null ? [] : [telephoneEvent])];
  const lines = [`m=audio ${port} RTP/AVP ${types.join(' ')}`];
  for (const codec of codecs) lines.push(`a=rtpmap:${PAYLOAD_TYPE[codec]} ${codec}/8000`);
  if (telephoneEvent !== null) {
    lines.push(`a=rtpmap:${telephoneEvent} telephone-event/${telephoneEventRate}`, `a=fmtp:${telephoneEvent} 0-15`);
  }
  lines.push('a=ptime:20');
  lines.push(`a=${direction}`);
  return `${lines.join('\r\n')}\r\n`;
}

export const NO_SDP = { Accept: 'application/sdp' };

/** Empty if there is no body; null if the body is no session description (SIP: 415). */
export function sdpBody(message: SipMessage): string | null {
  const type = headerValue(message, 'Content-Type') ?? 'application/sdp';
  if (message.body === '' || /^application\/sdp\s*(?:;|$)/i.test(type)) return message.body;
  const boundary = /^multipart\/.*;\s*boundary\s*=\s*"?([^\s";]+)/i.exec(type)?.[1];
  const parts = boundary === undefined ? [] : message.body.split(`--${boundary}`).slice(1);
  const part = parts.find((text) => /^Content-Type\s*:\s*application\/sdp\s*(?:;|$)/im.test(text));
  return part === undefined ? null : part.slice(part.indexOf('\r\n\r\n') + 4);
}
