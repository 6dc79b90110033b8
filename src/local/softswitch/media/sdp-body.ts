/** The session description in a message's body, which may be one of several parts (RFC 5621). */
import { headerValue, type SipMessage } from '../sip/index.ts';

export const NO_SDP = { Accept: 'application/sdp' };

/** Empty without a body; null where the body has no session description (SIP: 415). */
export function sdpBody(message: SipMessage): string | null {
  const type = headerValue(message, 'Content-Type') ?? 'application/sdp';
  if (message.body === '' || /^application\/sdp\s*(?:;|$)/i.test(type)) return message.body;
  const boundary = /^multipart\/.*;\s*boundary\s*=\s*"?([^\s";]+)/i.exec(type)?.[1];
  const parts = boundary === undefined ? [] : message.body.split(`--${boundary}`).slice(1);
  const part = parts.find((text) => /^Content-Type\s*:\s*application\/sdp\s*(?:;|$)/im.test(text));
  return part === undefined ? null : part.slice(part.indexOf('\r\n\r\n') + 4);
}
