/** The transactions of the fake Authorize.net: recorded, listed and settled in batches. */
import { type Answer, messages, now, Rejection, summaryOf, type Transaction } from './fake-authorizenet-answers.ts';
import type { Body } from './fake-authorizenet-requests.ts';

export class TransactionLedger {
  readonly all: Transaction[] = [];
  readonly #batches: { batchId: string; settlementTimeUTC: string }[] = [];
  readonly #settlesAtOnce: boolean;
  #last = 60_000_000;

  constructor(settlesAtOnce: boolean) {
    this.#settlesAtOnce = settlesAtOnce;
  }

  record(facts: Omit<Transaction, 'transId' | 'submitTimeUTC' | 'batchId'>): Transaction {
    const transaction = { ...facts, transId: this.newId(), submitTimeUTC: now(), batchId: null };
    this.all.push(transaction);
    return transaction;
  }

  credit(paid: Transaction, amount: number, order: { invoiceNumber: string; description: string }): Transaction {
    return this.record({
      transactionType: 'refundTransaction',
      transactionStatus: 'refundPendingSettlement',
      refTransId: paid.transId,
      reason: '1',
      ...order,
      amount,
      number: paid.number,
    });
  }

  find(transId: string): Transaction {
    const found = this.all.find((one) => one.transId === transId);
    if (found === undefined) throw new Rejection('E00040');
    return found;
  }

  referenced(transId: string): Transaction | undefined {
    if (!/^\d+$/.test(transId)) throw new Rejection('E00013');
    return this.all.find((one) => one.transId === transId);
  }

  duplicateOf(type: string, invoice: string, amount: string): Transaction | undefined {
    return this.all.find(
      (one) => one.transactionType === type && one.invoiceNumber === invoice && one.amount === Number(amount),
    );
  }

  batchOf({ batchId }: Transaction) {
    return this.#batches.find((batch) => batch.batchId === batchId);
  }

  list(batchId: string | null, { limit, offset }: { limit: number; offset: number }): Answer {
    const listed = this.all.filter((one) => one.batchId === batchId).reverse();
    const page = listed.slice((offset - 1) * limit, offset * limit).map(summaryOf);
    // An empty list is left out.
    if (page.length === 0) return { messages: messages('I00004', 'Ok') };
    return { messages: messages(), transactions: page, totalNumInResultSet: page.length };
  }

  batchesIn({ firstSettlementDate: first, lastSettlementDate: last }: Body<'getSettledBatchList'>): Answer {
    if (Date.parse(last) - Date.parse(first) > 31 * 86_400_000) throw new Rejection('E00013');
    const batchList = this.#batches.filter(({ settlementTimeUTC: at }) => at >= first && at <= last);
    return batchList.length === 0 ? { messages: messages('I00004', 'Ok') } : { messages: messages(), batchList };
  }

  settleIfAtOnce(): void {
    if (this.#settlesAtOnce) this.settle();
  }

  /** Captures can be refunded after it. Refunds stay pending until the next settlement. */
  settle(): void {
    const waiting = this.all.filter(({ batchId, transactionStatus }) =>
      batchId === null && !WAITING.includes(transactionStatus)
        ? transactionStatus !== 'refundPendingSettlement' || !this.#settlesAtOnce
        : false,
    );
    if (waiting.length === 0) return;
    const batchId = this.newId();
    for (const transaction of waiting) {
      transaction.batchId = batchId;
      transaction.transactionStatus = SETTLED[transaction.transactionStatus] ?? transaction.transactionStatus;
    }
    this.#batches.push({ batchId, settlementTimeUTC: now() });
  }

  newId(): string {
    this.#last += 1;
    return String(this.#last);
  }
}

const WAITING = ['authorizedPendingCapture', 'expired'];

const SETTLED: Readonly<Record<string, string>> = {
  capturedPendingSettlement: 'settledSuccessfully',
  refundPendingSettlement: 'refundSettledSuccessfully',
};
