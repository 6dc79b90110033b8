/** The bench's options: the arguments after `npm run bench:scale --`. */
import { parseArgs } from 'node:util';

export interface ScaleOptions {
  /** More are placed if the faults take longer. */
  calls: number;
  /** New calls per second. */
  rate: number;
  /** Only faults whose name contains one of these words; empty: all. */
  only: readonly string[];
}

const USAGE = `npm run bench:scale -- [options]

  --calls 200      callers; more if the faults take longer
  --rate 0.5       new calls per second
  --only freeze    only faults whose name contains this word; can be repeated

Two SIP servers, two media servers, four phones, two api and two worker processes, Redis Sentinel, and PgBouncer if
RINGKEY_TEST_PGBOUNCER names it. While callers pay, each part in turn is killed, frozen for 5 s or drained. The engines
are the built-in ones, or with RINGKEY_ENGINE=external those in DRACHTIO_HOSTS and FREESWITCH_HOSTS, whose SIP ports
RINGKEY_BENCH_SIP_PORTS lists; these are frozen and drained, not killed.
Exit code 1 if a payment was told wrong, or a caller was in silence for more than 10 s.`;

/** The options; null if only help was requested, which is then printed. @throws if an option is unknown or invalid */
export function readScaleOptions(words: readonly string[]): ScaleOptions | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      calls: { type: 'string', default: '200' },
      rate: { type: 'string', default: '0.5' },
      only: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return null;
  }
  const [calls, rate] = [Number(values.calls), Number(values.rate)];
  if (!Number.isInteger(calls) || calls < 1 || calls > 10_000) throw new Error(`--calls ${values.calls}: invalid`);
  if (!(rate > 0 && rate <= 50)) throw new Error(`--rate ${values.rate}: invalid`);
  return { calls, rate, only: values.only };
}
