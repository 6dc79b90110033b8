/**
 * The ports of the phone role: what it needs of a SIP edge and of media servers. The adapters are `drachtio/`
 * (drachtio-srf) and `freeswitch/` (drachtio-fsmrf); nothing else imports those libraries.
 */

import type { DialogFacts } from '../domain/dialog-facts.ts';
import type { AttestationClaims } from '../domain/invite-attestation.ts';
import type { SoundQuality } from '../domain/listed-call.ts';
import type { Secret } from '../domain/secret.ts';
import type { SipCredentials } from '../domain/sip-credentials.ts';

/** An incoming INVITE: its facts, and the two ways to answer it. */
export interface IncomingCall {
  readonly sipCallId: string;
  /** Identifies the dialog for {@link SipEdge.endDialogs}, once the call is answered. */
  readonly dialogId: string;
  /** User part of the Request-URI, unescaped. */
  readonly requestUser: string;
  /** User part of To: the number that was called. */
  readonly calledNumber: string | null;
  /**
   * The numbers that were dialled before the call was diverted here (Diversion, History-Info), as far as the INVITE
   * tells.
   */
  readonly divertedFrom: readonly string[];
  /** User part of P-Asserted-Identity (a number, where it has several), else of Remote-Party-ID, else of From. */
  readonly callingNumber: string | null;
  /** The address the INVITE came from. */
  readonly sourceAddress: string;
  readonly receivedAt: Date;
  /** What its headers claim of the carriers' attestation. */
  readonly attestation: AttestationClaims;
  /** Whether the caller's Allow lists REFER. */
  readonly allowsRefer: boolean;
  /** Null for an INVITE without an offer. */
  readonly offerSdp: string | null;
  /** Aborts when the caller cancels before an answer. */
  readonly canceled: AbortSignal;
  /** A final response, 4xx or 5xx. Ignored after another one. */
  reject(status: number, headers?: Record<string, string>): void;
  /**
   * 200 OK with this answer (for an INVITE without an offer: with this offer). Resolves when the ACK has arrived.
   * @param onKey gets the keys that arrive as SIP INFO; the others arrive at the {@link MediaLeg}. Null: they are ignored
   * @throws CallerGone when the caller canceled, hung up before the ACK or never sent it, or the SIP edge was lost
   */
  answer(sdp: string, onKey: KeySink | null): Promise<CallLeg>;
}

/** The caller went away before the call was answered, or the connection to the SIP server was lost. */
export class CallerGone extends Error {
  readonly by: 'them' | 'engine_lost';
  constructor(by: CallerGone['by'] = 'them') {
    super('the caller went away before the call was answered');
    this.name = 'CallerGone';
    this.by = by;
  }
}

/** An established dialog. */
export interface CallLeg {
  readonly sipCallId: string;
  /** Identifies the dialog for {@link SipEdge.endDialogs}. */
  readonly dialogId: string;
  /** For a SIP server that does not know the dialog. */
  readonly facts: DialogFacts;
  /**
   * Whether requests reach the far end. False while the SIP server is away, and while it is not known whether the far
   * end is there.
   */
  readonly reachable: boolean;
  /** Our Contact in the dialog, for {@link SipEdge.lostDialog}. */
  readonly localContact: string;
  /** The remote SDP; for an INVITE without an offer, the answer that came with the ACK. */
  readonly remoteSdp: string;
  /** Resolves once, when the leg is over: BYE from either side, a dead dialog, or the SIP edge lost. */
  readonly ended: Promise<LegEnd>;
  /** A re-INVITE with an offer: `handler` returns our answer SDP; when it throws, the response is 488. */
  onOffer(handler: (sdp: string) => Promise<string>): void;
  /** Sends a re-INVITE with our offer; resolves to their answer SDP. Rejects when there is none in time. */
  offer(sdp: string): Promise<string>;
  /** Sends an in-dialog REFER (RFC 3515) and follows its NOTIFYs, as long as the leg lives. */
  refer(target: string, headers: Record<string, string>, options: ReferOptions): Referral;
  /** Idempotent; bounded; never rejects. */
  hangUp(): Promise<void>;
}

