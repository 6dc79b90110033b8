/**
 * The ports of the phone role: what it needs from a SIP edge and from media servers. The adapters are `drachtio/`
 * (drachtio-srf) and `freeswitch/` (drachtio-fsmrf). No other module imports those libraries.
 */
import type { DialogFacts, SoundQuality } from '../domain/call.ts';
import type { AttestationClaims } from '../domain/screening.ts';
import type { Secret } from '../domain/secret.ts';
import type { SipCredentials } from '../domain/sip-credentials.ts';

/** An incoming INVITE: its facts, and the two ways to answer it. */
export interface IncomingCall {
  /** The SIP server that it came by. */
  readonly server: string;
  readonly sipCallId: string;
  /** Identifies the dialog for {@link SipEdge.endDialogs}, once the call is answered. */
  readonly dialogId: string;
  /** User part of the Request-URI, unescaped. */
  readonly requestUser: string;
  /** User part of To: the number that was called. */
  readonly calledNumber: string | null;
  /** The numbers that were dialed before the call was diverted here, from Diversion and History-Info. */
  readonly divertedFrom: readonly string[];
  /**
   * User part of P-Asserted-Identity (if it has several, a number), or of Remote-Party-ID, or of From, in this order.
   */
  readonly callingNumber: string | null;
  /** The address the INVITE came from. */
  readonly sourceAddress: string;
  readonly receivedAt: Date;
  /** The carriers' attestation, as the headers claim it. */
  readonly attestation: AttestationClaims;
  /** Whether the caller's Allow lists REFER. */
  readonly allowsRefer: boolean;
  /** Null for an INVITE without an offer. */
  readonly offerSdp: string | null;
  /** Aborts when the caller cancels before an answer. */
  readonly canceled: AbortSignal;
  /** Sends a final response, 4xx or 5xx. Ignored after another one. */
  reject(status: number, headers?: Record<string, string>): void;
  /**
   * Sends 200 OK with this answer, or with this offer if the INVITE had none. Resolves when the ACK has arrived.
   * @param onKey gets the keys that arrive as SIP INFO; the others arrive at the {@link MediaLeg}. Null: they are
   *   ignored
   * @throws CallerGone if the caller canceled, hung up before the ACK or never sent it, or the SIP edge was lost
   */
  answer(sdp: string, onKey: KeySink | null): Promise<CallLeg>;
}

/** The caller left before the call was answered, or the connection to the SIP server was lost. */
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
  /** For requests through a SIP server that does not know the dialog. */
  readonly facts: DialogFacts;
  /** Whether requests reach the far end. False while the SIP server is away, and while the far end may be gone. */
  readonly reachable: boolean;
  /** Our Contact in the dialog, for {@link SipEdge.lostDialog}. */
  readonly localContact: string;
  /** The remote SDP. For an INVITE without an offer, the answer from the ACK. */
  readonly remoteSdp: string;
  /** Resolves once, when the leg has ended: by a BYE from either side, a dead dialog, or the loss of the SIP edge. */
  readonly ended: Promise<LegEnd>;
  /** Sets the handler of re-INVITEs with an offer. It returns our answer SDP; if it throws, the response is 488. */
  onOffer(handler: (sdp: string) => Promise<string>): void;
  /** Sends a re-INVITE with our offer. Resolves to the far end's answer SDP, and rejects if there is none in time. */
  offer(sdp: string): Promise<string>;
  /** Sends an in-dialog REFER (RFC 3515) and follows its NOTIFYs until the leg ends. */
  refer(target: string, headers: Record<string, string>, options: ReferOptions): Referral;
  /** Idempotent; bounded; never rejects. */
  hangUp(): Promise<void>;
}

/** A dialog that a SIP server has or had. */
export interface HeldDialog {
  dialogId: string;
  /** Null if too little is known. Then only a server that has the dialog can end it. */
  facts: DialogFacts | null;
}

export interface LegEnd {
  /** `session_expired`: the far end did not refresh the session timer, or did not answer a refresh (RFC 4028). */
  by: 'them' | 'us' | 'engine_lost' | 'session_expired';
}

