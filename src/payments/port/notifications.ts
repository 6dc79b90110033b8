/**
 * The port for a processor's signed notifications. A notification is only a hint: it selects what to look up, and the
 * lookup at the processor is the truth. For a processor that cannot be asked, the lookup reads what it notified. See processor.ts.
 */
import type { NotifiedSubject } from '../../db/processor-notifications/inbox.ts';
import type { NotifiedOutcome } from '../../db/processor-notifications/outcomes.ts';
import type { ChargeId, MerchantId } from '../../domain/ids.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Mode } from '../../domain/session.ts';
import type { Unknown } from './answers.ts';
import type { ProcessorAccess } from './credentials.ts';
import type { ReadDispute } from './disputes.ts';
import type { ProcessorHistories } from './history.ts';

/** A request as it was received. */
export interface SignedRequest {
  body: Buffer;
  /** The value of a header that was sent once; undefined otherwise. @param name in lower case */
  header(name: string): string | undefined;
  /** Our address as configured at the processor. Null if RINGKEY_PUBLIC_URL is not set. */
  url: string | null;
  receivedAt: Date;
}

export interface ProcessorNotification {
  /** The processor's ID: the same notification again has the same one. */
  id: string;
  /** In the processor's words, for the log. */
  type: string;
  /** Null if it is about nothing of ours. */
  subject: NotifiedSubject | null;
  /** What it says, if the processor has no other way to tell it. Stored, and read by the lookup. */
  outcome?: NotifiedOutcome;
  /** The same for a dispute. Stored with the notification until it is handled. */
  dispute?: ReadDispute;
}

export interface PaymentRequest extends ProcessorAccess {
  /** Whose notification it is. */
  merchantId: MerchantId;
  /** The processor's ID of a payment, or of what the notification named instead. */
  paymentId: string;
}

/** `not_found`: the processor does not have the payment, or it is not ours. */
export type ChargeOfPayment = { status: 'found'; chargeId: ChargeId } | { status: 'not_found' } | Unknown;

export interface ProcessorNotifications {
  /** The format of the secret, so that typing errors are found at once. */
  readonly secretForm: RegExp;
  /** Whether the processor signed the request, recently if its signature has a time. Compares in constant time. */
  isSigned(secret: Secret, request: SignedRequest): boolean;
  /** The content of a body that is not JSON. If it is malformed, `read` must not accept the result. */
  parse?(body: Buffer): unknown;
  /** @param body content of a signed request. @returns null if it is not a notification of this processor */
  read(body: unknown, mode: Mode): ProcessorNotification | null;
  /** Asks the processor which charge of ours a payment is. Never throws. */
  chargeOf(request: PaymentRequest, signal: AbortSignal): Promise<ChargeOfPayment>;
  /** They tell disputes that no API reads ({@link ProcessorNotification.dispute}). */
  readonly tellsDisputes?: true;
  /** Absent if it cannot tell what became of a payment. */
  readonly histories?: ProcessorHistories;
}
