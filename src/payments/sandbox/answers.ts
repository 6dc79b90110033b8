/** The sandbox's answers: for a payment in its table, and when the database cannot be reached. */
import { declineOfReturn } from '../../domain/bank-account.ts';
import {
  notAuthenticated,
  type ProcessorAnswer,
  type Settlement,
  type Succeeded,
  type Unknown,
  unknown,
} from '../port/answers.ts';
import { laterReturnOf, returnCodeOf } from './bank-accounts.ts';
import { endOfAction } from './cards.ts';
import type { SandboxPayment } from './ledger.ts';
import { savedCardOf } from './wallet.ts';

/** For a payment that is settled or waits for its payer. */
export function answerOf(payment: SandboxPayment): Exclude<ProcessorAnswer, { status: 'unknown' | 'debited' }> {
  const { paymentId, captureBefore } = payment;
  if (isHeld(payment)) {
    return { status: 'authorized', processorPaymentId: paymentId, captureBefore, ...paidFacts(payment) };
  }
  if (payment.status !== 'action_required') return settlementOf(payment);
  const action = { kind: 'sandbox', paymentId, ends: endOfAction(payment.cardName) } as const;
  return { status: 'action_required', processorPaymentId: paymentId, action };
}

function settlementOf(payment: SandboxPayment): Settlement {
  const { paymentId, declineCode } = payment;
  if (declineCode === 'authentication_required') return notAuthenticated(declineCode, paymentId);
  if (declineCode !== null) {
    return {
      status: 'declined',
      declineCode,
      processorCode: returnCodeOf(payment.cardName) ?? declineCode,
      processorPaymentId: paymentId,
    };
  }
  if (payment.status !== 'succeeded') {
    return {
      status: 'declined',
      declineCode: 'generic_decline',
      processorCode: 'canceled',
      processorPaymentId: paymentId,
    };
  }
  const returnsInMs = returnsInMsOf(payment);
  if (returnsInMs === 0) return returnOf(payment);
  const checked = returnsInMs === null ? {} : { returnCheckInMs: returnsInMs };
  return { status: 'succeeded', processorPaymentId: paymentId, ...paidFacts(payment), ...checked };
}

/** Until the bank returns a paid debit; 0 once it has. Null if it does not. */
export function returnsInMsOf({ cardName, settledForMs }: SandboxPayment): number | null {
  const { afterMs } = laterReturnOf(cardName) ?? {};
  return afterMs === undefined ? null : Math.max(0, Math.ceil(afterMs - settledForMs));
}

function returnOf({ paymentId, cardName }: SandboxPayment): Settlement {
  const code = laterReturnOf(cardName)?.code ?? null;
  const declineCode = declineOfReturn(code);
  return { status: 'declined', declineCode, processorCode: code, processorPaymentId: paymentId };
}

/** Whether a payment is held: neither captured nor voided, and not expired. */
export function isHeld({ status, captureBefore }: Pick<SandboxPayment, 'status' | 'captureBefore'>): boolean {
  return status === 'authorized' && captureBefore !== null && captureBefore.getTime() > Date.now();
}

function paidFacts(payment: SandboxPayment): Pick<Succeeded, 'card' | 'savedCard'> {
  const { brand, lastFour } = payment;
  const savedCard = savedCardOf(payment);
  return {
    ...(brand !== null && lastFour !== null && { card: { brand, lastFour } }),
    ...(savedCard !== null && { savedCard }),
  };
}

/** The database cannot be reached: as if the connection was lost after the request was sent. The row may be written. */
export function unreachable(error: unknown): Unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection';
  return unknown(`unreachable: ${code}`);
}
