/** Runs a fault test on a separate product, with proxies to its servers, and closes its callers afterwards. */
import { expect } from 'vitest';
import { eventually, listCharges } from '../../support/checkouts.ts';
import { type ServerUrls, startProduct, type TestProduct } from '../../support/product.ts';
import { cardKeys } from '../../support/sipp-calls.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { TestCaller, type TestCallerOptions } from '../../support/test-caller.ts';

export const external = process.env.RINGKEY_ENGINE === 'external';

/** Closes everything that was added, in reverse order. */
export class Cleanup {
  readonly #closers: (() => Promise<void>)[] = [];

  add<T extends { close(): Promise<void> }>(opened: T): T {
    this.#closers.push(() => opened.close());
    return opened;
  }

  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close();
  }
}

export interface FaultTest {
  product: TestProduct;
  /** Creates a caller with a checkout, who has not dialed yet. */
  newCaller(options?: TestCallerOptions): Promise<TestCaller>;
}

/** Plays only recorded prompts, because each product would otherwise render all prompts at its start. */
const QUIET_START = { RINGKEY_SYNTHESIZER: 'none' };

/** Runs `play` on a new product and closes everything afterwards. */
export async function withProduct(
  settings: Record<string, string> | ((servers: ServerUrls) => Record<string, string>),
  play: (faultTest: FaultTest) => Promise<void>,
): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const wishes = (servers: ServerUrls) => ({
      ...QUIET_START,
      ...(typeof settings === 'function' ? settings(servers) : settings),
    });
    const product = cleanup.add(await inTurn(() => startProduct(wishes)));
    await play({ product, newCaller: async (options) => cleanup.add(await TestCaller.create(product, options)) });
  } finally {
    await cleanup.close();
  }
}

const STARTS_AT_ONCE = 1;
const starts: Promise<unknown>[] = [];

/** Starts one product at a time, because a start keeps a core busy while other calls are on the line. */
function inTurn<T>(start: () => Promise<T>): Promise<T> {
  const before = starts.at(-STARTS_AT_ONCE) ?? Promise.resolve();
  const started = before.then(start);
  starts.push(started.catch(() => undefined));
  return started;
}

interface ProxiedFaultTest extends FaultTest {
  postgres: TcpProxy;
  redis: TcpProxy;
}

/** Like {@link withProduct}, with PostgreSQL and Redis behind proxies that can be cut. */
export async function withProxiedServers(play: (faultTest: ProxiedFaultTest) => Promise<void>): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const [postgres, redis] = await Promise.all([startTcpProxy(), startTcpProxy()]);
    cleanup.add(postgres);
    cleanup.add(redis);
    const settings = (servers: ServerUrls) => ({
      DATABASE_URL: postgres.forwardTo(servers.databaseUrl),
      REDIS_URL: redis.forwardTo(servers.redisUrl),
    });
    await withProduct(settings, (faultTest) => play({ ...faultTest, postgres, redis }));
  } finally {
    await cleanup.close();
  }
}

/**
 * Dials, enters a valid card during the greeting and expects to return to the agent as paid.
 * @param agent the caller whose agent `return_to` names
 * @param earlier how many calls have already returned to that agent
 */
export async function payByPhone(caller: TestCaller, agent = caller, earlier = 0): Promise<void> {
  await caller.dial();
  await caller.press(cardKeys('visa'));
  expect(await agent.outcomeHeaders(earlier)).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
  await caller.over;
}

/** Resolves when the session's charge is pending and has reached the sandbox; otherwise it would fail. */
export async function waitForPendingCharge({ testDatabase }: TestProduct, sessionId: string): Promise<void> {
  await eventually(180_000, async () => {
    const charges = await listCharges(testDatabase, sessionId);
    expect(charges).toMatchObject([{ status: 'pending' }]);
    const taken = 'select from sandbox_payments where reference = $1';
    expect((await testDatabase.database.query(taken, [charges[0]?.id])).rowCount).toBe(1);
  });
}

/** Resolves when the product is ready. */
export async function waitForReady({ baseUrl }: TestProduct, limitMs = 120_000): Promise<void> {
  await eventually(limitMs, async () => {
    const answer = await fetch(`${baseUrl}/readyz`);
    if (!answer.ok) throw new Error(`not ready: ${await answer.text()}`);
  });
}
