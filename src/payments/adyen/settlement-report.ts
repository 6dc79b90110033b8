/**
 * Adyen's settlement details report of one batch: what a payout contains
 * (docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report). Amounts have decimals, and
 * credits and debits have columns of their own. Nothing is rounded: a report that does not add up to its payout is not read.
 */
import { minorDigits } from '../../domain/cached-formats.ts';
import type { PayoutEntryKind } from '../../domain/payout.ts';
import { MOST_ENTRIES, type ReadPayout, type ReadPayoutEntry } from '../port/payouts.ts';
import { TOO_MANY } from '../vendor-api/lookup.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { readCsv } from './csv.ts';

const COLUMNS = [
  ...(['Merchant Account', 'Psp Reference', 'Creation Date', 'Type', 'Modification Reference'] as const),
  ...(['Gross Currency', 'Gross Debit (GC)', 'Gross Credit (GC)'] as const),
  ...(['Net Currency', 'Net Debit (NC)', 'Net Credit (NC)'] as const),
  ...(['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)', 'Batch Number'] as const),
] as const;
type Column = (typeof COLUMNS)[number];
type Row = Readonly<Record<Column, string>>;

/** "Cost": "Commission, Markup, Interchange & Scheme fees". */
const COSTS: readonly Column[] = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'];
const PAYOUT = 'MerchantPayout';

const KINDS: Readonly<Record<string, PayoutEntryKind>> = {
  Settled: 'charge',
  Refunded: 'refund',
  RefundedReversed: 'refund',
  Chargeback: 'dispute',
  SecondChargeback: 'dispute',
  ChargebackReversed: 'dispute',
  Fee: 'fee',
  MiscCosts: 'fee',
  PaymentCost: 'fee',
  InvoiceDeduction: 'fee',
};

/**
 * @param of the batch and the merchant account whose report was asked for
 * @returns null if the batch was not paid out: its balance was moved to the next one
 * @throws NoAnswer if the report is not this one, not complete, or not exact
 */
export function readSettlementReport(text: string, of: { batch: string; account: string }): ReadPayout | null {
  const rows = rowsOf(text);
  if (rows.length > MOST_ENTRIES) throw new NoAnswer(TOO_MANY);
  if (rows.some((row) => row['Batch Number'] !== of.batch || row['Merchant Account'] !== of.account)) {
    throw new NoAnswer('answer_to_another');
  }
  const [payout, ...others] = rows.filter((row) => row.Type === PAYOUT);
  if (payout === undefined) return null;
  const currency = payout['Net Currency'];
  const arrivalDate = /^\d{4}-\d\d-\d\d(?= )/.exec(payout['Creation Date'])?.[0];
  if (others.length > 0 || arrivalDate === undefined) throw new NoAnswer('unreadable');
  const amountCents = -netOf(payout, currency);
  const entries = rows.flatMap((row, number) => (row === payout ? [] : [entryOf(row, number, currency)]));
  const sum = entries.reduce((total, { netCents }) => total + netCents, 0);
  if (sum !== amountCents) throw new NoAnswer('sums_differ');
  return { status: 'paid', amountCents, currency, arrivalDate, entries };
}

function rowsOf(text: string): Row[] {
  const [head = [], ...lines] = readCsv(text) ?? [];
  const places = COLUMNS.map((column) => [column, head.indexOf(column)] as const);
  // A page to log in, for example.
  if (places.some(([, place]) => place < 0)) throw new NoAnswer('unreadable');
  return lines.map((line) => {
    if (line.length < head.length) throw new NoAnswer('unreadable');
    return Object.fromEntries(places.map(([column, place]) => [column, line[place]?.trim() ?? ''])) as Row;
  });
}

function entryOf(row: Row, number: number, currency: string): ReadPayoutEntry {
  const netCents = netOf(row, currency);
  const grossCents = netCents + feeOf(row, netCents, currency);
  return {
    // An ID with other characters would be dropped, and the sums with it.
    processorEntryId: `${row.Type.replace(/\W/g, '').slice(0, 80)}:${withoutDigits(row['Modification Reference'])}:${number}`,
    kind: KINDS[row.Type] ?? 'other',
    paymentId: row['Psp Reference'] || null,
    grossCents,
    feeCents: grossCents - netCents,
    netCents,
  };
}

/** Rows such as `Fee` have no gross amount. If the payment was in another currency, the fee is the sum of its parts. */
function feeOf(row: Row, netCents: number, currency: string): number {
  const hasGross = row['Gross Debit (GC)'] !== '' || row['Gross Credit (GC)'] !== '';
  if (!hasGross) return 0;
  if (row['Gross Currency'] === currency) {
    return minorOf(exact(row['Gross Credit (GC)']) - exact(row['Gross Debit (GC)']), currency) - netCents;
  }
  return minorOf(
    COSTS.reduce((total, column) => total + exact(row[column]), 0n),
    currency,
  );
}

function netOf(row: Row, currency: string): number {
  if (row['Net Currency'] !== currency) throw new NoAnswer('unreadable');
  return minorOf(exact(row['Net Credit (NC)']) - exact(row['Net Debit (NC)']), currency);
}

/** Amounts are exact in units of 10^-8. */
const SCALE = 8;

function exact(text: string): bigint {
  if (text === '') return 0n;
  const [, sign = '', whole, decimals = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new NoAnswer('unreadable');
  const units = BigInt(whole + decimals.padEnd(SCALE, '0'));
  return sign === '-' ? -units : units;
}

function minorOf(units: bigint, currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw new NoAnswer('unreadable');
  const step = 10n ** BigInt(SCALE - minorDigits(currency));
  if (units % step !== 0n) throw new NoAnswer('not_exact');
  return Number(units / step);
}

/** References of 16 digits could look like a card number, which is not stored. Of another form, such as a text: empty. */
function withoutDigits(reference: string): string {
  if (!/^[A-Z0-9]{16}$/.test(reference)) return '';
  return reference.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}
