/** The SIP message behind a step of a call's timeline, as it is named in a trace. */

const MESSAGES: Readonly<Record<string, string>> = {
  invite: 'INVITE',
  answered: '200 OK to INVITE, ACK',
  'keys by telephone-event': 'RTP telephone-event (RFC 4733)',
  'keys by SIP INFO': 'INFO',
  'keys by sound': 'RTP, tones in the audio',
  'on hold': 're-INVITE with hold',
  'back from hold': 're-INVITE',
  'media moved': 're-INVITE to another media server',
  'keys without an end': 're-INVITE to another media leg',
  'caller gone': 'CANCEL',
  'caller hung up': 'BYE from the caller',
  'session timer expired': 'Session-Expires ran out (RFC 4028), BYE',
  refer: 'REFER',
  'refer ringing': 'NOTIFY 180 Ringing',
  'refer accepted': 'NOTIFY 200 OK',
  'refer accepted late': 'NOTIFY 200 OK',
  'refer timeout': 'no final NOTIFY',
  bridge: 'INVITE to the agent',
  'agent ringing': '180 Ringing from the agent',
  'agent redirects': '302 from the agent',
  bridged: '200 OK from the agent, ACK',
  'agent hung up': 'BYE from the agent',
  end: 'BYE',
};

/** Steps with a SIP status, and the message that had it. */
const WITH_STATUS: readonly (readonly [RegExp, string])[] = [
  [/^refer refused (\d{3})$/, 'response to REFER'],
  [/^refer failed (\d{3})$/, 'NOTIFY'],
  [/^refer timeout (\d{3})$/, 'NOTIFY'],
  [/^bridge failed (\d{3})$/, 'response to INVITE to the agent'],
];

/** @returns null for a step without a message of its own */
export function sipMessage(step: string): string | null {
  for (const [pattern, message] of WITH_STATUS) {
    const status = pattern.exec(step)?.[1];
    if (status !== undefined) return `${message}: ${status}`;
  }
  return Object.hasOwn(MESSAGES, step) ? (MESSAGES[step] ?? null) : null;
}
