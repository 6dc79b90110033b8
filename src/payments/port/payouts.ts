/** The port for payouts: a payout at its processor, which a notification has named, and what it contains. */
import type { PayoutEntryFacts, PayoutFacts } from '../../domain/payout.ts';
import type { Unknown } from './answers.ts';
import type { ProcessorAccess } from './credentials.ts';
import type { ListItems } from './listed.ts';

export interface ReadPayoutEntry extends PayoutEntryFacts {
  processorEntryId: string;
  /** The processor's ID of the payment that it is about. Null if there is none. */
  paymentId: string | null;
}

export interface ReadPayout extends PayoutFacts {
  /** Empty if the processor cannot tell, such as for payouts that the merchant started. */
  entries: readonly ReadPayoutEntry[];
}

interface PayoutRequest extends ProcessorAccess {
  payoutId: string;
}

/** `not_found`: the processor does not have it, or it is of another location. */
export type PayoutAnswer = { status: 'found'; payout: ReadPayout } | { status: 'not_found' } | Unknown;

/** Entries of a payout that are read at most. A longer one stays unread. */
export const MOST_ENTRIES = 10_000;

export interface Payouts {
  /** Never throws. */
  read(request: PayoutRequest, signal: AbortSignal): Promise<PayoutAnswer>;
  /** Absent if there is no list. */
  readonly list?: ListItems;
}
