/**
 * The one place where a caller's keys wait, between the legs and the conversation. The way of a digit:
 *
 * 1. A leg hears it: `EndpointLeg` a telephone-event (RFC 4733) or a tone in the sound, `DialogLeg` a SIP INFO. It calls
 *    {@link KeyBuffer.press} with the digit in a Secret.
 * 2. `press` drops it if the same press has already come in another way. The first way counts for the call, but the
 *    phone that follows a platform's transfer code may have another one.
 * 3. `press` keeps it or passes it on, depending on the state:
 *    - **holding**, from the INVITE until the conversation has started, and while the session of a chosen merchant or of a
 *      transfer code is claimed: kept, up to MAX_HELD_KEYS.
 *    - **open**: passed to the conversation at once.
 *    - **closed**, after the call: dropped.
 * 4. `Conversation` passes it to the state table (`flow/`), which stops the sentence, collects the digit and wipes it.
 *
 * A dropped key is wiped.
 */
import type { CallKeyKind } from '../domain/call.ts';
import type { Secret } from '../domain/secret.ts';
import type { KeyKind, KeySink, MediaLeg } from './ports.ts';

/** Far more than all the keys that a card takes. */
const MAX_HELD_KEYS = 64;
/** After this many tones without an event the phone sends no events, whatever its SDP says. */
const TONES_WITHOUT_EVENTS = 4;
/** An event comes when the key is released. An event later than this after a tone is another press. */
const LONGEST_PRESS_MS = 5_000;

/**
 * An event and the tone of one press come closer together, and a platform dials faster. So a key after this pause is the
 * next phone's.
 */
const PHONES_PAUSE_MS = 500;

/** The name of each kind in the call's timeline and in its row. */
const KINDS: Record<KeyKind, { step: string; column: CallKeyKind }> = {
  telephone_event: { step: 'keys by telephone-event', column: 'telephone-event' },
  sip_info: { step: 'keys by SIP INFO', column: 'info' },
  sound: { step: 'keys by sound', column: 'inband' },
};

/** Receives what leaves the buffer. */
interface KeyReader {
  /** Must wipe the key. */
  onKey(key: Secret): void;
  /** For the call's timeline. */
  note(step: string): void;
  /** For the call's row. */
  kind(kind: CallKeyKind): void;
}

type ToneDetector = Pick<MediaLeg, 'detectTones' | 'ignoreTones'>;

export class KeyBuffer {
  #reader: KeyReader | null = null;
  #state: 'holding' | 'open' | 'closed' = 'holding';
  readonly #held: Secret[] = [];
  readonly #nowMs: () => number;
  #tones: CountedTones;
  /** Only keys of this kind count. Null: none has come. */
  #kind: KeyKind | null = null;
  /** Whether the next key after a pause may be of another kind. */
  #expectsAnotherPhone = false;
  #lastKeyMs = 0;
  #sendsEvents: boolean;
  #detector: ToneDetector | null = null;

  /** @param offerSdp of the INVITE; null if it has none */
  constructor(offerSdp: string | null, nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#tones = new CountedTones(nowMs);
    this.#sendsEvents = sendsTelephoneEvents(offerSdp ?? '');
  }

  /** {@link press} as a function, for a leg. */
  get sink(): KeySink {
    return (key, kind) => this.press(key, kind);
  }

  /** Whether any key has been heard. */
  get hasReceivedKey(): boolean {
    return this.#kind !== null;
  }

