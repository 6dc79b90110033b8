/** English names of statuses, reasons and kinds. */
import { declineWords } from '../../../../contract/decline-words.ts';
import type { ChargeStatus } from '../../../../domain/charge.ts';
import type { DeliveryState } from '../../../../domain/delivery-state.ts';
import type { DisputeKind, DisputeReason, DisputeStatus } from '../../../../domain/dispute.ts';
import type { OutcomeKind, OutcomeReason } from '../../../../domain/outcome.ts';
import type { PayoutEntryKind, PayoutStatus } from '../../../../domain/payout.ts';
import type { RefundReason, RefundStatus } from '../../../../domain/refund.ts';
import type { SessionStatus } from '../../../../domain/session.ts';
import type { Role } from '../../../../domain/user.ts';

export interface Names {
  role: Readonly<Record<Role, string>>;
  /** Agrees with "charge". */
  chargeStatus: Readonly<Record<ChargeStatus, string>>;
  declineCode: ReturnType<typeof declineWords>;
  /** Agrees with "refund". */
  refundStatus: Readonly<Record<RefundStatus, string>>;
  refundReason: Readonly<Record<RefundReason, string>>;
  /** Agrees with "checkout". */
  sessionStatus: Readonly<Record<SessionStatus, string>>;
  /** Agrees with "payment". */
  callOutcome: Readonly<Record<OutcomeKind, string>>;
  callReason: Readonly<Record<OutcomeReason, string>>;
  /** Agrees with "dispute". */
  disputeStatus: Readonly<Record<DisputeStatus, string>>;
  disputeKind: Readonly<Record<DisputeKind, string>>;
  disputeReason: Readonly<Record<DisputeReason, string>>;
  /** Agrees with "payout". */
  payoutStatus: Readonly<Record<PayoutStatus, string>>;
  payoutEntryKind: Readonly<Record<PayoutEntryKind, string>>;
  /** Of an event to an endpoint, and of an event by its worst delivery. Agrees with "delivery". */
  deliveryState: Readonly<Record<DeliveryState, string>>;
}

export const en: Names = {
  role: { owner: 'owner', developer: 'developer', support: 'support', viewer: 'viewer' },
  chargeStatus: {
    pending: 'Pending',
    authorized: 'Authorized',
    succeeded: 'Succeeded',
    failed: 'Failed',
    voided: 'Voided',
    expired: 'Expired',
  },
  declineCode: declineWords('en'),
  refundStatus: { pending: 'Pending', succeeded: 'Succeeded', failed: 'Failed' },
  refundReason: {
    duplicate: 'Duplicate',
    fraudulent: 'Fraudulent',
    requested_by_customer: 'Requested by customer',
  },
  sessionStatus: { open: 'Open', complete: 'Complete', expired: 'Expired' },
  callOutcome: {
    succeeded: 'Succeeded',
    failed: 'Failed',
    pending: 'Pending',
    canceled: 'Canceled',
    expired: 'Expired',
    agent: 'Agent',
  },
  callReason: {
    no_input: 'No input',
    invalid_input: 'Invalid input',
    declined: 'Declined',
    too_many_attempts: 'Too many attempts',
    error: 'Error',
    keypad_unavailable: 'Keypad unavailable',
    link_sent: 'Link sent',
    bank_debit: 'Bank debit',
  },
  disputeStatus: {
    needs_response: 'Needs response',
    under_review: 'Under review',
    won: 'Won',
    lost: 'Lost',
    closed: 'Closed',
  },
  disputeKind: { inquiry: 'Inquiry', chargeback: 'Chargeback' },
  disputeReason: {
    fraudulent: 'Fraudulent',
    duplicate: 'Duplicate',
    not_received: 'Not received',
    not_as_described: 'Not as described',
    canceled: 'Canceled',
    credit_not_processed: 'Credit not processed',
    amount_differs: 'Amount differs',
    paid_by_other_means: 'Paid by other means',
    general: 'General',
  },
  payoutStatus: { pending: 'Pending', paid: 'Paid', failed: 'Failed', canceled: 'Canceled' },
  payoutEntryKind: { charge: 'Charge', refund: 'Refund', dispute: 'Dispute', fee: 'Fee', other: 'Other' },
  deliveryState: {
    waiting: 'Waiting',
    failing: 'Retrying',
    failed: 'Failed',
    delivered: 'Delivered',
    canceled: 'Canceled',
  },
};
