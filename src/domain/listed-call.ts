/** A phone call in lists: its course, its keys and its sound quality. */
import type { CallStage } from './call-stage.ts';
import type { ChargeStatus } from './charge.ts';
import type { AccountId, CallId, ChargeId, CheckoutSessionId, MerchantId } from './ids.ts';
import type { OutcomeKind, OutcomeReason } from './outcome.ts';
import type { Mode } from './session.ts';

/** How a caller's keys arrived: as telephone events in RTP (RFC 4733), as SIP INFO, or as tones in the sound. */
export const CALL_KEY_KINDS = ['telephone-event', 'info', 'inband'] as const;
export type CallKeyKind = (typeof CALL_KEY_KINDS)[number];

/** Of the caller's sound, counted by the media server. Null if it reported nothing. */
export interface SoundQuality {
  codec: string | null;
  packetsReceived: number | null;
  packetsLost: number | null;
  jitterMs: number | null;
}

/** A call without its timeline. */
export interface ListedCall extends SoundQuality {
  id: CallId;
  accountId: AccountId;
  mode: Mode;
  /** Null: the caller had several payments and has not chosen one, or never did. */
  sessionId: CheckoutSessionId | null;
  /** Null without a session. */
  merchantId: MerchantId | null;
  /** The merchant's. Null without a session, or if the merchant was deleted. */
  businessName: string | null;
  /** The session's. Null without a session. */
  amountCents: number | null;
  currency: string | null;
  /** The current status of the outcome's charge; null if there is none. */
  chargeStatus: ChargeStatus | null;
  orderId: string | null;
  platformCallId: string | null;
  /** The session's, E.164. */
  callerPhone: string | null;
  sipCallId: string;
  /** Of the call to the agent; null if none was bridged. */
  returnSipCallId: string | null;
  outcome: OutcomeKind | null;
  reason: OutcomeReason | null;
  chargeId: ChargeId | null;
  /** Null for calls of an earlier version. */
  stage: CallStage | null;
  returnMode: 'refer' | 'bridge' | null;
  keyKind: CallKeyKind | null;
  startedAt: Date;
  answeredAt: Date | null;
  endedAt: Date | null;
  /** When a user of the account ended it. Null if none did. */
  endRequestedAt: Date | null;
}

/** A call with its steps in order. Times are in milliseconds since the INVITE. */
export interface CallWithTimeline extends ListedCall {
  timeline: readonly { step: string; at_ms: number }[];
}