/** A dialog that a SIP server holds, or held. */
export interface HeldDialog {
  dialogId: string;
  /** Null where not enough is known: then only a server that holds it can end it. */
  facts: DialogFacts | null;
}

export interface LegEnd {
  /** `session_expired`: the far end has sent no refresh of the session timer, or answered none (RFC 4028). */
  by: 'them' | 'us' | 'engine_lost' | 'session_expired';
}

export interface ReferOptions {
  /** Until a NOTIFY has a final status. A far end that has answered nothing by then is gone: the leg is hung up. */
  limitMs: number;
  /** From the first NOTIFY on that says 18x: the agent rings. */
  ringingLimitMs: number;
  onRinging?: () => void;
}

export interface Referral {
  /** Resolves at the first final status, or when a limit has passed; never rejects. */
  readonly result: Promise<ReferResult>;
  /** Aborts when a NOTIFY says 2xx after all, once `result` was a failure. The caller is with the agent then. */
  readonly succeededLate: AbortSignal;
}

/**
 * `connection_lost`: the connection to the SIP server broke before anything came from the far end, so the REFER has
 * probably not been sent. `accepted`: a NOTIFY said 2xx; or the REFER got 2xx and the far end hung up before any final NOTIFY, as some voice
 * platforms do.
 */
export type ReferResult =
  | { accepted: true }
  | { accepted: false; reason: 'refused' | 'failed' | 'timeout' | 'leg_gone' | 'connection_lost'; status?: number };

/** The SIP edge. Reconnects by itself. */
export interface SipEdge {
  /** Sets the handler of incoming INVITEs, once. */
  onCall(handler: (call: IncomingCall) => void): void;
  /**
   * Whether the SIP server sends new calls here; at first it does not. Those to a process that takes none go to the
   * others, and without any the server answers 503 itself, without Retry-After (processNewRequest in
   * pending-request-controller.cpp of drachtio-server 0.9.10). @param refuses takes none, but wants to answer 503
   * itself
   */
  takeCalls(taking: boolean, refuses?: boolean): void;
  /** Places a call, offering `sdp`. @throws DialFailure */
  dial(target: string, sdp: string, headers: Record<string, string>, options: DialOptions): Promise<CallLeg>;
  /**
   * The dialog of a call whose process has died. Responses to what is sent in it arrive here; the server answers 481 to
   * all that the far end sends, NOTIFY and BYE, too (drachtio-server 0.9.10). So a REFER has succeeded when the far end
   * has hung up.
   */
  lostDialog(dialog: HeldDialog & { localContact: string }): Pick<CallLeg, 'refer'>;
  /** Sends a BYE to dialogs whose process has died, now or as soon as the edge is connected. */
  endDialogs(dialogs: readonly HeldDialog[]): void;
  readonly connected: boolean;
  close(): Promise<void>;
}

export interface DialOptions {
  /** Ends the attempt (CANCEL). */
  signal: AbortSignal;
  /** The SIP URI of the address that the INVITE is sent to, whatever the target says; null: where the target leads. */
  nextHop: string | null;
  /** Answers a 401 or 407, from `nextHop` only. */
  credentials: SipCredentials | null;
  limitMs: number;
  onRinging?: () => void;
  /** The caller's number, for our From. */
  callingNumber?: string | null;
}

/**
 * The call was not answered. Status 408 also stands for our time limit, 487 for our signal, 503 for a lost SIP edge.
 */
export class DialFailure extends Error {
  readonly status: number;
  /** The URI that a 301 or 302 names. */
  readonly redirectedTo: string | null;
  constructor(status: number, redirectedTo: string | null = null) {
    super('the call was not answered');
    this.name = 'DialFailure';
    this.status = status;
    this.redirectedTo = redirectedTo;
  }
}

