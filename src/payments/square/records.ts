/**
 * Square's lists of the location's payments and refunds, by time
 * (developer.squareup.com/reference/square/payments-api/list-payments and …/refunds-api/list-payment-refunds).
 */
import type { Square, SquareClient } from 'square';
import { type ChargeId, parseId } from '../../domain/ids.ts';
import {
  type ProcessorRecords,
  type RecordedPayment,
  type RecordedRefund,
  type RecordsRequest,
  RecordsUnreadable,
} from '../port/records.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { PAGE, readableRecords } from '../vendor-api/lookup.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';
import { itemsOf } from './lists.ts';
import { answerOf } from './map.ts';
import { refundIdOf } from './refunds.ts';

export function squareRecords(open: OpenSquare): ProcessorRecords {
  return {
    payments: (request, signal) => readableRecords(listPayments(open, request, signal), faultOf),
    refunds: (request, signal) => readableRecords(listRefunds(open, request, signal), faultOf),
  };
}

const listing = ({ from, until }: RecordsRequest, locationId: string) =>
  ({
    beginTime: from.toISOString(),
    endTime: until.toISOString(),
    sortOrder: 'ASC',
    limit: PAGE,
    locationId,
  }) as const;

async function* listPayments(
  open: OpenSquare,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedPayment> {
  const { square, locationId } = await open(request, signal);
  for await (const payment of itemsOf<Square.Payment>(await square.payments.list(listing(request, locationId)))) {
    const chargeId = chargeOf(payment);
    if (chargeId === null || payment.createdAt === undefined) continue;
    // The note begins with the session (map.ts).
    const sessionId = parseId('CheckoutSession', payment.note?.split(' ', 1)[0] ?? '');
    const source = payment.cardDetails?.entryMethod === 'ON_FILE' ? 'saved_card' : 'page';
    const origin = sessionId === null ? null : ({ sessionId, source } as const);
    yield { chargeId, origin, createdAt: new Date(payment.createdAt), answer: answerOf(payment) };
  }
}

const chargeOf = ({ referenceId }: Square.Payment): ChargeId | null => parseId('Charge', referenceId ?? '');

async function* listRefunds(
  open: OpenSquare,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedRefund> {
  const { square, locationId } = await open(request, signal);
  for await (const refund of itemsOf<Square.PaymentRefund>(await square.refunds.list(listing(request, locationId)))) {
    const { id, paymentId, amountMoney, createdAt } = refund;
    if (paymentId == null || createdAt == null || amountMoney.amount == null || amountMoney.currency == null) continue;
    yield {
      processorRefundId: id,
      processorPaymentId: paymentId,
      refundId: refundIdOf(refund),
      readChargeId: () => readCharge(square, paymentId),
      status: STATUSES[refund.status ?? ''] ?? 'pending',
      amountCents: Number(amountMoney.amount),
      currency: amountMoney.currency,
      createdAt: new Date(createdAt),
    };
  }
}

async function readCharge(square: SquareClient, paymentId: string): Promise<ChargeId | null> {
  const { payment } = await square.payments.get({ paymentId }).catch((error: unknown) => {
    throw new RecordsUnreadable(causeOf(faultOf(error)));
  });
  return payment === undefined ? null : chargeOf(payment);
}

const STATUSES: Readonly<Record<string, RecordedRefund['status']>> = {
  COMPLETED: 'succeeded',
  REJECTED: 'failed',
  FAILED: 'failed',
};
