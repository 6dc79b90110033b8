/** The port for holds: captures and voids of charges that the processor has only authorized. See processor.ts. */
import type { HoldFailure } from '../../domain/hold.ts';
import type { ChargeId, HoldChangeId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import type { Unknown } from './answers.ts';
import type { Credentials } from './credentials.ts';

/** The hold, by its charge. */
export interface HoldRequest {
  chargeId: ChargeId;
  processorPaymentId: string;
  mode: Mode;
  credentials: Credentials;
}

/** A capture or void of the hold. */
export interface HoldChangeRequest extends HoldRequest {
  /** Our ID of the capture or void: the processor's idempotency key, if it has one. */
  changeId: HoldChangeId;
}

export interface CaptureRequest extends HoldChangeRequest {
  /** At most {@link held}. The rest is released. */
  amount: Money;
  held: Money;
}

/**
 * What became of the hold. `captureBefore`: when it expires, null if the processor does not say. `captured`: also if
 * the merchant captured it in the vendor's dashboard. `expired`: the processor released it after its time.
 */
export type HoldState =
  | { status: 'held'; captureBefore: Date | null }
  | { status: 'captured'; captured: { amountCents: number; currency: string } }
  | { status: 'voided' }
  | { status: 'expired' };

/** The processor did not change the hold, which is still held as far as it says. */
interface HoldRefused {
  status: 'refused';
  reason: HoldFailure;
  processorCode: string | null;
}

/** Never `held` after a capture or void: then the change may still arrive, which is `unknown`. */
export type HoldAnswer = Exclude<HoldState, { status: 'held' }> | HoldRefused | Unknown;

/**
 * Holds of a processor, each captured at most once. These functions never throw. A hold that was already captured,
 * voided or expired is answered with its state, whichever request changed it: the caller compares.
 */
export interface Holds {
  /** Whether less than the hold can be captured. */
  readonly partial: boolean;
  /** Sends one request per call. Repeating it captures nothing more, because a hold is captured once. */
  capture(request: CaptureRequest, signal: AbortSignal): Promise<HoldAnswer>;
  /** Releases the hold. Can be repeated. */
  void(request: HoldChangeRequest, signal: AbortSignal): Promise<HoldAnswer>;
  /** The current state. Changes nothing. */
  read(request: HoldRequest, signal: AbortSignal): Promise<HoldState | Unknown>;
}
