/** A phone call as lists show it: how it went, and what is known of its keys and its sound. */
import type { CallStage } from './call-stage.ts';
import type { ChargeStatus } from './charge.ts';
import type { AccountId, CallId, ChargeId, CheckoutSessionId, MerchantId } from './ids.ts';
import type { OutcomeKind, OutcomeReason } from './outcome.ts';
import type { Mode } from './session.ts';

/** How a caller's keys came: as telephone events in RTP (RFC 4733), as SIP INFO, or as tones in the sound. */
export const CALL_KEY_KINDS = ['telephone-event', 'info', 'inband'] as const;
export type CallKeyKind = (typeof CALL_KEY_KINDS)[number];

/** Of the sound that came from the caller, as the media server counted it. Null: it did not say. */
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
  /** Null: whoever called was asked which of several payments it is about, and has not said, or never did. */
  sessionId: CheckoutSessionId | null;
  /** Null where there is no session. */
  merchantId: MerchantId | null;
  /** Of the merchant; null where there is no session, or the merchant is gone. */
  businessName: string | null;
  /** Of the session; null where there is none. */
  amountCents: number | null;
  currency: string | null;
  /** Of the charge that the outcome is about, as it is now; null where there is none. */
  chargeStatus: ChargeStatus | null;
  orderId: string | null;
  platformCallId: string | null;
  /** The session's, E.164. */
  callerPhone: string | null;
  sipCallId: string;
  /** Of the call to the agent; null where none was bridged. */
  returnSipCallId: string | null;
  outcome: OutcomeKind | null;
  reason: OutcomeReason | null;
  chargeId: ChargeId | null;
  /** Null in calls of an earlier version. */
  stage: CallStage | null;
  returnMode: 'refer' | 'bridge' | null;
  keyKind: CallKeyKind | null;
  startedAt: Date;
  answeredAt: Date | null;
  endedAt: Date | null;
  /** When somebody of the account asked for its end. Null: nobody has. */
  endRequestedAt: Date | null;
}

/** A call with its steps, in their order; times in milliseconds since the INVITE. */
export interface CallWithTimeline extends ListedCall {
  timeline: readonly { step: string; at_ms: number }[];
}