/** How a key came: as a telephone event in RTP (RFC 4733), as a SIP INFO, or as a tone in the caller's sound. */
export type KeyKind = 'telephone_event' | 'sip_info' | 'sound';

/** Gets each key of a leg in order, from the moment the leg exists until it ends. Must wipe the Secret. */
export type KeySink = (key: Secret, kind: KeyKind) => void;

/**
 * `stopped`: by {@link MediaLeg.stop}, a newer play or the end of the leg. `failed`: the media server could not play
 * it.
 */
export type PlayResult = 'finished' | 'stopped' | 'failed';

/** The media of one leg. */
export interface MediaLeg {
  readonly id: string;
  /** Our SDP: the answer to the caller's offer, or an offer. */
  readonly localSdp: string;
  /** Plays files one after the other. A new play stops the one before. Never rejects. */
  play(files: readonly string[]): Promise<PlayResult>;
  /** Stops playing; silent within 100 ms. */
  stop(): void;
  /**
   * Finds keys in the caller's sound, too, from now on, also after {@link negotiate}. Then a key sent in two ways comes
   * twice. Idempotent.
   */
  detectTones(): void;
  /** No more, though some may still come. Idempotent. */
  ignoreTones(): void;
  /**
   * Whether packets of telephone events have come, heard as keys or not. False where the media server does not say.
   * Never rejects.
   */
  receivesEvents(): Promise<boolean>;
  /** Resolves once, when the media is gone: RTP timeout, media server lost, or destroyed by us. */
  readonly lost: Promise<{ cause: 'media_timeout' | 'engine_lost' | 'destroyed' }>;
  /** Applies a new remote SDP, the answer to our offer or a new offer. Resolves to our SDP. */
  negotiate(remoteSdp: string): Promise<string>;
  /** Joins the audio of two legs of one media server; keys do not cross. Rejects when the server refuses. */
  bridge(other: MediaLeg): Promise<void>;
  /** Plays a ringing tone until {@link stop}. */
  ring(): void;
  /** Of the sound that came in, known once {@link destroy} has resolved. Null where the media server did not say. */
  readonly quality: SoundQuality | null;
  /** Idempotent; bounded; never rejects. */
  destroy(): Promise<void>;
}

/**
 * `encryption`: the offer's audio is encrypted, or is not, against RINGKEY_SRTP. `host_name`: it is to go to a host by
 * name.
 */
export type NoMediaReason = 'no_server' | 'no_common_codec' | 'encryption' | 'host_name' | 'full';

/** No media server can take the call. */
export class NoMedia extends Error {
  readonly reason: NoMediaReason;
  constructor(reason: NoMediaReason) {
    super('no media for this call');
    this.name = 'NoMedia';
    this.reason = reason;
  }
}

/** The pool of media servers. The least loaded one gets the next leg. `onKey` null: the leg's keys are ignored. */
export interface MediaPool {
  /** A leg that answers an offer. @throws NoMedia */
  answerOffer(offerSdp: string, onKey: KeySink | null): Promise<MediaLeg>;
  /** A leg that makes an offer. @param beside a leg to be bridged to it: on the same server. @throws NoMedia */
  makeOffer(onKey: KeySink | null, beside?: MediaLeg): Promise<MediaLeg>;
  /**
   * A leg on the server of this one that takes telephone events without waiting for their end. Its SDP can be offered.
   * @param remoteSdp the caller's, as it last was @throws NoMedia
   */
  takeUnendedKeys(instead: MediaLeg, remoteSdp: string, onKey: KeySink): Promise<MediaLeg>;
  /** A leg that makes an offer on another server than that of `lost`. @throws NoMedia */
  replace(lost: MediaLeg, onKey: KeySink): Promise<MediaLeg>;
  readonly connected: boolean;
  /** Sets the handler of changes of {@link connected}. */
  onChange(handler: () => void): void;
  close(): Promise<void>;
}
