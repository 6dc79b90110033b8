/** Reads PromQL by the grammar of Prometheus's own editor. */
import { parser } from '@prometheus-io/lezer-promql';

interface PromQuery {
  /** Metric names as written: with `_bucket`, `_sum` and `_count`. */
  metrics: string[];
  /** Labels that the query selects or groups by. */
  labels: string[];
}

/** @throws for a syntax error, with the text after it */
export function readPromQuery(text: string): PromQuery {
  const found: PromQuery = { metrics: [], labels: [] };
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`syntax error at "${text.slice(from, from + 40)}" in: ${text}`);
      if (type.name === 'Identifier') found.metrics.push(text.slice(from, to));
      if (type.name === 'LabelName') found.labels.push(text.slice(from, to));
    },
  });
  return found;
}

export interface MetricFamily {
  type: string;
  help: string;
  /** Of its samples; empty without a sample. */
  labels: Set<string>;
}

/** The metrics in the text that Prometheus reads. */
export function readMetricFamilies(text: string): Map<string, MetricFamily> {
  const families = new Map<string, MetricFamily>();
  let current: MetricFamily = { type: '', help: '', labels: new Set() };
  for (const line of text.split('\n')) {
    const [, help, name = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? [];
    if (help === 'HELP') {
      current = { type: '', help: rest, labels: new Set() };
      families.set(name, current);
    } else if (help === 'TYPE') current.type = rest;
    else for (const [, label = ''] of line.matchAll(/[{,](\w+)="/g)) current.labels.add(label);
  }
  return families;
}

/** The metric that a name in a query belongs to. */
export function familyNamed(name: string, families: ReadonlyMap<string, MetricFamily>): MetricFamily | undefined {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return families.get(name) ?? (families.get(base)?.type === 'histogram' ? families.get(base) : undefined);
}
