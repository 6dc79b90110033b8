/** Runs the app under load, with a proxy to its database, and kills it between two packets. */
import { expect } from 'vitest';
import { insertKey } from '../../src/db/keys/keys.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { eventually } from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import type { Random } from '../support/random.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { agePendingCharges, countConnections, countPendingChanges, countPendingCharges } from './charge-audit.ts';
import { ENCRYPTION_KEY, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const APPLICATION = 'ringkey-chaos';
const SETTLED_LIMIT_MS = 600_000;
const KEYS = [DEMO_KEY, ...[1, 2, 3, 4, 5].map((n) => `rk_test_chaos_${n}_0123456789abcdef`)];

export interface ChaosHarness {
  product: TestProduct;
  keys: readonly string[];
  /** Receives all webhooks from the start. */
  integrator: WebhookReceiver;
  redis: TcpProxy;
  /**
   * Kills the app (SIGKILL) under a load after this many packets between app and database. At random, Redis is flushed
   * or cut off during the load. Resolves when the process and its database connections are gone. @returns the result of
   * the load
   */
  killUnder<T>(startLoad: () => Promise<T>, atPacket: number, random: Random): Promise<T>;
  /** Waits until the resolver of the running app has settled every pending charge, capture and void. */
  settleAll(): Promise<void>;
  close(): Promise<void>;
}

export async function startChaosHarness(): Promise<ChaosHarness> {
  let left = Number.POSITIVE_INFINITY;
  let act: () => 'pass' | 'lose' = () => 'pass';
  const record = await startTcpProxy(() => {
    left -= 1;
    return left !== 0 || act() === 'pass';
  });
  const redis = await startTcpProxy();
  const product = await startProduct(({ databaseUrl, redisUrl }) => ({
    RINGKEY_ROLES: 'api,worker',
    RINGKEY_SYNTHESIZER: 'none',
    RINGKEY_LOG_LEVEL: 'error',
    RINGKEY_ENCRYPTION_KEYS: ENCRYPTION_KEY,
    DATABASE_URL: `${record.forwardTo(databaseUrl)}?application_name=${APPLICATION}`,
    REDIS_URL: redis.forwardTo(redisUrl),
  }));
  const { database } = product.testDatabase;
  for (const key of KEYS) await insertKey(database, { accountId: DEMO_ACCOUNT, mode: 'test', key });
  const integrator = await startWebhookReceiver(database, { accountId: DEMO_ACCOUNT, mode: 'test' });
  const kill = async () => {
    await product.stop('SIGKILL');
    await eventually(SETTLED_LIMIT_MS, async () => expect(await countConnections(database, APPLICATION)).toBe(0));
  };
  return {
    product,
    keys: KEYS,
    integrator,
    redis,
    async killUnder(startLoad, atPacket, random) {
      const fate = random.oneIn(2) ? 'pass' : 'lose';
      const mischief = random.pick(['none', 'none', 'flush', 'cut', 'stall']);
      const dead = new Promise<void>((resolve, reject) => {
        act = () => {
          kill().then(resolve, reject);
          return fate;
        };
        left = atPacket;
      });
      const load = startLoad();
      if (mischief === 'flush') await product.testRedis.redis.flushdb();
      if (mischief === 'cut') redis.cut();
      if (mischief === 'stall') redis.stall();
      // If the app has ended by itself, no further packet would trigger the kill.
      await Promise.race([dead, product.endsByItself()]);
      return load;
    },
    async settleAll() {
      // Repeated, because the running app may leave more charges pending.
      await eventually(SETTLED_LIMIT_MS, async () => {
        await agePendingCharges(database);
        expect(await countPendingCharges(database)).toBe(0);
        expect(await countPendingChanges(database)).toBe(0);
      });
    },
    async close() {
      await product.close();
      await Promise.all([record.close(), redis.close(), integrator.close()]);
    },
  };
}
