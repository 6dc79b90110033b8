/**
 * `npm run bench:dashboard`: measures the heaviest list beside a floor of bare Fastify with the same query, on the same
 * PostgreSQL, in turns; then every page, and every list with each of its filters; then calls beside the page Now.
 * Prints figures, asserts nothing.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DATABASE_CONNECTIONS } from '../../../src/config/service-settings.ts';
import { parseId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { Child } from '../call/child.ts';
import { aimResult, spreadOf, inMs as stepsInMs, table } from '../call/figures.ts';
import { freePort } from '../call/stage.ts';
import type { LoadReport } from '../rest/load.ts';
import { type App, type Stage, setStage, startProduct } from '../rest/stage.ts';
import type { ListFloorOptions } from './floor.ts';
import { HEAVIEST, pagePath, type RequestedPage, requestedPages, type Visitor } from './pages.ts';
import { seedAccounts, signIn } from './seed.ts';
import { BIG_MERCHANT, EMPTY_MERCHANT, RARE_MERCHANT, SMALL_ACCOUNT } from './seed-tables.ts';
import { measureSteps } from './steps.ts';

const USAGE = `npm run bench:dashboard -- [options]

  --rows 1000000      charges; two sessions for each five of them, and so on
  --home DIR          keeps the database in this folder, and uses it again: --rows must be the same
  --only PATTERN      measures only pages whose list and filter match the regular expression
  --rounds 7          turns that the floor and the product take
  --answers 100       of each measurement of the heaviest list
  --each 40           of each other page
  --calls 8           one after the other, beside the page Now`;

/**
 * `firstByte`: the ratio of the product to the floor. `pageMs`: the 95th percentile of every list. `stepMs`: the time
 * until the page shows a step of a call.
 */
const AIMS = { firstByte: 3, pageMs: 200, stepMs: 300 };
const READY_LIMIT_MS = 60_000;
const LOAD_LIMIT_MS = 10 * 60_000;
const WARM_UP = 20;
/** The product needs more warm-up than the floor, which does less. */
const WARM_UP_HEAVIEST = 500;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    home: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    answers: { type: 'string', default: '100' },
    each: { type: 'string', default: '40' },
    calls: { type: 'string', default: '8' },
    help: { type: 'boolean', short: 'h' },
  },
});
const [rows, rounds, answers, each, calls] = [
  options.rows,
  options.rounds,
  options.answers,
  options.each,
  options.calls,
].map(Number) as [...[number, number, number, number, number]];

interface MeasuredPage extends RequestedPage {
  report: LoadReport;
  /** Number of rows on it; null if the response was no list. */
  found: number | null;
}

interface Measured {
  heaviest: Record<'floor' | 'product', LoadReport[]>;
  pages: MeasuredPage[];
}

type WithSteps = Measured & {
  /** Milliseconds for each step of the calls beside the page Now. */
  steps: number[];
};

async function runOnStage(): Promise<void> {
  const stage = await setStage(options.home ?? null);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stage.close().then(() => process.exit(1)));
  }
  let measured: Measured;
  try {
    measured = await measure(stage);
  } finally {
    await stage.close();
  }
  if (calls > 0) console.error('calls beside the page Now …');
  show({ ...measured, steps: calls > 0 ? await measureSteps(calls) : [] });
}

async function measure(stage: Stage): Promise<Measured> {
  // Its start creates the tables.
  const product = await startProduct(stage);
  await seedAccounts(stage.databaseUrl, rows);
  const cookie = await signIn(stage.databaseUrl, DEMO_ACCOUNT);
  const cookies: Record<Visitor, string> = {
    'small account': await signIn(stage.databaseUrl, SMALL_ACCOUNT),
    'limited to big': await signIn(stage.databaseUrl, DEMO_ACCOUNT, BIG_MERCHANT),
    'limited to rare': await signIn(stage.databaseUrl, DEMO_ACCOUNT, RARE_MERCHANT),
    'limited to empty': await signIn(stage.databaseUrl, DEMO_ACCOUNT, EMPTY_MERCHANT),
  };
  const path = pagePath('charges', HEAVIEST);
  const floor = await startListFloor(stage, await htmlOf(product, path, cookie));
  const load = ({ port }: App, count: number, request: string) =>
    stage.generator.ask<LoadReport>(
      { port, connections: 1, requests: [request], until: { answers: count } },
      LOAD_LIMIT_MS,
    );
  const heaviest: Measured['heaviest'] = { floor: [], product: [] };
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? 'warming up …' : `heaviest list: round ${round} of ${rounds} …`);
    const count = round === 0 ? WARM_UP_HEAVIEST : answers;
    const found = {
      floor: await load(floor, count, request('/charges', null)),
      product: await load(product, count, request(path, cookie)),
    };
    if (round === 0) continue;
    heaviest.floor.push(found.floor);
    heaviest.product.push(found.product);
  }
  const pages: MeasuredPage[] = [];
  const only = new RegExp(options.only);
  for (const page of requestedPages(rows).filter(({ list, by }) => only.test(`${list}, ${by}`))) {
    console.error(`${page.list}, ${page.by} …`);
    const by = page.visitor ? cookies[page.visitor] : cookie;
    const count = /id="results" data-count="(\d+)"/.exec(await htmlOf(product, page.path, by))?.[1];
    const found = count === undefined ? null : Number(count);
    await load(product, Math.min(WARM_UP, each), request(page.path, by));
    const report = await load(product, each, request(page.path, by));
    // Also here, so that a run that is interrupted has figures.
    console.error(`  median ${inMs(report.latencyMs.p50)}, 95th percentile ${inMs(report.latencyMs.p95)}`);
    pages.push({ ...page, found, report });
  }
  return { heaviest, pages };
}

