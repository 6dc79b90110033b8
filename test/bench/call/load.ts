/**
 * The load generator, a separate process: receives calls and a rate, places the calls, and returns the result of each.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { MediaClock, PortRange } from '../../../src/local/softswitch/rtp/index.ts';
import { createSipAgent } from '../../../src/local/softswitch/sip/index.ts';
import { type CallPlan, type CallResult, clockOffsetMs, placeCall, type Surroundings } from './caller.ts';

export interface LoadOrder {
  calls: readonly CallPlan[];
  /** New calls per second. */
  rate: number;
}

/** The results, and the generator's own load: a busy generator measures itself. */
export interface LoadReport {
  results: CallResult[];
  /** Share of one processor. */
  cpuShare: number;
  /** Delay of its own timers, 99th percentile, which the figures may include. */
  heldUpMs: number;
}

const ADDRESS = '127.0.0.1';
const DELAY_RESOLUTION_MS = 5;
const around: Surroundings = {
  sip: await createSipAgent({ address: ADDRESS, port: 0, userAgent: 'ringkey-bench' }),
  ports: new PortRange({ address: ADDRESS, firstPort: 50_000, lastPort: 59_998 }),
  clock: new MediaClock(),
  address: ADDRESS,
};

process.on('message', (order) => {
  void run(order as LoadOrder).then((report) => process.send?.(report));
});
for (const end of ['SIGTERM', 'disconnect'] as const) process.on(end, () => process.exit(0));
process.send?.('ready');

async function run({ calls, rate }: LoadOrder): Promise<LoadReport> {
  const offsetMs = clockOffsetMs();
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  const placed = calls.map(async (plan, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * 1_000) / rate));
    return placeCall(around, plan, offsetMs);
  });
  const results = await Promise.all(placed);
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  const cpuShare = (user + system) / 1_000 / (performance.now() - startedAt);
  return { results, cpuShare, heldUpMs: delay.percentile(99) / 1e6 - DELAY_RESOLUTION_MS };
}
