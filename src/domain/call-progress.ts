/**
 * The progress of a call on the payment line, for the integrator: a platform can pause its recording, and an agent that
 * stays on knows what happens. Never what the caller keys, nor how many digits.
 */
import type { AccountId, CallId, ChargeId, CheckoutSessionId, EventId, MerchantId } from './ids.ts';
import type { OutcomeKind, OutcomeReason } from './outcome.ts';
import type { Mode } from './session.ts';

export const CALL_EVENT_TYPES = ['call.answered', 'call.step', 'call.returned', 'call.ended'] as const;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];

/** What the line does. `language`: the caller has changed it. `charging`: also a payment that is made elsewhere. */
export const PROGRESS_STEPS = [
  'greeting',
  'language',
  'saved_card',
  'card_number',
  'expiry',
  'security_code',
  'postal_code',
  'method',
  'bank_account',
  'confirm',
  'charging',
  'link',
  'returning',
] as const;
type ProgressStepName = (typeof PROGRESS_STEPS)[number];

export interface ProgressStep {
  name: ProgressStepName;
  /** From 1: the line asks again, or charges another card. */
  attempt: number;
}

/** For the process that takes over a call: it does not know how many events there were. */
export const FIRST_AFTER_LOSS = 1_001;

/** One event of a call. It is sent once, and stored nowhere. */
export interface CallEvent {
  id: EventId;
  type: CallEventType;
  /** ISO 8601. */
  at: string;
  /** Of the call, from 1. After the loss of the call's process, from {@link FIRST_AFTER_LOSS}. */
  sequence: number;
  accountId: AccountId;
  mode: Mode;
  callId: CallId;
  sessionId: CheckoutSessionId;
  merchantId: MerchantId;
  platformCallId: string | null;
  /** For `call.step`. */
  step: ProgressStep | null;
  /** For `call.returned`. */
  returnRoute: 'refer' | 'bridge' | null;
  /** For `call.ended`. */
  outcome: { kind: OutcomeKind; reason: OutcomeReason | null; chargeId: ChargeId | null } | null;
}