  /** Sets who reads the keys. The first ones come with {@link release}. */
  connect(reader: KeyReader): void {
    this.#reader = reader;
    if (this.#kind !== null) this.#report(this.#kind);
  }

  /**
   * Many trunks send an event and leave the tone in the sound, so the same press can come twice. The first kind that is
   * heard therefore counts for the whole call. A tone is heard when the key goes down, and its event comes when the key
   * comes up, so events may replace the first few tones.
   */
  press(key: Secret, kind: KeyKind): void {
    if (this.#state === 'closed' || !this.#counts(key, kind)) key.wipe();
    else if (this.#state === 'open') this.#reader?.onKey(key);
    else if (this.#held.length < MAX_HELD_KEYS) this.#held.push(key);
    else key.wipe();
  }

  /** Keeps the keys from now on, until {@link release}. */
  hold(): void {
    if (this.#state === 'open') this.#state = 'holding';
  }

  /** Passes on the held keys and those that follow, until {@link hold}, which one of the held keys may cause. */
  release(): void {
    if (this.#state === 'holding') this.#state = 'open';
    while (this.#state === 'open') {
      const key = this.#held.shift();
      if (key === undefined) return;
      this.#reader?.onKey(key);
    }
  }

  /** Drops the first of the held keys if it is this one. */
  dropHeld(character: string): void {
    if (this.#held[0]?.reveal((held) => held === character) !== true) return;
    this.#held.shift()?.wipe();
  }

  /**
   * A platform has dialed a transfer code, and the caller's phone sends the next keys, perhaps as another kind: the
   * platform makes tones, and the phone's carrier sends events, or the other way round.
   */
  expectAnotherPhone(): void {
    this.#expectsAnotherPhone = true;
    this.#detector?.detectTones();
  }

  /** The call uses this media leg from now on. @param remoteSdp the latest one of the caller's phone */
  useMedia(media: ToneDetector, remoteSdp: string): void {
    this.#detector = media;
    this.describe(remoteSdp);
  }

  /**
   * Describes the caller's phone, again after each re-INVITE. Listens for tones even if the phone offers events: some
   * send none.
   */
  describe(remoteSdp: string): void {
    this.#sendsEvents = sendsTelephoneEvents(remoteSdp);
    // Another phone may have taken over the call. Then the first one sends no more keys.
    if (!this.#sendsEvents && this.#kind === 'telephone_event') this.#kind = null;
    const mayBeSound = this.#kind === null || this.#kind === 'sound' || this.#expectsAnotherPhone;
    if (mayBeSound) this.#detector?.detectTones();
  }

  /** Wipes all keys. Idempotent. */
  close(): void {
    this.#state = 'closed';
    this.#tones.close();
    for (const key of this.#held.splice(0)) key.wipe();
  }

  /** Whether this is a press of its own. */
  #counts(key: Secret, kind: KeyKind): boolean {
    if (this.#isFromAnotherPhone()) this.#meetAnotherPhone(kind);
    if (this.#kind === null) this.#settleOn(kind);
    else if (this.#kind === 'sound' && kind !== 'sound' && this.#tones.mayBeReplaced) this.#settleOn(kind);
    if (this.#kind !== kind) return false;
    this.#lastKeyMs = this.#nowMs();
    if (kind !== 'sound') return !this.#tones.match(key);
    if (this.#sendsEvents) this.#tones.add(key);
    return true;
  }

  #isFromAnotherPhone(): boolean {
    return this.#expectsAnotherPhone && this.#nowMs() - this.#lastKeyMs > PHONES_PAUSE_MS;
  }

  /** Its tones are counted from the first one. */
  #meetAnotherPhone(kind: KeyKind): void {
    this.#expectsAnotherPhone = false;
    this.#tones.close();
    this.#tones = new CountedTones(this.#nowMs);
    if (this.#kind !== kind) this.#kind = null;
    else if (kind !== 'sound') this.#detector?.ignoreTones();
  }

  #settleOn(kind: KeyKind): void {
    this.#kind = kind;
    this.#report(kind);
    // A detector costs the media server CPU until the end of the call.
    if (kind !== 'sound') this.#detector?.ignoreTones();
  }

  #report(kind: KeyKind): void {
    this.#reader?.note(KINDS[kind].step);
    this.#reader?.kind(KINDS[kind].column);
  }
}

/** Whether the phone announces that it sends its keys as events (RFC 4733). */
function sendsTelephoneEvents(sdp: string): boolean {
  return /^a=rtpmap:\d+ telephone-event\//im.test(sdp);
}

/** Copies of the first keys of a call that counted as tones. An event of the same key is the same press. */
class CountedTones {
  readonly #nowMs: () => number;
  /** The oldest first. */
  readonly #unmatched: { key: Secret; atMs: number }[] = [];
  #count = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether events may still replace the tones. False also before the first tone. */
  get mayBeReplaced(): boolean {
    return this.#count > 0 && this.#count < TONES_WITHOUT_EVENTS;
  }

  add(key: Secret): void {
    if (this.#count >= TONES_WITHOUT_EVENTS) return;
    this.#count += 1;
    if (this.#count === TONES_WITHOUT_EVENTS) this.close();
    else this.#unmatched.push({ key: key.copy(), atMs: this.#nowMs() });
  }

  /** Whether a tone has counted for this event's press. Each tone matches one event. */
  match(key: Secret): boolean {
    const oldestMs = this.#nowMs() - LONGEST_PRESS_MS;
    while (this.#unmatched[0] !== undefined && this.#unmatched[0].atMs < oldestMs) this.#unmatched.shift()?.key.wipe();
    const [first] = this.#unmatched;
    if (first === undefined || !isSame(first.key, key)) return false;
    this.#unmatched.shift();
    first.key.wipe();
    return true;
  }

  close(): void {
    for (const { key } of this.#unmatched.splice(0)) key.wipe();
  }
}

function isSame(one: Secret, other: Secret): boolean {
  return one.reveal((text) => other.reveal((again) => text === again));
}
