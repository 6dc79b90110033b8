/**
 * Two processes of each role serve calls, REST clients and payers on the page, while processes are killed and stopped
 * at seeded moments and replaced. Then everything that was said, stored and sent is compared.
 *
 * `npm test` runs one seed with a few actions; `npm run system` runs four with many. RINGKEY_SYSTEM_SEEDS (`1,2,3`) and
 * RINGKEY_SYSTEM_ACTIONS set the seeds and the number of actions of each.
 */
import { expect, test } from 'vitest';
import { insertKey } from '../../src/db/keys/keys.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { TEST_ACCOUNTS, TEST_ROUTING_NUMBER } from '../../src/payments/sandbox/bank-accounts.ts';
import { TEST_CARDS } from '../../src/payments/sandbox/cards.ts';
import { startWebhookReceiver, type WebhookFailure, type WebhookReceiver } from '../chaos/webhook-receiver.ts';
import { collectWrittenTexts, findAccountData, findCardData, type WrittenText } from '../support/card-data-search.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { actSomehow } from './actions.ts';
import { auditSystem } from './audit.ts';
import { callTheLine, SCRIPTS_OF_CALLS } from './calls.ts';
import { makeFaults, planFaults } from './faults.ts';
import { Progress, runInLanes } from './lanes.ts';
import { connectNotifications } from './notifications.ts';
import type { SystemRun } from './run.ts';
import { makeEverythingDue, waitUntilSettled } from './settle.ts';
import { type SystemStage, startStage } from './stage.ts';
import { auditSums } from './sums.ts';

const SEEDS = (process.env.RINGKEY_SYSTEM_SEEDS ?? '1').split(',').map(Number);
const ACTIONS = Number(process.env.RINGKEY_SYSTEM_ACTIONS ?? 40);
/** At once. A call needs the most of a processor when it begins. */
const CALL_LANES = 4;
const REQUEST_LANES = 4;
const LEAST_CALLS = 4;
const ACTIONS_A_CALL = 10;
const LEAST_FAULTS = 4;
const ACTIONS_A_FAULT = 20;
const LIMIT_MS = 1_200_000 + ACTIONS * 20_000;
/** There are no more calls, so the others would only take time. */
const NEEDED_AT_THE_END = ['api-1', 'worker-1'];
/** Pending charges are made older at the end. */
const BEFORE_MS = 3_600_000;
/** One webhook in so many fails. */
const WEBHOOKS_A_FAILURE = 8;

test.each(SEEDS)(
  'two processes of each role, killed and replaced, keep every promise to callers, clients and merchants (seed %i)',
  async (seed) => {
    const stage = await startStage();
    let wrong = ['the run failed'];
    try {
      wrong = await runSystem(stage, seed);
    } finally {
      await stage.close(wrong.length > 0);
    }
    expect(wrong, `the logs are in ${stage.folder}`).toEqual([]);
  },
  LIMIT_MS,
);

/** @returns everything that is wrong, in words */
async function runSystem(stage: SystemStage, seed: number): Promise<string[]> {
  const { baseUrl, speechFolder, testDatabase, testRedis } = stage;
  const { database } = testDatabase;
  const random = seededRandom(seed);
  const keys = [DEMO_KEY, ...[1, 2, 3].map((n) => `rk_test_system_${n}_0123456789abcdef`)];
  for (const key of keys) await insertKey(database, { accountId: DEMO_ACCOUNT, mode: 'test', key });
  const bodies: string[] = [];
  let isServing = true;
  const webhooks = await startWebhookReceiver(
    database,
    { accountId: DEMO_ACCOUNT, mode: 'test' },
    { failure: () => (isServing ? failureOf(random) : null), onBody: (body) => bodies.push(body) },
  );
  const [calls, receipts] = [[], new Set<string>()];
  const run: SystemRun = {
    baseUrl,
    speechFolder,
    database,
    keys,
    charges: [],
    refunds: [],
    calls,
    receipts,
    unexpected: [],
  };
  const since = new Date(Date.now() - BEFORE_MS);
  try {
    await connectNotifications(run);
    const wrong = await actUnderFaults(stage, run, seed);
    isServing = false;
    wrong.push(...(await restart(stage)));
    await waitUntilSettled(database, testRedis.url);
    wrong.push(...(await auditSums(database, run, since)), ...(await auditSystem(database, run, webhooks)));
    wrong.push(...(await findDigits(stage, bodies)));
    report(run, webhooks);
    if (wrong.length > 0) console.error(wrong.join('\n'));
    return wrong;
  } finally {
    await webhooks.close();
  }
}

