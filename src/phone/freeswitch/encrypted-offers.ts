/**
 * Works around drachtio-fsmrf 4.1.2, which takes every SAVP line for DTLS and throws. The library creates an endpoint
 * without an offer, and its INVITE gets the offer here.
 */
import { randomUUID } from 'node:crypto';

interface Dialing {
  createUAC(uri: string, options: { headers?: Record<string, unknown>; localSdp?: string }): Promise<unknown>;
}

/** Our own header, removed before the INVITE is sent. */
const OFFER_HEADER = 'X-Ringkey-Offer';

export class EncryptedOffers {
  readonly #waiting = new Map<string, string>();

  /** The headers that identify an endpoint's INVITE. Must be called right before the endpoint is created. */
  hide(offerSdp: string): Record<string, string> {
    const id = randomUUID();
    this.#waiting.set(id, offerSdp);
    return { [OFFER_HEADER]: id };
  }

  /** The same library object, whose INVITEs contain the hidden offers. */
  wrap(srf: object): object {
    const { createUAC } = srf as Dialing;
    const dial: Dialing['createUAC'] = (uri, options) => {
      const { [OFFER_HEADER]: id, ...headers } = options.headers ?? {};
      const offer = this.#waiting.get(String(id));
      if (offer === undefined) return createUAC.call(srf, uri, options);
      this.#waiting.delete(String(id));
      return createUAC.call(srf, uri, { ...options, headers, localSdp: offer });
    };
    return Object.create(srf, { createUAC: { value: dial } });
  }
}

/**
 * The SDP without keys for plain audio (RTP/AVP): FreeSWITCH takes them for a request to encrypt, and refuses the offer
 * because of its profile. Without a key in the answer the audio stays plain (RFC 8643, 3.1).
 */
export function withoutIdleKeys(sdp: string): string {
  const sections = sdp.split(/^(?=m=)/m);
  return sections
    .map((section) => (/^m=\S+ \d+ RTP\/AVPF? /.test(section) ? section.replace(/^a=crypto:.*\r?\n?/gm, '') : section))
    .join('');
}

/** Whether an offer's audio may be plain RTP, and whether it may be encrypted with keys in the SDP (SDES, RFC 4568). */
export function audioOffered(sdp: string): { plain: boolean; sdes: boolean } {
  const sections = sdp.split(/^(?=m=)/m).filter((section) => /^m=audio [1-9]/.test(section));
  const isOf = (profile: RegExp) => (section: string) => profile.test(section.split(/\r?\n/, 1)[0] ?? '');
  return {
    plain: sections.some(isOf(/ RTP\/AVPF? /)),
    sdes: sections.some((section) => isOf(/ RTP\/SAVPF? /)(section) && /^a=crypto:/m.test(section)),
  };
}

/**
 * An offer to a FreeSWITCH with optional encryption (1.11.2), for a leg that should make a plain offer. Asked for an
 * offer, FreeSWITCH generates keys, and treats them as the other side's, too, because drachtio-srf acknowledges with
 * the same SDP. The leg of a bridge would stay mute. It sends silence to this address until it has the real one.
 */
export const PLAIN_PLACEHOLDER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 9 RTP/AVP 0 8 101',
  'a=rtpmap:101 telephone-event/8000',
  'a=fmtp:101 0-15',
  'a=ptime:20',
  '',
].join('\r\n');

/** An offer with both codecs, from FreeSWITCH's answer to {@link PLAIN_PLACEHOLDER}, which has one. */
export function offerOfAnswer(sdp: string): string {
  return sdp.replace(/^(m=audio \d+ RTP\/AVP 0) (101\r?\n)/m, '$1 8 $2a=rtpmap:8 PCMA/8000\r\n');
}
