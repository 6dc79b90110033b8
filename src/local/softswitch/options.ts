/** Options of the softswitch process: the first IPC message of its parent, or JSON as its only argument. */

/** Options of the signalling half, which imitates drachtio-server. */
export interface SignallingOptions {
  /** Address to bind SIP on, UDP and TCP: `127.0.0.1`, or `0.0.0.0` for phones elsewhere. */
  sipAddress: string;
  /** 0 picks a free port. */
  sipPort: number;
  /** The address at which phones outside this machine reach the softswitch, if it is bound to every address. */
  externalAddress?: string | undefined;
  /** Where drachtio-srf connects. */
  drachtioAddress: string;
  drachtioPort: number;
  drachtioSecret: string;
  /** Maximum number of incoming calls at once; more get 503 with Retry-After. Default 500. */
  maxCalls?: number | undefined;
}

/** Options of the media half, which imitates FreeSWITCH. */
export interface MediaOptions {
  /** Address of the event socket and of the media half's own SIP port. */
  eslAddress: string;
  eslPort: number;
  eslSecret: string;
  /** SIP port between the halves, on loopback only. 0 picks a free port. */
  mediaSipPort: number;
  /** Address in the session descriptions, which receives RTP. */
  rtpAddress: string;
  rtpPortMin: number;
  rtpPortMax: number;
  /** Maximum number of legs at once; more get 503. A bridged call has two. Default 500. */
  maxLegs?: number | undefined;
  /** A leg is hung up (MEDIA_TIMEOUT) after this time without RTP from its peer; 0: never. Default 900,000. */
  mediaTimeoutMs?: number | undefined;
}

export interface SoftswitchOptions {
  signalling: SignallingOptions;
  media: MediaOptions;
}

/** The process's answer when it listens. */
export interface SoftswitchReady {
  ready: true;
  sipPort: number;
  drachtioPort: number;
  eslPort: number;
  mediaSipPort: number;
}

/**
 * Sent instead of `ready`; then the process exits with 1. `setting` names the invalid option, e.g.
 * `signalling.sipPort`.
 */
export interface SoftswitchFailed {
  error: string;
  setting?: string;
}

export type SoftswitchAnswer = SoftswitchReady | SoftswitchFailed;
