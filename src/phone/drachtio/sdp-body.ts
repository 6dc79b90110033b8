/** Finds the session description in the body of a SIP message. The body is untrusted. Pure. */

/** More parts than a call has are not looked at. */
const MAX_PARTS = 16;

/**
 * The session description: the body itself, or of a `multipart` body (RFC 5621) the first part that is one, as beside
 * the ISUP of a SIP-I call or a PIDF location. `''` without a body; null when the body has another type.
 * @param contentType undefined: not known, as of a message that the library has put away; then the body itself tells
 */
export function sdpOf(body: string | undefined, contentType: string | undefined): string | null {
  if (body === undefined || body === '') return '';
  const type = contentType === undefined ? guessedType(body) : contentType;
  if (/^\s*application\/sdp\s*(?:;|$)/i.test(type)) return body;
  const boundary = /^\s*multipart\/[\w.+-]+\s*;.*?boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/is.exec(type);
  if (boundary === null) return null;
  const parts = body.split(`--${boundary[1] ?? boundary[2]}`).slice(1, 1 + MAX_PARTS);
  return parts.map(sdpOfPart).find((sdp) => sdp !== null) ?? null;
}

/** Headers, an empty line, the content, and the line break that belongs to the next boundary (RFC 2046, 5.1.1). */
function sdpOfPart(part: string): string | null {
  const { head, content } = /^[ \t]*\r?\n(?<head>.*?)\r?\n\r?\n(?<content>.*)$/s.exec(part)?.groups ?? {};
  return /^Content-Type\s*:\s*application\/sdp\s*(?:;|$)/im.test(head ?? '') ? (content ?? '') : null;
}

/** Whether it brings keys for the audio (SDES, RFC 4568). */
export function hasAudioKeys(sdp: string): boolean {
  return /^a=crypto:/m.test(sdp);
}

function guessedType(body: string): string {
  const boundary = /^--(\S{1,70})[ \t]*\r?\n/.exec(body)?.[1];
  return boundary === undefined ? 'application/sdp' : `multipart/mixed;boundary="${boundary}"`;
}
