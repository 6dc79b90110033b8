/** Payouts at Square, and their entries (developer.squareup.com/reference/square/payouts-api). */
import type { Square, SquareClient } from 'square';
import type { PayoutEntryKind, PayoutStatus } from '../../domain/payout.ts';
import { unknown } from '../port/answers.ts';
import type { ListedItem, ListRequest } from '../port/listed.ts';
import { MOST_ENTRIES, type PayoutAnswer, type Payouts, type ReadPayoutEntry } from '../port/payouts.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { PAGE, readableRecords, TOO_MANY } from '../vendor-api/lookup.ts';
import type { OpenSquare } from './client.ts';
import { faultOf, isNotFound } from './errors.ts';
import { itemsOf } from './lists.ts';

export function squarePayouts(open: OpenSquare): Payouts {
  return {
    async read({ payoutId, ...access }, signal) {
      try {
        const { square, locationId } = await open(access, signal);
        return await readPayout(square, payoutId, locationId);
      } catch (error) {
        return isNotFound(error) ? { status: 'not_found' } : unknown(causeOf(faultOf(error)));
      }
    },
    list: (request, signal) => readableRecords(listPayouts(open, request, signal), faultOf),
  };
}

async function* listPayouts(
  open: OpenSquare,
  { since, ...access }: ListRequest,
  signal: AbortSignal,
): AsyncIterable<ListedItem> {
  const { square, locationId } = await open(access, signal);
  const params = { locationId, beginTime: since.toISOString(), limit: PAGE };
  for await (const { id, status } of itemsOf(await square.payouts.list(params))) yield { id, state: `${status}` };
}

const STATUSES: Readonly<Record<Square.PayoutStatus, PayoutStatus>> = {
  SENT: 'pending',
  PAID: 'paid',
  FAILED: 'failed',
};

async function readPayout(square: SquareClient, payoutId: string, location: string): Promise<PayoutAnswer> {
  const { payout } = await square.payouts.get({ payoutId });
  const { amount, currency } = payout?.amountMoney ?? {};
  if (payout === undefined || amount == null || currency === undefined) return unknown('answer');
  if (payout.locationId !== location) return { status: 'not_found' };
  const status = payout.status && (STATUSES[payout.status] as PayoutStatus | undefined);
  if (status === undefined) return unknown('answer');
  const entries: ReadPayoutEntry[] = [];
  for await (const entry of await square.payouts.listEntries({ payoutId, sortOrder: 'ASC', limit: PAGE })) {
    if (entries.length === MOST_ENTRIES) return unknown(TOO_MANY);
    entries.push(entryOf(entry));
  }
  const arrivalDate = payout.arrivalDate ?? null;
  return { status: 'found', payout: { status, amountCents: Number(amount), currency, arrivalDate, entries } };
}

const KINDS: Partial<Record<Square.ActivityType, PayoutEntryKind>> = {
  CHARGE: 'charge',
  REFUND: 'refund',
  DISPUTE: 'dispute',
  OPEN_DISPUTE: 'dispute',
  FEE: 'fee',
  DEPOSIT_FEE: 'fee',
  TAX_ON_FEE: 'fee',
  PROCESSING_FEE: 'fee',
};

function entryOf(entry: Square.PayoutEntry): ReadPayoutEntry {
  const { typeChargeDetails, typeRefundDetails, typeDisputeDetails, typeOpenDisputeDetails } = entry;
  const details = typeChargeDetails ?? typeRefundDetails ?? typeDisputeDetails ?? typeOpenDisputeDetails;
  return {
    processorEntryId: entry.id,
    kind: (entry.type && KINDS[entry.type]) ?? 'other',
    paymentId: details?.paymentId ?? null,
    grossCents: centsOf(entry.grossAmountMoney),
    feeCents: centsOf(entry.feeAmountMoney),
    netCents: centsOf(entry.netAmountMoney),
  };
}

const centsOf = (money: Square.Money | undefined) => Number(money?.amount ?? 0);
