/**
 * `npm run bench:charge [-- --charges 2000]`: measures the product's part of sequential charges of a saved card on a
 * durable PostgreSQL: all rules and writes, without HTTP and the processor, which answers immediately here. Prints the
 * median and its target; asserts nothing.
 */
import { parseArgs } from 'node:util';
import type { Database } from '../../../src/db/pool.ts';
import { aimResult, inMs, spreadOf, table } from '../call/figures.ts';
import { charge, chargeDeps, onDatabase, openSessions } from './charges.ts';

const AIM_MS = 5;
const WARM_UP = 200;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function measure(database: Database, charges: number): Promise<void> {
  const deps = chargeDeps(database);
  const times: number[] = [];
  for (const sessionId of await openSessions(database, WARM_UP + charges)) {
    times.push(await timed(() => charge(deps, sessionId)));
  }
  show(spreadOf(times.slice(WARM_UP)), charges);
}

function show(ours: ReturnType<typeof spreadOf>, charges: number): void {
  console.log(`\n${charges} charges one after the other; median / 95th percentile: ${inMs(ours)}\n`);
  const rows = [
    ['aim', 'measured', '', ''],
    ['our share of a charge, median', `${ours.median.toFixed(2)} ms`, `≤ ${AIM_MS} ms`, aimResult(ours.median, AIM_MS)],
  ];
  console.log(`${table(rows)}\n`);
}

const { values } = parseArgs({ options: { charges: { type: 'string', default: '2000' } } });
const charges = Number(values.charges);
if (!Number.isInteger(charges) || charges < 1) throw new Error(`--charges ${values.charges}: invalid`);
await onDatabase((database) => measure(database, charges));
