/**
 * What the phone app needs of the SIP edge and of the media server. The adapters are `drachtio/` (drachtio-srf) and
 * `freeswitch/` (drachtio-fsmrf); nothing else imports those libraries.
 */
import type { Secret } from '../domain/secret.ts';

/** A call that knocks: facts of the INVITE, and the two answers to it. */
export interface IncomingCall {
  readonly sipCallId: string;
  /** What {@link SipEdge.endDialogs} knows the call by, once it is answered. */
  readonly dialogId: string;
  /** User part of the Request-URI, unescaped. */
  readonly requestUser: string;
  /** User part of To, for the dialled number. */
  readonly calledNumber: string | null;
  /** P-Asserted-Identity, then Remote-Party-ID, then From (decisions.md). */
  readonly callingNumber: string | null;
  /** The address the INVITE came from. */
  readonly sourceAddress: string;
  /** Whether the caller's Allow lists REFER. */
  readonly allowsRefer: boolean;
  /** Null for an INVITE without an offer. */
  readonly offerSdp: string | null;
  /** Aborts when the caller cancels before an answer. */
  readonly canceled: AbortSignal;
  /** A final answer of 4xx, 5xx; ignored after another one. */
  reject(status: number, headers?: Record<string, string>): void;
  /**
   * 200 OK with this answer (or, for an offerless INVITE, this offer). Resolves when the ACK is here.
   * @throws CallerGone when the caller canceled, hung up before the ACK or never sent it, or the edge was lost.
   */
  answer(sdp: string): Promise<CallLeg>;
}

/** The caller went away before the call was up. */
export class CallerGone extends Error {
  constructor() {
    super('the caller went away before the call was answered');
    this.name = 'CallerGone';
  }
}

/** An established dialog. `ended` settles once, whoever ends it. */
export interface CallLeg {
  readonly sipCallId: string;
  /** What {@link SipEdge.endDialogs} knows it by. */
  readonly dialogId: string;
  /** The answer SDP of the ACK to an offerless INVITE, else the remote SDP. */
  readonly remoteSdp: string;
  /** Resolves when the leg is over: BYE from either side, a dead dialog, or the SIP edge lost. */
  readonly ended: Promise<LegEnd>;
  /** Keys that arrive as SIP INFO; otherwise as {@link MediaLeg.onKey}. */
  onKey(handler: (key: Secret) => void): void;
  /** A re-INVITE with an offer: what `handler` returns is our answer; when it throws the answer is 488. */
  onOffer(handler: (sdp: string) => Promise<string>): void;
  /** A re-INVITE with our offer; resolves to their answer. Rejects when there is none in time. */
  offer(sdp: string): Promise<string>;
  /**
   * In-dialog REFER (RFC 3515); follows the NOTIFYs. Resolves at the first final word or after `limitMs`; never rejects. A
   * far end that has answered nothing by then is gone, and the leg with it.
   */
  refer(target: string, headers: Record<string, string>, limitMs: number): Promise<ReferResult>;
  /** Idempotent; bounded; never rejects. */
  hangUp(): Promise<void>;
}

export interface LegEnd {
  by: 'them' | 'us' | 'engine_lost';
}

/**
 * `accepted`: the NOTIFY said 2xx, or they took the REFER (2xx) and ended the leg before they said more, as some voice
 * platforms do. Else why not.
 */
export type ReferResult =
  | { accepted: true }
  | { accepted: false; reason: 'refused' | 'failed' | 'timeout' | 'leg_gone'; status?: number };

/** The SIP edge. */
export interface SipEdge {
  /** Serves INVITEs until closed; reconnects by itself. Set once. */
  onCall(handler: (call: IncomingCall) => void): void;
  /** A new call, offering `sdp`. @throws DialFailure */
  dial(target: string, sdp: string, headers: Record<string, string>, options: DialOptions): Promise<CallLeg>;
  /** BYE for dialogs whose process is gone, as soon as we are connected: their callers wait in silence. */
  endDialogs(dialogIds: readonly string[]): void;
  readonly connected: boolean;
  close(): Promise<void>;
}

export interface DialOptions {
  /** Ends the attempt (CANCEL). */
  signal: AbortSignal;
  limitMs: number;
  onRinging?: () => void;
  /** From display/number where known. */
  callingNumber?: string | null;
}

/** The other side did not take the call; 408 and 487 also stand for our limit and our signal, 503 for a lost edge. */
export class DialFailure extends Error {
  readonly status: number;
  constructor(status: number) {
    super('the call was not taken');
    this.name = 'DialFailure';
    this.status = status;
  }
}

/** `stopped`: by {@link MediaLeg.stop}, a newer play or the end of the leg. `failed`: the server could not play it. */
export type PlayResult = 'finished' | 'stopped' | 'failed';

/** Media for one leg. */
export interface MediaLeg {
  readonly id: string;
  /** Our side's SDP: the answer to the caller's offer, or an offer. */
  readonly localSdp: string;
  /** Plays files in order. Never overlaps: a new play stops the old. Never rejects. */
  play(files: readonly string[]): Promise<PlayResult>;
  /** Silent within 100 ms. */
  stop(): void;
  /** One call per key pressed, in order, from the first moment; the Secret is the receiver's to wipe. */
  onKey(handler: (key: Secret) => void): void;
  /** Resolves once when the leg is gone: media server lost, RTP timeout, or destroyed by us. */
  readonly lost: Promise<{ cause: 'media_timeout' | 'engine_lost' | 'destroyed' }>;
  /** The remote side's new description: the answer to our offer, or a new offer. Returns our side's. */
  negotiate(remoteSdp: string): Promise<string>;
  /** Joins the audio of two legs of one server; digits do not cross. Rejects when the server refuses. */
  bridge(other: MediaLeg): Promise<void>;
  /** A ringing tone towards this leg until {@link stop}. */
  ring(): void;
  /** Idempotent; bounded; never rejects. */
  destroy(): Promise<void>;
}

/** No media server can take the call now. */
export class NoMedia extends Error {
  readonly reason: 'no_server' | 'no_common_codec' | 'full';
  constructor(reason: 'no_server' | 'no_common_codec' | 'full') {
    super('no media for this call');
    this.name = 'NoMedia';
    this.reason = reason;
  }
}

/** The pool of media servers: least loaded first. */
export interface MediaPool {
  /** @throws NoMedia */
  answerOffer(offerSdp: string): Promise<MediaLeg>;
  /** A leg that makes the offer, on the server of `beside` where given (to be bridged to it). @throws NoMedia */
  makeOffer(beside?: MediaLeg): Promise<MediaLeg>;
  /** A leg that makes the offer, on another server than the lost one's. @throws NoMedia */
  replace(lost: MediaLeg): Promise<MediaLeg>;
  readonly connected: boolean;
  close(): Promise<void>;
}
