/**
 * The keys of a call, by telephone-event, SIP INFO or tones in the sound. Many trunks send an event and leave the tone
 * in the sound as well, so a key that came both ways would count twice: the first kind that is heard counts for the
 * whole call. A tone is heard when the key goes down and its event when it comes up, so an event replaces the tones
 * until there were several of them without one.
 */
import type { CallKeyKind } from '../domain/listed-call.ts';
import type { Secret } from '../domain/secret.ts';
import { KeysHeardAsSound } from './keys-heard-as-sound.ts';
import type { KeyKind, MediaLeg } from './ports.ts';

const NOTES: Record<KeyKind, string> = {
  telephone_event: 'keys by telephone-event',
  sip_info: 'keys by SIP INFO',
  sound: 'keys by sound',
};

/** Whether the phone of an SDP says that it sends its keys as events. */
function sendsTelephoneEvents(sdp: string): boolean {
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

type Listening = Pick<MediaLeg, 'detectTones' | 'ignoreTones'>;

export class CallerKeys {
  readonly #ports: CallerKeysPorts;
  readonly #heardAsSound: KeysHeardAsSound;
  #kind: KeyKind | null = null;
  #sendsEvents = false;
  #media: Listening | null = null;

  constructor(ports: CallerKeysPorts, nowMs: () => number = () => performance.now()) {
    this.#ports = ports;
    this.#heardAsSound = new KeysHeardAsSound(nowMs);
  }

  /** Whether a key has come, of any kind. */
  get haveCome(): boolean {
    return this.#kind !== null;
  }

  /** A new media leg. @param remoteSdp of the caller's phone, as it last was */
  listenTo(media: Listening & Pick<MediaLeg, 'onKey'>, remoteSdp: string): void {
    this.#media = media;
    this.describe(remoteSdp);
    media.onKey((key, kind) => this.press(key, kind));
  }

  /**
   * The caller's phone as it is now, after a re-INVITE, too. Tones are listened for also if it promises events: some
   * send none.
   */
  describe(remoteSdp: string): void {
    this.#sendsEvents = sendsTelephoneEvents(remoteSdp);
    // Another phone may have taken the call, and the first one's keys will not come any more.
    if (!this.#sendsEvents && this.#kind === 'telephone_event') this.#kind = null;
    if (this.#kind === null || this.#kind === 'sound') this.#media?.detectTones();
  }

  press(key: Secret, kind: KeyKind): void {
    if (this.#kind === null) this.#settleOn(kind);
    else if (this.#kind === 'sound' && kind !== 'sound' && this.#heardAsSound.mayBeReplaced) this.#settleOn(kind);
    const counts = this.#kind === kind && (kind === 'sound' || !this.#heardAsSound.tookAlready(key));
    if (counts && kind === 'sound' && this.#sendsEvents) this.#heardAsSound.took(key);
    if (counts) this.#ports.onKey(key);
    else key.wipe();
  }

  /** The call is over: wipes what is kept of the keys. Idempotent. */
  close(): void {
    this.#heardAsSound.close();
  }

  #settleOn(kind: KeyKind): void {
    this.#kind = kind;
    this.#ports.note(NOTES[kind]);
    this.#ports.kind(NAMES[kind]);
    // Each detector costs the media server CPU for as long as the call is up.
    if (kind !== 'sound') this.#media?.ignoreTones();
  }
}
