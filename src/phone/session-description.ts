/**
 * The parts of a session description (SDP, RFC 4566) that the phone app itself needs. The media server handles the
 * rest. Pure.
 */
import { isIP } from 'node:net';

/**
 * Whether the far end has put us on hold: it accepts no sound, or sends none until it comes back. `a=sendonly` or
 * `a=inactive` (RFC 3264, 8.4), or the address 0.0.0.0 of older phones (RFC 2543, B.5).
 */
export function isOnHold(sdp: string): boolean {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m);
  const audio = media.find((section) => /^m=audio [1-9]/.test(section)) ?? '';
  const direction = directionOf(audio) ?? directionOf(session) ?? 'sendrecv';
  const address = addressesOf(audio)[0] ?? addressesOf(session)[0];
  return direction === 'sendonly' || direction === 'inactive' || address === '0.0.0.0';
}

/**
 * Whether sound would have to go to a host name. Names are not resolved, because a caller could make us query any name.
 */
export function namesHost(sdp: string): boolean {
  return addressesOf(sdp).some((address) => isIP(address) === 0);
}

/**
 * The SDP with `?` for other characters than ASCII, which only names and comments have (RFC 4566, 4.6). drachtio-srf
 * counts characters in Content-Length, not bytes (5.0.29), so the end of the SDP would be cut off.
 */
export function asciiOnly(sdp: string): string {
  return sdp.replace(/[^\t\r\n -~]/g, '?');
}

function directionOf(section: string): string | undefined {
  return /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(section)?.[1];
}

function addressesOf(section: string): string[] {
  return [...section.matchAll(/^c=\S+ \S+ ([^\s/]*)/gm)].map(([, address = '']) => address);
}

/**
 * The SDP without Opus if it also has G.711 (RTP/AVP 0 and 8, RFC 3551). Opus costs the media server many times the
 * CPU, and the line's sentences have 8 kHz.
 */
export function withoutNeedlessOpus(sdp: string): string {
  const sections = sdp.split(/^(?=m=)/m);
  return sections
    .map((section) => (/^m=audio \d+ \S+(?: \d+)*? [08](?:\s)/.test(section) ? g711Of(section) : section))
    .join('');
}

function g711Of(section: string): string {
  const opus = [...section.matchAll(/^a=rtpmap:(\d+) opus\//gim)].map(([, type = '']) => type);
  return section
    .split(/(?<=\n)/)
    .filter((line) => !opus.includes(/^a=(?:rtpmap|fmtp|rtcp-fb):(\d+) /.exec(line)?.[1] ?? ''))
    .map((line) => (line.startsWith('m=') ? withoutTypes(line, opus) : line))
    .join('');
}

/** `m=audio <port> <profile> <payload types>` without some of the types. */
function withoutTypes(line: string, types: readonly string[]): string {
  const [media = '', port = '', profile = '', ...formats] = line.trimEnd().split(' ');
  const left = formats.filter((format) => !types.includes(format));
  return `${[media, port, profile, ...left].join(' ')}\r\n`;
}