export interface ReferOptions {
  /**
   * Limit for a NOTIFY with a final status. A far end that has sent nothing by then is gone, and the leg is hung up.
   */
  limitMs: number;
  /** The limit from the first NOTIFY with 18x on: the agent's phone rings. */
  ringingLimitMs: number;
  onRinging?: () => void;
  /**
   * The far end has accepted the REFER, and nothing more will be heard of it, because the SIP server has forgotten the
   * dialog.
   */
  onUnheard?: () => void;
}

export interface Referral {
  /** Resolves at the first final status or at a limit. Never rejects. */
  readonly result: Promise<ReferResult>;
  /** Aborts if a NOTIFY says 2xx after `result` was a failure. Then the caller is with the agent. */
  readonly succeededLate: AbortSignal;
}

/**
 * `connection_lost`: the connection to the SIP server broke before anything came from the far end, so the REFER has
 * probably not been sent. `accepted`: a NOTIFY said 2xx, or the REFER got 2xx and the far end hung up before any final
 * NOTIFY, as some voice platforms do.
 */
export type ReferResult =
  | { accepted: true }
  | { accepted: false; reason: 'refused' | 'failed' | 'timeout' | 'leg_gone' | 'connection_lost'; status?: number };

/** The media adapter's header for the SIP edge, which removes it: the SIP server to send an INVITE through. */
export const SERVER_HEADER = 'X-Ringkey-Server';

/** The SIP edge: one SIP server or several. Reconnects by itself. */
export interface SipEdge {
  /** Sets the handler of incoming INVITEs, once. */
  onCall(handler: (call: IncomingCall) => void): void;
  /**
   * Sets whether the SIP server sends new calls here; at first it does not. It sends them to other processes instead.
   * If there are none, it answers 503 itself, without Retry-After (processNewRequest in pending-request-controller.cpp
   * of drachtio-server 0.9.10).
   * @param refuses takes no calls, but wants to answer 503 itself
   */
  takeCalls(taking: boolean, refuses?: boolean): void;
  /** Places a call, offering `sdp`. @throws DialFailure */
  dial(target: string, sdp: string, headers: Record<string, string>, options: DialOptions): Promise<CallLeg>;
  /**
   * The dialog of a call whose process has died. Responses to requests in it arrive here. The server answers 481 to
   * every request of the far end, including NOTIFY and BYE (drachtio-server 0.9.10). So a REFER has succeeded when the
   * far end has hung up.
   */
  lostDialog(dialog: HeldDialog & { localContact: string }): Pick<CallLeg, 'refer'>;
  /** Sends a BYE in dialogs whose process has died, now or as soon as the edge is connected. */
  endDialogs(dialogs: readonly HeldDialog[]): void;
  readonly connected: boolean;
  /** How many SIP servers are not connected. */
  readonly missing: number;
  close(): Promise<void>;
}

export interface DialOptions {
  /** The SIP server to dial through, if it is connected. */
  server?: string | undefined;
  /** Ends the attempt (CANCEL). */
  signal: AbortSignal;
  /**
   * The SIP URI of the address that gets the INVITE, whatever the target says. Null: the address that the target
   * resolves to.
   */
  nextHop: string | null;
  /** For the answer to a 401 or 407 from `nextHop`. */
  credentials: SipCredentials | null;
  limitMs: number;
  onRinging?: () => void;
  /** The caller's number, for our From. */
  callingNumber?: string | null;
}

/** The call was not answered. Status 408 also means our time limit, 487 our signal, 503 a lost SIP edge. */
export class DialFailure extends Error {
  readonly status: number;
  /** The URI in a 301 or 302. */
  readonly redirectedTo: string | null;
  constructor(status: number, redirectedTo: string | null = null) {
    super('the call was not answered');
    this.name = 'DialFailure';
    this.status = status;
    this.redirectedTo = redirectedTo;
  }
}

/** How a key arrived: as a telephone-event in RTP (RFC 4733), as a SIP INFO, or as a tone in the sound. */
export type KeyKind = 'telephone_event' | 'sip_info' | 'sound';

/** Gets each key of a leg in order, from the moment the leg exists until it ends. Must wipe the Secret. */
export type KeySink = (key: Secret, kind: KeyKind) => void;

