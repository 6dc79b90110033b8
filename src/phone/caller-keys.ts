/**
 * The keys of a call, however they come. The first kind that is heard counts for the whole call: many trunks send an event and
 * leave the tone in the sound as well, so a key that came both ways would count twice.
 */
import type { Secret } from '../domain/secret.ts';
import type { CallKeyKind } from '../domain/listed-call.ts';
import type { KeyKind, MediaLeg } from './ports.ts';

const NOTES: Record<KeyKind, string> = {
  telephone_event: 'keys by telephone-event',
  sip_info: 'keys by SIP INFO',
  sound: 'keys by sound',
};

/** Whether the phone of an SDP says that it sends its keys as events. */
export function sendsTelephoneEvents(sdp: string): boolean {
  return /^a=rtpmap:\d+ telephone-event\//im.test(sdp);
}

/** As the call's row names them. */
const NAMES: Record<KeyKind, CallKeyKind> = { telephone_event: 'telephone-event', sip_info: 'info', sound: 'inband' };

export interface CallerKeysPorts {
  /** Must wipe the key. */
  onKey(key: Secret): void;
  /** For the call's timeline. */
  note(step: string): void;
  /** For the call's row. */
  kind(kind: CallKeyKind): void;
}

export class CallerKeys {
  readonly #ports: CallerKeysPorts;
  #kind: KeyKind | null = null;
  #media: Pick<MediaLeg, 'detectTones'> | null = null;
  #detectsTones = false;

  constructor(ports: CallerKeysPorts) {
    this.#ports = ports;
  }

  /** A new media leg. @param remoteSdp of the caller's phone, as it last was */
  listenTo(media: Pick<MediaLeg, 'detectTones' | 'onKey'>, remoteSdp: string): void {
    this.#media = media;
    this.describe(remoteSdp);
    media.onKey((key, kind) => this.press(key, kind));
  }

  /** The caller's phone as it is now, after a re-INVITE, too. One that sends no telephone events may send tones. */
  describe(remoteSdp: string): void {
    const sendsEvents = sendsTelephoneEvents(remoteSdp);
    // Another phone may have taken the call, and the first one's keys will not come any more.
    if (!sendsEvents && this.#kind === 'telephone_event') this.#kind = null;
    this.#detectsTones ||= !sendsEvents;
    if (this.#detectsTones) this.#media?.detectTones();
  }

  /** Nothing was keyed when asked for: perhaps it came as a sound. */
  suspectTones(): void {
    if (this.#kind !== null || this.#detectsTones) return;
    this.#detectsTones = true;
    this.#media?.detectTones();
  }

  press(key: Secret, kind: KeyKind): void {
    if (this.#kind === null) {
      this.#kind = kind;
      this.#ports.note(NOTES[kind]);
      this.#ports.kind(NAMES[kind]);
    }
    if (this.#kind === kind) this.#ports.onKey(key);
    else key.wipe();
  }
}
