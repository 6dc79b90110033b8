/** Options of the softswitch process: the first IPC message of its parent, or JSON as its only argument. */

/** Options of the signalling half, which imitates drachtio-server. */
export interface SignallingOptions {
  /** Address to bind SIP on, UDP and TCP: `127.0.0.1`, or `0.0.0.0` for phones elsewhere. */
  sipAddress: string;
  /** 0 takes a free one. */
  sipPort: number;
  /** The address by which phones outside this machine reach the softswitch, when bound to every address. */
  externalAddress?: string | undefined;
  /** Where drachtio-srf connects. */
  drachtioAddress: string;
  drachtioPort: number;
  drachtioSecret: string;
  /** Incoming calls at once; beyond: 503 with Retry-After. Default 500. */
  maxCalls?: number | undefined;
}

/** Options of the media half, which imitates FreeSWITCH. */
export interface MediaOptions {
  /** Address of the event socket and of the media half's own SIP port. */
  eslAddress: string;
  eslPort: number;
  eslSecret: string;
  /** SIP between the halves: loopback only. 0 takes a free one. */
  mediaSipPort: number;
  /** Address in the session descriptions, where RTP comes in. */
  rtpAddress: string;
  rtpPortMin: number;
  rtpPortMax: number;
  /** Legs at once; beyond: 503. A bridged call has two. Default 500. */
  maxLegs?: number | undefined;
  /** A leg is hung up (MEDIA_TIMEOUT) when its peer sends no RTP for so long; 0: never. Default 900,000. */
  mediaTimeoutMs?: number | undefined;
}

export interface SoftswitchOptions {
  signalling: SignallingOptions;
  media: MediaOptions;
}

/** What the process answers once it listens. */
export interface SoftswitchReady {
  ready: true;
  sipPort: number;
  drachtioPort: number;
  eslPort: number;
  mediaSipPort: number;
}

/** Instead of `ready`: then it exits with 1. `setting` names the option at fault, e.g. `signalling.sipPort`. */
export interface SoftswitchFailed {
  error: string;
  setting?: string;
}

export type SoftswitchAnswer = SoftswitchReady | SoftswitchFailed;
