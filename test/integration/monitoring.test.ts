/** docker/grafana and docker/prometheus: every query can be parsed, and names metrics that a running product has. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startProduct, type TestProduct } from '../support/product.ts';
import { familyNamed, type MetricFamily, readMetricFamilies, readPromQuery } from '../support/promql.ts';

const DOCKER = new URL('../../docker/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, DOCKER), 'utf8');

interface Dashboard {
  uid: string;
  title: string;
  panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[];
}
interface Alerts {
  groups: {
    name: string;
    rules: {
      alert: string;
      expr: string;
      labels: Record<string, string>;
      annotations: { summary: string };
    }[];
  }[];
}

const DASHBOARDS = readdirSync(new URL('grafana/', DOCKER))
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(read(`grafana/${name}`)) as Dashboard);
const ALERTS = (parse(read('prometheus/alerts.yaml')) as Alerts).groups.flatMap(({ rules }) => rules);

/** Grafana fills these in before Prometheus reads the query. */
const filledIn = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
const QUERIES: readonly (readonly [string, string])[] = [
  ...DASHBOARDS.flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      (panel.targets ?? []).map(({ expr }) => [`${title}: ${panel.title}`, filledIn(expr)] as const),
    ),
  ),
  ...ALERTS.map(({ alert, expr }) => [alert, expr] as const),
];
/** Prometheus adds these itself. */
const OF_PROMETHEUS = new Set(['up']);
const OWN_LABELS = new Set(['instance', 'job', 'le']);

let product: TestProduct;
let families: Map<string, MetricFamily>;

beforeAll(async () => {
  product = await startProduct();
  families = readMetricFamilies(await (await fetch(`${product.baseUrl}/metrics`)).text());
});
afterAll(() => product?.close());

test('every metric that a dashboard or an alert names exists in a running product', () => {
  const missing = QUERIES.flatMap(([place, expr]) =>
    readPromQuery(expr)
      .metrics.filter((name) => !OF_PROMETHEUS.has(name) && familyNamed(name, families) === undefined)
      .map((name) => `${place}: ${name}`),
  );
  expect(QUERIES.length).toBeGreaterThan(60);
  expect(missing).toEqual([]);
});

test('every label that a query uses is one of the metric, as far as it has samples', () => {
  const unknown = QUERIES.flatMap(([place, expr]) => {
    const { metrics, labels } = readPromQuery(expr);
    const used = metrics.map((name) => familyNamed(name, families)).filter((family) => family !== undefined);
    const known = new Set(used.flatMap((family) => [...family.labels]));
    const isSampled = used.length > 0 && used.every((family) => family.labels.size > 0);
    return isSampled
      ? labels.filter((label) => !OWN_LABELS.has(label) && !known.has(label)).map((label) => `${place}: ${label}`)
      : [];
  });
  expect(unknown).toEqual([]);
});

test('every metric of ours has a help text that is a sentence', () => {
  const ours = [...families].filter(([name]) => name.startsWith('ringkey_'));
  expect(ours.length).toBeGreaterThan(30);
  expect(ours.filter(([, { help }]) => !/^[A-Z].{15,}\.$|^[A-Z].{15,}: .+$/.test(help)).map(([name]) => name)).toEqual(
    [],
  );
});

test('a statement that a query names is a prepared statement of the product', () => {
  const names = QUERIES.flatMap(([, expr]) => [...expr.matchAll(/statement="(\w+)"/g)].map(([, name = '']) => name));
  const source = readdirSync(new URL('../src/db/', DOCKER), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(new URL(`../src/db/${file}`, DOCKER), 'utf8'))
    .join('\n');
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !source.includes(`name: '${name}'`))).toEqual([]);
});

test('dashboards and alerts have names of their own, and an alert says how urgent it is', () => {
  const isUnique = (names: readonly (string | number)[]) => new Set(names).size === names.length;
  expect(isUnique(DASHBOARDS.map(({ uid }) => uid))).toBe(true);
  for (const { panels } of DASHBOARDS) expect(isUnique(panels.map(({ id }) => id))).toBe(true);
  expect(isUnique(ALERTS.map(({ alert }) => alert))).toBe(true);
  expect(ALERTS.filter(({ labels }) => !['page', 'ticket'].includes(labels.severity ?? ''))).toEqual([]);
  expect(ALERTS.filter(({ annotations }) => !annotations.summary)).toEqual([]);
});

test.each(['sum(rate(ringkey_calls_total[5m])', 'rate(ringkey_calls_total[5x])', 'a + + by (b)'])(
  'the check finds the syntax error in %s',
  (expr) => {
    expect(() => readPromQuery(expr)).toThrow(/syntax error/);
  },
);
