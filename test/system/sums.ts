/** Compares every sum that the service shows with the sandbox's own amounts, to the cent. */
import { readDayFigures } from '../../src/db/alerts/day-figures.ts';
import type { Sql } from '../../src/db/pool.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { until } from '../support/until.ts';
import { type AnswerBody, request } from './requests.ts';
import type { SystemRun } from './run.ts';

const SCOPE = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
const DAY_MS = 86_400_000;
const CURRENCY = 'USD';

interface Sums {
  /** Payments that succeeded. */
  payments: number;
  grossCents: number;
  refundedCents: number;
}

/** Sums by the sandbox's amounts. Our charges only say which payments count. */
async function readSums(sql: Sql): Promise<Sums> {
  const { rows } = await sql.query<Sums>(
    `select count(*)::integer as payments, coalesce(sum(coalesce(p.captured_cents, p.amount_cents)), 0)::float8 as "grossCents",
            coalesce(sum(p.refunded_cents), 0)::float8 as "refundedCents"
       from sandbox_payments p join charges c on c.id = p.reference
      where p.status = 'succeeded' and c.status = 'succeeded' and p.amount_cents > 0`,
  );
  const [sums] = rows;
  if (sums === undefined) throw new Error('the sums are missing');
  return sums;
}

/** Payments whose payer has done everything, holds included. */
async function countApproved(sql: Sql): Promise<number> {
  const { rowCount } = await sql.query(
    `select from sandbox_payments p join charges c on c.id = p.reference
      where p.amount_cents > 0 and c.status in ('succeeded', 'authorized', 'voided', 'expired')`,
  );
  return rowCount ?? 0;
}

async function countSavedOnly(sql: Sql): Promise<number> {
  return (await sql.query(`select from charges where amount_cents = 0 and status = 'succeeded'`)).rowCount ?? 0;
}

/** @param since before the first charge. @returns differences, in words */
export async function auditSums(sql: Sql, run: SystemRun, since: Date): Promise<string[]> {
  const sums = await readSums(sql);
  const all = JSON.stringify(sums);
  const approved = await countApproved(sql);
  const totals = await readTotals(run);
  const statistics = await readStatistics(run, since);
  const shown: Record<string, Sums> = {
    // They also count cards that were only saved, as the list of charges does.
    'the totals': { ...totals, payments: totals.payments - (await countSavedOnly(sql)) },
    // They also count holds, which have taken nothing.
    'the statistics': { ...sums, ...statistics, payments: statistics.payments - approved + sums.payments },
    'the daily summary': await readSummaries(sql, since),
    'the CSV files': await readCsv(run),
  };
  return Object.entries(shown)
    .filter(([, theirs]) => JSON.stringify(theirs) !== all)
    .map(([where, theirs]) => `${where} say ${JSON.stringify(theirs)}, and the processor ${all}`);
}

async function readTotals(run: SystemRun): Promise<Sums> {
  const { totals: listed } = await read(run, '/v1/charges/totals?status=succeeded', ({ totals }) => totals !== null);
  const [totals] = listed as { gross_cents: number; refunded_cents: number; succeeded: number }[];
  return {
    payments: totals?.succeeded ?? 0,
    grossCents: totals?.gross_cents ?? 0,
    refundedCents: totals?.refunded_cents ?? 0,
  };
}

const COUNTED_LIMIT_MS = 180_000;

/** Until it is counted: on a busy machine, the database may take too long at first. */
async function read({ baseUrl }: SystemRun, path: string, isCounted = (_: AnswerBody) => true): Promise<AnswerBody> {
  let body: AnswerBody = {};
  await until(COUNTED_LIMIT_MS, async () => {
    const answer = await request(baseUrl + path);
    body = answer.body;
    return answer.status === 200 && isCounted(body);
  });
  return body;
}

interface Figures {
  payments: { currency: string; count: number; amount_cents: number }[];
}

/** The period must agree with its merchants and its days. */
async function readStatistics(run: SystemRun, since: Date): Promise<Pick<Sums, 'payments' | 'grossCents'>> {
  const answer = await read(run, `/v1/statistics?from=${since.toISOString()}`);
  const { period, days, merchants } = answer as unknown as { period: Figures; days: Figures[]; merchants: Figures[] };
  const sumOf = (figures: readonly Figures[]) => {
    const payments = figures.flatMap((each) => each.payments);
    return {
      payments: payments.reduce((sum, { count }) => sum + count, 0),
      grossCents: payments.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    };
  };
  const parts = [[period], days, merchants].map(sumOf);
  if (new Set(parts.map((part) => JSON.stringify(part))).size > 1) {
    run.unexpected.push(`the statistics of the period, its days and its merchants differ: ${JSON.stringify(parts)}`);
  }
  return sumOf([period]);
}

/** Of the days of the run, in UTC. */
async function readSummaries(sql: Sql, since: Date): Promise<Sums> {
  const sums: Sums = { payments: 0, grossCents: 0, refundedCents: 0 };
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  for (let time = since.getTime(); dayOf(time) <= dayOf(Date.now()); time += DAY_MS) {
    const { payments } = await readDayFigures(sql, SCOPE, dayOf(time), 'UTC');
    const ours = payments.find(({ currency }) => currency === CURRENCY);
    sums.payments += ours?.payments ?? 0;
    sums.grossCents += ours?.grossCents ?? 0;
    sums.refundedCents += ours?.refundedCents ?? 0;
  }
  return sums;
}

async function readCsv(run: SystemRun): Promise<Sums> {
  const charges = (await readRows(run, 'charges')).filter(
    ({ status, amount_cents }) => status === 'succeeded' && amount_cents !== '0',
  );
  const refunds = (await readRows(run, 'refunds')).filter(({ status }) => status === 'succeeded');
  return {
    payments: charges.length,
    grossCents: sumOf(charges.map((row) => row.captured_cents || row.amount_cents)),
    refundedCents: sumOf(refunds.map((row) => row.amount_cents)),
  };
}

const sumOf = (cents: readonly (string | undefined)[]) => cents.reduce((sum, each) => sum + Number(each), 0);

/** No cell of these columns contains a comma or a line break. */
async function readRows({ baseUrl }: SystemRun, list: string): Promise<Record<string, string>[]> {
  const text = await (await fetch(`${baseUrl}/dashboard/test/${list}.csv`)).text();
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
}
