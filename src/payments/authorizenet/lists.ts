/**
 * Authorize.net's lists of transactions (developer.authorize.net/api/reference, "Transaction Reporting"): one of those that
 * are not settled yet, and one for each settled batch. They cannot be filtered by our reference.
 */
import { z } from 'zod';
import { type AuthorizeNet, RequestRejected } from './client.ts';
import { DETAILS, type Details, SUMMARY, type Summary } from './transactions.ts';

/** The maximum of both lists. */
const PAGE = 1_000;
/** The longest period of getSettledBatchList. */
const BATCHES_MS = 31 * 24 * 3_600_000;
/** Not later than this in the future, so that a clock that is behind leaves no batch out. */
const AHEAD_MS = 24 * 3_600_000;

const TRANSACTIONS = z.object({ transactions: z.array(SUMMARY).nullish() });
const BATCHES = z.object({
  batchList: z.array(z.object({ batchId: z.string(), settlementTimeUTC: z.iso.datetime() })).nullish(),
});

type Observe = ((answer: Pick<Response, 'headers'>) => void) | undefined;

/** @throws RequestRejected if there is none */
export async function readDetails(api: AuthorizeNet, transId: string): Promise<Details> {
  const { transaction } = await api.ask('getTransactionDetails', DETAILS, { body: { transId } });
  return transaction;
}

/**
 * All transactions since `from`, the unsettled ones first, so that one that is settled meanwhile is in the second list.
 * @param now until when batches can have been settled
 */
export async function* transactionsSince(
  api: AuthorizeNet,
  from: Date,
  now: Date,
  onAnswer?: Observe,
): AsyncIterable<Summary> {
  yield* since(from, pages(api, 'getUnsettledTransactionList', {}, onAnswer));
  const until = now.getTime() + AHEAD_MS;
  for (let start = from.getTime(); start < until; start += BATCHES_MS) {
    const end = new Date(Math.min(start + BATCHES_MS, until));
    for (const { batchId, settlementTimeUTC } of await batchesBetween(api, new Date(start), end)) {
      // It was settled before the first transaction of interest was made.
      if (new Date(settlementTimeUTC) < from) continue;
      yield* since(from, pages(api, 'getTransactionList', { batchId }, onAnswer));
    }
  }
}

/** The items of a list that is in descending order, until they are older than `from`. */
async function* since(from: Date, items: AsyncIterable<Summary>): AsyncIterable<Summary> {
  for await (const item of items) {
    if (new Date(item.submitTimeUTC) < from) return;
    yield item;
  }
}

async function* pages(api: AuthorizeNet, name: string, filter: object, onAnswer: Observe): AsyncIterable<Summary> {
  for (let offset = 1; ; offset += 1) {
    const sorting = { orderBy: 'submitTimeUTC', orderDescending: true };
    const body = { ...filter, sorting, paging: { limit: PAGE, offset } };
    const { transactions } = await api.ask(name, TRANSACTIONS, { body, onAnswer });
    yield* transactions ?? [];
    if ((transactions?.length ?? 0) < PAGE) return;
  }
}

async function batchesBetween(api: AuthorizeNet, first: Date, last: Date) {
  const body = {
    includeStatistics: false,
    firstSettlementDate: secondsOf(first),
    lastSettlementDate: secondsOf(last),
  };
  const { batchList } = await api.ask('getSettledBatchList', BATCHES, { body });
  return batchList ?? [];
}

const secondsOf = (time: Date) => time.toISOString().replace(/\.\d+Z$/, 'Z');

/** Null if Authorize.net has no such transaction. */
export async function detailsOrNull(api: AuthorizeNet, transId: string): Promise<Details | null> {
  try {
    return await readDetails(api, transId);
  } catch (error) {
    if (error instanceof RequestRejected && NO_TRANSACTION.includes(error.code)) return null;
    throw error;
  }
}

/** E00013: not the form of an ID. */
const NO_TRANSACTION = ['E00040', 'E00013'];