/** A whole request as bytes on the wire. */
function request(path: string, cookie: string | null): string {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...(cookie === null ? [] : [`Cookie: ${cookie}`])];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

async function htmlOf({ port }: App, path: string, cookie: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie }, redirect: 'manual' });
  const html = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${html.slice(0, 2_000)}`);
  return html;
}

async function startListFloor(stage: Stage, html: string): Promise<App> {
  const htmlFile = join(stage.home, 'charges.html');
  await writeFile(htmlFile, html);
  const port = await freePort();
  const options: ListFloorOptions = {
    databaseUrl: stage.databaseUrl,
    port,
    poolSize: DATABASE_CONNECTIONS,
    htmlFile,
    filter: {
      after: null,
      before: null,
      orderId: null,
      callers: null,
      platformCallId: null,
      sessionId: null,

      status: 'failed',
      merchantId: parseId('Merchant', HEAVIEST.merchant_id),
      lastFour: HEAVIEST.last_four,
      needsSettling: false,
      needsAttention: false,
      countedAs: null,
      declineCode: null,
    },
  };
  const child = new Child(fileURLToPath(new URL('floor.js', import.meta.url)), [JSON.stringify(options)], {});
  stage.apps.add(child);
  await child.hear(READY_LIMIT_MS);
  return { child, port };
}

const medianOf = (values: readonly number[]) => spreadOf(values).median;
const inMs = (value: number) => `${value.toFixed(1)} ms`;
const result = (isMet: boolean) => (isMet ? 'met' : 'MISSED');

function show({ heaviest, pages, steps }: WithSteps): void {
  const median = (reports: LoadReport[]) => inMs(medianOf(reports.map(({ latencyMs }) => latencyMs.p50)));
  const figures = [
    ['heaviest list: charges by status, merchant and card', 'floor: same query, HTML', 'product'],
    ['answer, median', median(heaviest.floor), median(heaviest.product)],
    ['not answered with 200', String(failures(heaviest.floor)), String(failures(heaviest.product))],
  ];
  const floorMs = medianOf(heaviest.floor.map(({ latencyMs }) => latencyMs.p50));
  const floorP95Ms = medianOf(heaviest.floor.map(({ latencyMs }) => latencyMs.p95));
  const lists = [
    ['page', 'by', 'rows', 'median', '95th percentile', 'median to the floor', ''],
    ['floor', 'query of the heaviest list', '20', inMs(floorMs), inMs(floorP95Ms), '1.00 ×', ''],
    ...pages.map(({ list, by, found, report: { latencyMs, failed } }) => [
      list,
      by,
      found === null ? '–' : String(found),
      inMs(latencyMs.p50),
      inMs(latencyMs.p95),
      `${(latencyMs.p50 / floorMs).toFixed(2)} ×`,
      result(failed === 0 && latencyMs.p95 < AIMS.pageMs),
    ]),
  ];
  // Round by round, because other work on the machine changes between rounds.
  const ratios = heaviest.product.map(({ latencyMs }, round) => {
    const floor = heaviest.floor[round];
    return floor === undefined ? null : latencyMs.p50 / floor.latencyMs.p50;
  });
  const firstByte = spreadOf(ratios).median;
  const slowest = pages.toSorted((one, other) => other.report.latencyMs.p95 - one.report.latencyMs.p95)[0];
  const aims = [
    ['aim', 'measured', '', ''],
    [
      'answer of the heaviest list, to the floor',
      `${firstByte.toFixed(2)} ×`,
      `≤ ${AIMS.firstByte} ×`,
      aimResult(firstByte, AIMS.firstByte),
    ],
    [
      `95th percentile of the slowest page (${slowest?.list}, ${slowest?.by})`,
      inMs(slowest?.report.latencyMs.p95 ?? Number.NaN),
      `< ${AIMS.pageMs} ms`,
      result((slowest?.report.latencyMs.p95 ?? Number.NaN) < AIMS.pageMs),
    ],
    [
      'step of a call, until it is on the page Now, median / p95',
      stepsInMs(spreadOf(steps)),
      `≤ ${AIMS.stepMs} ms`,
      aimResult(spreadOf(steps).p95, AIMS.stepMs),
    ],
    ['list pages not answered with 200', String(failures(pages.map(({ report }) => report))), '0', ''],
  ];
  const head = `${rows.toLocaleString('en')} charges; load of the machine ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`;
  console.log(`\n${head}\n\n${table(figures)}\n\n${table(lists)}\n\n${table(aims)}\n`);
}

const failures = (reports: readonly LoadReport[]) => reports.reduce((sum, { failed }) => sum + failed, 0);

if (options.help) console.log(USAGE);
else await runOnStage();
