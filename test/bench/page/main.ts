/**
 * `npm run bench:page`: measures the pay page and `send_link` beside a floor of bare Fastify and one statement, on the
 * same PostgreSQL, in turns; then the page in a phone's browser beside a static page of the same bytes. Prints figures,
 * asserts nothing.
 */
import { parseArgs } from 'node:util';
import { endTestBrowser, startTestBrowser } from '../../support/browser.ts';
import { inKb, inMs, spreadOf, table } from '../call/figures.ts';
import type { LoadOrder, LoadReport } from '../rest/load.ts';
import { type App, type Stage, setStage, startProduct } from '../rest/stage.ts';
import { createSession, type Integrator, linkOf, makeIntegrators, request, startPageFloor } from './stage.ts';
import { type Visit, visit } from './visits.ts';
import { measureWaits, type Waits } from './waits.ts';

const USAGE = `npm run bench:page -- [options]

  --rounds 5          turns that the floor and the product take
  --answers 400       of each measurement
  --connections 16    requests for texts under way at once
  --texts 100         texts and opened pages, one after the other
  --profile DIR       write the product's CPU profile there`;

const AIMS = {
  firstByte: 2,
  sendLink: 0.5,
  bytes: 30 * 1024,
  requests: 3,
  layoutShift: 0.02,
  largestPaint: 1.2,
  waitMs: 300,
};
const INTEGRATORS = 100;
const LOAD_LIMIT_MS = 10 * 60_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    answers: { type: 'string', default: '400' },
    connections: { type: 'string', default: '16' },
    texts: { type: 'string', default: '100' },
    profile: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const [rounds, answers, connections] = [Number(options.rounds), Number(options.answers), Number(options.connections)];
const texts = Number(options.texts);

interface Measured {
  reports: Record<Kind, LoadReport[]>;
  visits: Record<'page' | 'still', Visit[]>;
  waits: Waits;
}

/** `select` and `insert` are the floor's, `page` and `link` the product's. */
const KINDS = ['select', 'page', 'insert', 'link'] as const;
type Kind = (typeof KINDS)[number];

async function runOnStage(): Promise<void> {
  const stage = await setStage();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stage.close().then(() => process.exit(1)));
  }
  try {
    show(await measure(stage));
  } finally {
    await stage.close();
  }
}

async function measure(stage: Stage): Promise<Measured> {
  const product = await startProduct(stage, { profileFolder: options.profile ?? null });
  const integrators = await makeIntegrators(stage, INTEGRATORS);
  const integratorAt = (at: number) => integrators[at % INTEGRATORS] as Integrator;
  const path = await linkOf(product, integratorAt(0), await createSession(product, integratorAt(0), 0));
  const pageUrl = `http://127.0.0.1:${product.port}${path}`;
  const { browser, close } = await startTestBrowser();
  try {
    const { bytes } = await visit(browser, pageUrl);
    const floor = await startPageFloor(stage, await (await fetch(pageUrl)).text(), bytes);
    const reports = await underLoad({ stage, product, floor, integratorAt, path });
    const visits: Measured['visits'] = { page: [], still: [] };
    for (let round = 1; round <= rounds; round += 1) {
      console.error(`browser: round ${round} of ${rounds} …`);
      visits.page.push(await visit(browser, pageUrl));
      visits.still.push(await visit(browser, `http://127.0.0.1:${floor.port}/pages/page`));
    }
    console.error('texts and opened pages …');
    const withWorker = await startProduct(stage, { roles: 'api,worker' });
    const firstAt = (rounds + 1) * answers + 1;
    return { reports, visits, waits: await measureWaits(stage, withWorker, integratorAt, { count: texts, firstAt }) };
  } finally {
    await close();
    await endTestBrowser();
  }
}

interface Load {
  stage: Stage;
  product: App;
  floor: App;
  integratorAt: (at: number) => Integrator;
  path: string;
}