const failureOf = (random: Random): WebhookFailure | null =>
  random.oneIn(WEBHOOKS_A_FAILURE) ? random.pick(['before', 'after']) : null;

/** @returns what went wrong with the faults */
async function actUnderFaults({ parts }: SystemStage, run: SystemRun, seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const progress = new Progress(ACTIONS);
  const callCount = Math.max(LEAST_CALLS, Math.floor(ACTIONS / ACTIONS_A_CALL));
  // Each has its own numbers, so that it does the same however the others are timed.
  const actions = Array.from({ length: ACTIONS }, (_, place) => {
    const own = seededRandom(random.below(2 ** 31));
    const script = SCRIPTS_OF_CALLS[place % SCRIPTS_OF_CALLS.length] ?? 'pay';
    return async () => {
      progress.begin();
      const acting = place < callCount ? callTheLine(run, own, script) : actSomehow(run, own);
      // The others go on, so that the service is stopped only when nothing uses it.
      await acting.catch((error: Error) => run.unexpected.push(`an action failed: ${error.stack}`));
    };
  });
  const faults = planFaults(parts, Math.max(LEAST_FAULTS, Math.floor(ACTIONS / ACTIONS_A_FAULT)), random);
  const making = makeFaults(faults, (share) => progress.reached(share));
  const lanes = [
    runInLanes(CALL_LANES, actions.slice(0, callCount)),
    runInLanes(REQUEST_LANES, actions.slice(callCount)),
  ];
  const [wrong] = await Promise.all([making, ...lanes]);
  console.log(`system: seed ${seed}, ${ACTIONS} actions, ${callCount} of them calls`);
  console.log(`system: ${faults.map(({ part, signal }) => `${signal} ${part.name}`).join(', ')}`);
  return wrong;
}

/** Stops all processes, makes everything due, and starts some again. @returns those that did not stop */
async function restart({ parts, testDatabase }: SystemStage): Promise<string[]> {
  const ended = await Promise.all(parts.map(async (part) => ({ name: part.name, inTime: await part.end() })));
  await makeEverythingDue(testDatabase.database);
  await Promise.all(parts.filter(({ name }) => NEEDED_AT_THE_END.includes(name)).map((part) => part.start()));
  return ended.filter(({ inTime }) => !inTime).map(({ name }) => `${name} did not end after SIGTERM`);
}

/** Numbers of cards and bank accounts in logs, database, Redis and webhooks. */
async function findDigits(stage: SystemStage, bodies: readonly string[]): Promise<string[]> {
  const texts: WrittenText[] = [
    ...(await collectWrittenTexts({ ...stage, home: stage.folder, output: () => '' })),
    { place: 'the webhooks', text: bodies.join('\n') },
  ];
  // The welcome of the demo names the first card. Expiry and security code of the scripts are too common to be looked for.
  const cards = TEST_CARDS.slice(1).map(({ number }) => ({ number, expiry: number, securityCode: number }));
  const accounts = TEST_ACCOUNTS.map(({ accountNumber }) => ({ routingNumber: TEST_ROUTING_NUMBER, accountNumber }));
  const found = [...findCardData(texts, cards), ...findAccountData(texts, accounts)];
  return found.map(({ place, what }) => `${what} in ${place}`);
}

function report({ calls, charges, refunds, receipts }: SystemRun, { received }: WebhookReceiver): void {
  const twice = [...received.values()].filter((times) => times > 1).length;
  const expected = calls.filter(({ isAsExpected }) => isAsExpected).length;
  console.log(`system: ${calls.length} calls, ${expected} of them undisturbed; ${charges.length} answers to charges,`);
  console.log(`system: ${refunds.length} to refunds; ${receipts.size} receipts on the page`);
  console.log(`system: ${received.size} events received, ${twice} of them more than once`);
}