/**
 * `stopped`: by {@link MediaLeg.stop}, a newer play or the end of the leg. `failed`: the media server could not play
 * the files.
 */
export type PlayResult = 'finished' | 'stopped' | 'failed';

/** The media of one leg. */
export interface MediaLeg {
  readonly id: string;
  /** Our SDP: the answer to the caller's offer, or an offer. */
  readonly localSdp: string;
  /** Plays files one after the other. A new play stops the previous one. Never rejects. */
  play(files: readonly string[]): Promise<PlayResult>;
  /** Stops playing; silent within 100 ms. */
  stop(): void;
  /**
   * Also detects keys in the caller's sound from now on, including after {@link negotiate}. A key that is sent in two
   * ways then arrives twice. Idempotent.
   */
  detectTones(): void;
  /** Detects no more keys in the sound, though some may still arrive. Idempotent. */
  ignoreTones(): void;
  /**
   * Whether telephone-event packets have arrived, recognized as keys or not. False if the media server does not say.
   * Never rejects.
   */
  receivesEvents(): Promise<boolean>;
  /** Resolves once, when the media is gone: by an RTP timeout, the loss of the media server, or {@link destroy}. */
  readonly lost: Promise<{ cause: 'media_timeout' | 'engine_lost' | 'destroyed' }>;
  /** Applies a new remote SDP, the answer to our offer or a new offer. Resolves to our SDP. */
  negotiate(remoteSdp: string): Promise<string>;
  /** Joins the audio of two legs of one media server. Keys stay on their leg. Rejects if the server refuses. */
  bridge(other: MediaLeg): Promise<void>;
  /** Plays a ringing tone until {@link stop}. */
  ring(): void;
  /**
   * The quality of the received sound, known once {@link destroy} has resolved. Null if the media server did not say.
   */
  readonly quality: SoundQuality | null;
  /** Idempotent; bounded; never rejects. */
  destroy(): Promise<void>;
}

/**
 * `encryption`: the offer's audio is encrypted or plain, against RINGKEY_SRTP. `host_name`: the audio must go to a host
 * name.
 */
type NoMediaReason = 'no_server' | 'no_common_codec' | 'encryption' | 'host_name' | 'full';

/** No media server can take the call. */
export class NoMedia extends Error {
  readonly reason: NoMediaReason;
  constructor(reason: NoMediaReason) {
    super('no media for this call');
    this.name = 'NoMedia';
    this.reason = reason;
  }
}

/**
 * The pool of media servers. The least loaded one gets the next leg. `onKey` null: the leg's keys are ignored.
 * `sipServer`: the one that the call came by, which its media legs use, too.
 */
export interface MediaPool {
  /** A leg that answers an offer. @throws NoMedia */
  answerOffer(offerSdp: string, onKey: KeySink | null, sipServer?: string): Promise<MediaLeg>;
  /** A leg that makes an offer. @throws NoMedia */
  makeOffer(onKey: KeySink | null, sipServer?: string): Promise<MediaLeg>;
  /**
   * A leg that makes a plain offer, on the same server as this one, which it will be bridged to. With
   * RINGKEY_SRTP=required there is none. @throws NoMedia
   */
  makeOfferBeside(beside: MediaLeg): Promise<MediaLeg>;
  /**
   * A leg on the same server as this one that recognizes telephone-events without waiting for their end. Its SDP can be
   * offered.
   * @param remoteSdp the caller's latest SDP @throws NoMedia
   */
  takeUnendedKeys(instead: MediaLeg, remoteSdp: string, onKey: KeySink): Promise<MediaLeg>;
  /**
   * A leg that makes an offer, on another server than that of `lost`. None for a leg with encrypted audio: FreeSWITCH
   * 1.11.2 generates another key when it receives the answer, so the caller could not decrypt it. @throws NoMedia
   */
  replace(lost: MediaLeg, onKey: KeySink): Promise<MediaLeg>;
  readonly connected: boolean;
  /** Sets the handler of changes of {@link connected}. */
  onChange(handler: () => void): void;
  close(): Promise<void>;
}
