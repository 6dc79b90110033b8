/** The app under load, with a proxy before the record, so that it dies between two packets of our choice. */
import { expect } from 'vitest';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/standalone/demo-data.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import type { Random } from '../support/random.ts';
import { eventually } from '../support/checkouts.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { countConnections, agePendingCharges, countPendingCharges } from './charge-audit.ts';
import { ENCRYPTION_KEY, type WebhookReceiver, startWebhookReceiver } from './webhook-receiver.ts';

const APPLICATION = 'ringkey-chaos';
const SETTLED_LIMIT_MS = 60_000;
const KEYS = [DEMO_KEY, ...[1, 2, 3, 4, 5].map((n) => `rk_test_chaos_${n}_0123456789abcdef`)];

export interface ChaosHarness {
  product: TestProduct;
  keys: readonly string[];
  /** Told of everything from the start. */
  integrator: WebhookReceiver;
  redis: TcpProxy;
  /**
   * Kills the app (SIGKILL) under a load, which ends when nobody answers any more: at that many packets from its start on,
   * between our processes and the record. Meanwhile, as chance has it, Redis is emptied or taken away. In the end nothing of
   * the process is left, neither with us nor at the record. @returns what came of the load
   */
  killUnder<T>(startLoad: () => Promise<T>, atPacket: number, random: Random): Promise<T>;
  /** Every pending charge gets its outcome, by the resolver of a running app. */
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
    ...{ RINGKEY_ROLES: 'api,worker', RINGKEY_SYNTHESIZER: 'none', RINGKEY_LOG_LEVEL: 'error' },
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
      await dead;
      return load;
    },
    async settleAll() {
      // Also those that this app has left pending itself meanwhile.
      await eventually(SETTLED_LIMIT_MS, async () => {
        await agePendingCharges(database);
        expect(await countPendingCharges(database)).toBe(0);
      });
    },
    async close() {
      await product.close();
      await Promise.all([record.close(), redis.close(), integrator.close()]);
    },
  };
}
