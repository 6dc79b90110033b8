/** A phone call: its stage, the steps of its timeline, its entry in lists, and its SIP dialog. */
import type { ChargeStatus } from './charge.ts';
import type { AccountId, CallId, ChargeId, CheckoutSessionId, MerchantId } from './ids.ts';
import type { OutcomeKind, OutcomeReason } from './outcome.ts';
import type { Mode } from './session.ts';

/** The coarse progress of a call, for observers of its session. Contains nothing about the card. */
export const CALL_STAGES = [
  'greeting',
  'card_number',
  'expiry',
  'security_code',
  'postal_code',
  'bank_account',
  'keep_card',
  'confirmation',
  /** The keyed card is being charged. */
  'paying',
  /** The link was texted, and the line waits for the payment. */
  'by_link',
  /** The line holds while the payment is made elsewhere. */
  'waiting',
  /** The line says the outcome, and then returns the caller to the agent. */
  'leaving',
  'returning',
  'ended',
] as const;
export type CallStage = (typeof CALL_STAGES)[number];

/** The fields that the line can ask for, in order. */
export const ASKED_FIELDS = [
  'method',
  'saved_card',
  'card_number',
  'expiry',
  'security_code',
  'postal_code',
  'part',
  'part_amount',
  'tip',
  'routing_number',
  'account_number',
  'account_number_again',
  'account_type',
  'debit_terms',
  'keep_card',
  'confirmation',
] as const;
export type AskedField = (typeof ASKED_FIELDS)[number];

/** The step in which the line first asks for a field. */
export const askStep = (field: AskedField) => `ask ${field}` as const;
/** The card is sent to the processor. */
export const CHARGE_STEP = 'charge';
/** The caller is about to return to the agent. */
export const RETURN_STEP = 'return';

/** The steps that statistics count between the answer and the return, in order. */
export const COUNTED_STEPS: readonly string[] = [...ASKED_FIELDS.map(askStep), CHARGE_STEP];

/** The counted steps of a timeline, and the return, each once and in order. */
export function countedSteps(timeline: readonly { step: string }[]): string[] {
  const reached = new Set(timeline.map(({ step }) => step));
  return [...COUNTED_STEPS, RETURN_STEP].filter((step) => reached.has(step));
}

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

/** A call in lists, without its timeline. */
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
  /** Of the outcome's charge, which can be a part of the session's amount, or have a tip. Null if there is none. */
  chargeAmountCents: number | null;
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

/** A sentence that the line said. */
export interface SaidSentence {
  /** Without digits of cards and phone numbers, names of payers, and the integrator's own messages. */
  text: string;
  /** BCP 47. */
  language: string;
  /** When it ended or was interrupted. Null while it is said. */
  until_ms: number | null;
}

/** A stored step. Times are in milliseconds since the INVITE. */
export interface StoredStep {
  step: string;
  at_ms: number;
  /** Only of sentences. Absent in calls of earlier versions. */
  said?: SaidSentence;
  /** Only of questions: when the caller pressed the first of several keys of the answer. */
  answer_ms?: number;
  /** Only of a question that is asked again: how many digits of a card number the caller had keyed. */
  wrong_digits?: number;
}

/** The calls of a list, each live or with one of the outcomes. */
export interface CallTotals extends Record<OutcomeKind, number> {
  calls: number;
  live: number;
}

/** A call with its steps in order. */
export interface CallWithTimeline extends ListedCall {
  timeline: readonly StoredStep[];
}

/** A SIP dialog as one side sees it. With these fields, another process or SIP server can send requests in it. */
export interface DialogFacts {
  callId: string;
  /** From and To of our requests, with their tags. */
  from: string;
  to: string;
  /** The URI of the other side's Contact. */
  target: string;
  /** In the order in which our requests pass them. */
  routes: string[];
  /** Our Contact. */
  contact: string;
  /** The SIP server that has the dialog, `host:port`. Undefined for calls of an earlier version. */
  server?: string;
}