/** A session is texted about only once, so each round has new sessions. */
async function underLoad({ stage, product, floor, integratorAt, path }: Load): Promise<Measured['reports']> {
  const reports: Measured['reports'] = { select: [], page: [], insert: [], link: [] };
  const load = ({ port }: App, atOnce: number, requests: string[]) => {
    const order: LoadOrder = { port, connections: atOnce, requests, until: { answers: requests.length } };
    return stage.generator.ask<LoadReport>(order, LOAD_LIMIT_MS);
  };
  const repeated = (text: string) => Array.from({ length: answers }, () => text);
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? 'warming up …' : `requests: round ${round} of ${rounds} …`);
    const sessions: string[] = [];
    for (let at = 1; at <= answers; at += 1)
      sessions.push(await createSession(product, integratorAt(at), round * answers + at));
    const bodyOf = (id: string) => ({ checkout_session_id: id });
    const found: Record<Kind, LoadReport> = {
      select: await load(floor, 1, repeated(request('GET', '/pages/page', null, null))),
      page: await load(product, 1, repeated(request('GET', path, null, null))),
      insert: await load(
        floor,
        connections,
        sessions.map((id) => request('POST', '/texts', null, bodyOf(id))),
      ),
      link: await load(
        product,
        connections,
        sessions.map((id, at) => request('POST', '/v1/send_link', integratorAt(at + 1).key, bodyOf(id))),
      ),
    };
    if (round > 0) for (const kind of KINDS) reports[kind].push(found[kind]);
  }
  return reports;
}

const medianOf = (values: readonly number[]) => spreadOf(values).median;
const speedOf = ({ answers: all, failed, seconds }: LoadReport) => (all - failed) / seconds;

/** Round by round, because other work on the machine changes between rounds. */
function ratio<Of>(ours: readonly Of[], floors: readonly Of[], figure: (of: Of) => number): number {
  const ratios = ours.map((one, round) => {
    const floor = floors[round];
    return floor === undefined ? null : figure(one) / figure(floor);
  });
  return spreadOf(ratios).median;
}

function show({ reports, visits, waits }: Measured): void {
  const row = (name: string, of: (all: LoadReport[]) => string) => [name, ...KINDS.map((kind) => of(reports[kind]))];
  const figures = [
    ['', 'floor: SELECT, HTML', 'pay page', 'floor: INSERT', 'send_link'],
    row('latency in ms, median', (all) => medianOf(all.map(({ latencyMs }) => latencyMs.p50)).toFixed(2)),
    row('requests per second', (all) => medianOf(all.map(speedOf)).toFixed(0)),
    row('answers other than 200', (all) => String(all.reduce((sum, { failed }) => sum + failed, 0))),
  ];
  const paint = (all: Visit[]) => `${medianOf(all.map(({ largestPaintMs }) => largestPaintMs)).toFixed(0)} ms`;
  const browser = [
    ['on slow 3G', 'pay page', 'static page'],
    ['largest paint, median', paint(visits.page), paint(visits.still)],
  ];
  const waited = [
    ['one at a time, median / 95th percentile', ''],
    ['text queued until the request to its carrier', inMs(spreadOf(waits.textSent))],
    ['page opened until a live call has the news', inMs(spreadOf(waits.openedNews))],
  ];
  const most = (figure: (of: Visit) => number) => Math.max(...visits.page.map(figure));
  const result = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  const atMost = (name: string, value: number, aim: number, text: (value: number) => string) => {
    return [name, text(value), `≤ ${text(aim)}`, result(value <= aim)];
  };
  const milliseconds = (value: number) => `${value.toFixed(0)} ms`;
  const times = (value: number) => `${value.toFixed(2)} ×`;
  const speed = ratio(reports.link, reports.insert, speedOf);
  const firstByte = ratio(reports.page, reports.select, ({ latencyMs }) => latencyMs.p50);
  const largestPaint = ratio(visits.page, visits.still, ({ largestPaintMs }) => largestPaintMs);
  const aims = [
    ['aim', 'measured', '', ''],
    atMost('response time of the page / SELECT floor', firstByte, AIMS.firstByte, times),
    ['send_link per second / INSERT floor', times(speed), `≥ ${times(AIMS.sendLink)}`, result(speed >= AIMS.sendLink)],
    atMost('largest paint / static page', largestPaint, AIMS.largestPaint, times),
    atMost(
      'assets',
      most(({ bytes }) => bytes),
      AIMS.bytes,
      inKb,
    ),
    atMost(
      'requests',
      most(({ requests }) => requests),
      AIMS.requests,
      String,
    ),
    atMost(
      'layout shift',
      most(({ layoutShift }) => layoutShift),
      AIMS.layoutShift,
      (value) => value.toFixed(3),
    ),
    atMost('text leaves, 95th percentile', spreadOf(waits.textSent).p95, AIMS.waitMs, milliseconds),
    atMost('news of an opened page, 95th percentile', spreadOf(waits.openedNews).p95, AIMS.waitMs, milliseconds),
  ];
  console.log(
    `\nMedians over the rounds\n\n${table(figures)}\n\n${table(browser)}\n\n${table(waited)}\n\n${table(aims)}\n`,
  );
}

if (options.help) console.log(USAGE);
else await runOnStage();
