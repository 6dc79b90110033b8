/** Checks at the start that REDIS_URL has the form of what it leads to. */
import { Redis } from 'ioredis';
import { CannotStart } from '../start-error.ts';
import { connectRedis, type RedisConnection } from './connect.ts';
import { parseRedisUrl, type RedisTarget } from './redis-url.ts';

const LIMIT_MS = 3_000;
type Mode = 'standalone' | 'sentinel' | 'cluster';
const EXPECTED: Record<RedisTarget['kind'], Mode> = { single: 'standalone', sentinel: 'sentinel', cluster: 'cluster' };
const FORMS: Record<Mode, string> = {
  standalone: 'a single Redis server: write it as redis://host:6379',
  sentinel: 'a Redis Sentinel: write it as redis+sentinel://host:26379,host:26379/master-name',
  cluster: 'a node of a Redis Cluster: write it as redis+cluster://host:6379,host:6379',
};

/** Redis does not answer, or not yet. The message is the reason. */
export class RedisUnavailable extends Error {}

/**
 * @throws CannotStart if the URL has another form than what it leads to, or names a master that no Sentinel knows;
 * RedisUnavailable
 */
export async function checkRedis(url: string): Promise<void> {
  const target = parseRedisUrl(url);
  if (target === null) throw new CannotStart('REDIS_URL is malformed.');
  try {
    const mode = await firstAnswer(target, readMode);
    if (mode !== null && mode !== EXPECTED[target.kind]) throw new CannotStart(`REDIS_URL leads to ${FORMS[mode]}.`);
    if (target.kind === 'sentinel') await requireMaster(target);
    await askRedis(connectRedis(url, ONCE), (redis) => redis.exists('ringkey:ready'));
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw new RedisUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** For a lazy connection without retries: connects, asks, disconnects. @throws the error that explains a failure */
export async function askRedis<R extends RedisConnection, T>(redis: R, ask: (redis: R) => Promise<T>): Promise<T> {
  let cause: Error | undefined;
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.connect();
    return await ask(redis);
  } catch (error) {
    // The rejection itself says only that the connection is closed.
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}

const ONCE = { lazyConnect: true, retryStrategy: () => null, connectTimeout: LIMIT_MS, commandTimeout: LIMIT_MS };

/** Asks the listed servers one after the other. @throws the last error if none answers */
async function firstAnswer<T>(target: RedisTarget, ask: (redis: Redis) => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const server of serversOf(target)) {
    try {
      return await askRedis(server, ask);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function serversOf(target: RedisTarget): Redis[] {
  if (target.kind === 'single') return [new Redis(target.url, ONCE)];
  const { tls, ...credentials } = target.access;
  const password = target.kind === 'sentinel' ? target.sentinelPassword : undefined;
  const access = target.kind === 'sentinel' ? { ...(password !== undefined && { password }) } : credentials;
  return target.nodes.map((node) => new Redis({ ...ONCE, ...node, ...access, ...(tls && { tls }) }));
}

/** Valkey says `server_mode`. Null if the user may not ask. */
async function readMode(redis: Redis): Promise<Mode | null> {
  const facts = await redis.info('server').catch((error: Error) => {
    if (error.message.startsWith('NOPERM')) return '';
    throw error;
  });
  const [, mode] = /^(?:redis|server)_mode:(standalone|sentinel|cluster)\s*$/m.exec(facts) ?? [];
  return (mode as Mode | undefined) ?? null;
}

async function requireMaster(target: Extract<RedisTarget, { kind: 'sentinel' }>): Promise<void> {
  const address = await firstAnswer(target, (redis) =>
    redis.call('SENTINEL', 'get-master-addr-by-name', target.master),
  );
  if (address !== null) return;
  throw new CannotStart(`REDIS_URL names the master "${target.master}", which its Sentinels do not know.`);
}
