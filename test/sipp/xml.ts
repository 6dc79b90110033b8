/** XML elements of SIPp scenarios: SIP messages with SIPp's keywords in brackets. */

/** `RTP/AVP` payload types of an offer or answer; 96 is telephone-event, the only one that `play_dtmf` sends. */
export type Codecs = '0 96' | '8 96' | '18';

function sdp(codecs: Codecs): string {
  return [
    'v=0',
    'o=sipp 1 1 IN IP[local_ip_type] [local_ip]',
    's=-',
    'c=IN IP[media_ip_type] [media_ip]',
    't=0 0',
    `m=audio [auto_media_port] RTP/AVP ${codecs}`,
    ...(codecs.includes('96') ? ['a=rtpmap:96 telephone-event/8000', 'a=fmtp:96 0-15'] : []),
  ].join('\n');
}

/** A SIP message; SIPp fills in the body length. */
export function message(startLine: string, headers: readonly string[], body: Body | null = null): string {
  const lines = [startLine, ...headers, ...(body ? [`Content-Type: ${body.type}`] : []), 'Content-Length: [len]', ''];
  return `${[...lines, ...(body ? [body.text] : [])].join('\n')}\n`;
}

export interface Body {
  type: string;
  text: string;
}

export const sdpBody = (codecs: Codecs): Body => ({ type: 'application/sdp', text: sdp(codecs) });

/** @param retransmitted over UDP, until an answer comes */
export function send(text: string, retransmitted: boolean): string {
  return `<send${retransmitted ? ' retrans="500"' : ''}><![CDATA[\n${text}]]></send>`;
}

/** An answer to the latest request. */
export function answer(status: string, extra: readonly string[] = [], body: Body | null = null): string {
  const copied = ['[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]'];
  return send(message(`SIP/2.0 ${status}`, [...copied, ...extra], body), false);
}

export function pause(milliseconds: number): string {
  return `<pause milliseconds="${milliseconds}"/>`;
}

export function media(attribute: string): string {
  return `<nop><action><exec ${attribute}/></action></nop>`;
}

export function scenario(name: string, steps: readonly string[]): string {
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<scenario name="${name}">`, ...steps, '</scenario>', ''].join(
    '\n',
  );
}
