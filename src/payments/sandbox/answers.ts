/** The sandbox's answers: for a payment in its table, and when the database cannot be reached. */
import { notAuthenticated, type ProcessorAnswer, type Settlement, type Unknown, unknown } from '../answers.ts';
import { endOfAction } from './cards.ts';
import type { SandboxPayment } from './ledger.ts';
import { savedCardOf } from './wallet.ts';

/** For a payment that is settled or waits for its payer. */
export function answerOf(payment: SandboxPayment): Exclude<ProcessorAnswer, { status: 'unknown' }> {
  if (payment.status !== 'action_required') return settlementOf(payment);
  const { paymentId } = payment;
  const action = { kind: 'sandbox', paymentId, ends: endOfAction(payment.cardName) } as const;
  return { status: 'action_required', processorPaymentId: paymentId, action };
}

function settlementOf(payment: SandboxPayment): Settlement {
  const { paymentId, declineCode, brand, lastFour } = payment;
  if (declineCode === 'authentication_required') return notAuthenticated(declineCode, paymentId);
  if (declineCode !== null) {
    return { status: 'declined', declineCode, processorCode: declineCode, processorPaymentId: paymentId };
  }
  const savedCard = savedCardOf(payment);
  return {
    status: 'succeeded',
    processorPaymentId: paymentId,
    ...(brand !== null && lastFour !== null && { card: { brand, lastFour } }),
    ...(savedCard !== null && { savedCard }),
  };
}

/** The database cannot be reached: as if the connection was lost after the request was sent. The row may be written. */
export function unreachable(error: unknown): Unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection';
  return unknown(`unreachable: ${code}`);
}
