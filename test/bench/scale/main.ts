/**
 * `npm run bench:scale`: the whole service on one machine, several processes of each role. Callers pay while each part
 * is killed, frozen and drained in turn. Prints a table; exits with 1 if a payment was told wrong or a caller was left
 * in silence.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AudioSessions } from '../../../src/local/scripted-caller/audio.ts';
import { createPhrase, PromptLibrary } from '../../../src/local/scripted-caller/prompt-library.ts';
import { agentGreeting } from '../../../src/local/scripted-caller/voice-agent.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { countPendingCharges, countUndelivered } from '../../chaos/charge-audit.ts';
import { startWebhookReceiver } from '../../chaos/webhook-receiver.ts';
import { until } from '../../support/until.ts';
import { counted, table } from '../call/figures.ts';
import { audit, MAX_SILENCE_MS } from './audit.ts';
import { type CallRecord, payByPhone } from './caller.ts';
import { type Fault, faultsOf } from './faults.ts';
import { readScaleOptions, type ScaleOptions } from './options.ts';
import { type ScaleStage, setStage } from './stage.ts';

const SETTLED_LIMIT_MS = 300_000;
/** Between two faults. */
const PAUSE_MS = 6_000;

/** A fault that happened. Times are milliseconds since 1970. */
interface Happened {
  name: string;
  from: number;
  to: number;
  /** Null if it went as expected. */
  failure: string | null;
}

async function run(stage: ScaleStage, { calls, rate, only }: ScaleOptions): Promise<string[]> {
  const { database, engines, speechFolder, baseUrls } = stage;
  const webhooks = await startWebhookReceiver(database, { accountId: DEMO_ACCOUNT, mode: 'test' });
  const audio = new AudioSessions();
  const prompts = new PromptLibrary([speechFolder], [createPhrase('(the agent)', agentGreeting())]);
  const place = { audio, prompts, baseUrls, sipPorts: engines.sipPorts };
  const faults = faultsOf(stage).filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
  try {
    // The first call renders the sentences, and everything is compiled.
    await payByPhone(place, 0);
    let areFaultsOver = false;
    const making = makeAll(faults).finally(() => {
      areFaultsOver = true;
    });
    const isEnough = (placed: number) => placed >= calls && areFaultsOver;
    const stories = await placeAll(isEnough, rate, (at) => payByPhone(place, at));
    const happened = await making;
    await until(SETTLED_LIMIT_MS, async () => (await countPendingCharges(database)) === 0);
    await until(SETTLED_LIMIT_MS, async () => (await countUndelivered(database)) === 0);
    const wrong = [
      ...happened.flatMap(({ name, failure }) => (failure === null ? [] : [`${name}: ${failure}`])),
      ...(await audit(database, stories, webhooks)),
    ];
    show(stage, stories, happened, wrong);
    return wrong;
  } finally {
    await webhooks.close();
  }
}

/** Starts calls at a constant rate until there are enough, and waits for all. */
async function placeAll(
  isEnough: (placed: number) => boolean,
  rate: number,
  call: (at: number) => Promise<CallRecord>,
): Promise<CallRecord[]> {
  const started: Promise<CallRecord>[] = [];
  while (!isEnough(started.length)) {
    started.push(call(started.length));
    await delay(1_000 / rate);
  }
  return Promise.all(started);
}

/** One fault after the other, each after a pause. */
async function makeAll(faults: readonly Fault[]): Promise<Happened[]> {
  const happened: Happened[] = [];
  for (const { name, happen } of faults) {
    await delay(PAUSE_MS);
    const from = Date.now();
    console.error(`${name} …`);
    const failure = await happen().then(
      () => null,
      (error: Error) => error.message,
    );
    happened.push({ name, from, to: Date.now(), failure });
  }
  return happened;
}

function show(
  { engines, pooler, folder }: ScaleStage,
  stories: readonly CallRecord[],
  happened: readonly Happened[],
  wrong: readonly string[],
): void {
  const count = (isSo: (record: CallRecord) => boolean) => String(stories.filter(isSo).length);
  const last = ({ announced }: CallRecord) => announced.at(-1)?.what;
  console.log(`\nengines: ${engines.name}; ${pooler === null ? 'without' : 'with'} PgBouncer; Redis Sentinel`);
  console.log(
    `\n${table([
      ['callers', String(stories.length)],
      ['told that they paid', count((record) => last(record) === 'paid')],
      ['told not to pay again, outcome later', count((record) => last(record) === 'unsure')],
      ['told that nothing was charged, at last', count((record) => last(record) === 'nothing charged')],
      ['told nothing', count((record) => last(record) === undefined)],
      ['calls to the line', String(stories.flatMap(({ calls }) => calls).length)],
      ['how they ended', counted(stories.flatMap(({ calls }) => calls))],
      ['called more than once', count(({ calls }) => calls.length > 1)],
      ['longest silence', `${(Math.max(...stories.map(({ silence }) => silence.ms)) / 1_000).toFixed(1)} s`],
      [`in silence for more than ${MAX_SILENCE_MS / 1_000} s`, count(({ silence }) => silence.ms > MAX_SILENCE_MS)],
    ])}`,
  );
  console.log(
    `\n${table([['fault', 'at', 'took', 'longest silence meanwhile'], ...happened.map((one) => row(one, stories))])}`,
  );
  console.log(`\nwrong: ${wrong.length}${wrong.length > 0 ? `; logs in ${folder}` : ''}`);
  for (const what of wrong) console.log(`  ${what}`);
}

function row({ name, from, to, failure }: Happened, stories: readonly CallRecord[]): string[] {
  const within = stories.filter(({ silence }) => silence.from + silence.ms > from && silence.from < to);
  const longest = Math.max(0, ...within.map(({ silence }) => silence.ms));
  const took = `${((to - from) / 1_000).toFixed(1)} s`;
  return [
    name,
    new Date(from).toISOString().slice(11, 19),
    failure === null ? took : `${took}, failed`,
    within.length === 0 ? '-' : `${(longest / 1_000).toFixed(1)} s`,
  ];
}

const options = readScaleOptions(process.argv.slice(2));
if (options !== null) {
  const stage = await setStage();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stage.close(false).then(() => process.exit(1)));
  }
  let wrong: string[] = ['the bench failed'];
  try {
    wrong = await run(stage, options);
  } finally {
    await stage.close(wrong.length > 0);
  }
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
