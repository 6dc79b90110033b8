/** Connects to Redis: a single server, the master that Sentinels name, or a cluster. */
import type { Socket } from 'node:net';
import {
  AbstractConnector,
  Cluster,
  Redis,
  type RedisOptions,
  type SentinelConnectionOptions,
  SentinelConnector,
} from 'ioredis';
import { parseRedisUrl, type RedisTarget } from './redis-url.ts';

export type RedisConnection = Redis | Cluster;

/** Options of `ioredis`, which mean the same for every form of the URL. */
type ConnectionOptions = Pick<
  RedisOptions,
  | 'lazyConnect'
  | 'enableOfflineQueue'
  | 'maxRetriesPerRequest'
  | 'connectTimeout'
  | 'commandTimeout'
  | 'autoResubscribe'
> & { retryStrategy?: (times: number) => number | null };

const RETRY_MAX_MS = 2_000;
const retryDelayMs = (times: number) => Math.min(times * 50, RETRY_MAX_MS);
const SENTINEL_LIMIT_MS = 1_000;
/** How often a command that must not wait long follows a cluster in change, each time after 100 ms. */
const FEW_REDIRECTIONS = 3;
/** Finds a master that was replaced, even if it is frozen and its connections stay open. */
const CLUSTER_LOOK_MS = 5_000;

/**
 * Node 20 reports an error of a TLS socket even after an earlier error has destroyed it: an untrusted certificate, then
 * the server's alert that the handshake was broken off. The listeners of ioredis 6.0 are called once, so without this
 * one the second error stops the process.
 */
const { disconnect } = AbstractConnector.prototype;
AbstractConnector.prototype.disconnect = function disconnectWithListener(this: AbstractConnector) {
  const { stream } = this as unknown as { stream?: Socket };
  stream?.on('error', () => undefined);
  disconnect.call(this);
};

/** @throws Error for a malformed URL */
export function connectRedis(url: string, options: ConnectionOptions = {}): RedisConnection {
  const target = targetOf(url);
  return target.kind === 'cluster' ? connectCluster(target, options) : connectServer(target, options);
}

/**
 * For publish/subscribe: one connection, on a cluster to any of its nodes, which pass messages on to each other. The
 * subscriber of a `Cluster` does not report that its node is gone.
 */
export function connectForMessages(url: string, options: ConnectionOptions): Redis {
  const target = targetOf(url);
  if (target.kind !== 'cluster') return connectServer(target, options);
  const { nodes, access } = target;
  const { retryStrategy = retryDelayMs, ...others } = options;
  const redis = new Redis({
    ...access,
    ...nodes[0],
    ...others,
    retryStrategy(times) {
      Object.assign(redis.options, nodes[times % nodes.length]);
      return retryStrategy(times);
    },
  });
  return redis;
}

function targetOf(url: string): RedisTarget {
  const target = parseRedisUrl(url);
  if (target === null) throw new Error('malformed Redis URL');
  return target;
}

function connectServer(
  target: Exclude<RedisTarget, { kind: 'cluster' }>,
  { retryStrategy = retryDelayMs, ...options }: ConnectionOptions,
): Redis {
  if (target.kind === 'single') return new Redis(target.url, { ...options, retryStrategy });
  const { nodes, access, master, database, sentinelPassword } = target;
  return new Redis({
    ...access,
    ...(access.tls && { sentinelTLS: access.tls, enableTLSForSentinelMode: true }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    Connector: FailoverConnector,
    sentinels: nodes,
    name: master,
    db: database,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: SENTINEL_LIMIT_MS,
    // Leaves a master at once that is replaced, even if it is frozen and its connections stay open.
    failoverDetector: true,
    // A former master that has become a replica.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...options,
    retryStrategy,
  });
}

/**
 * In ioredis 6.0, a Sentinel's word of a new master that comes while the client is already connecting again ends the
 * client for good. So nothing listens for it then: each attempt asks the Sentinels anyway.
 */
class FailoverConnector extends SentinelConnector {
  /** @param options those of the client. The library declares them as unknown. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(...args: Parameters<SentinelConnector['connect']>): ReturnType<SentinelConnector['connect']> {
    // Of the connection before this one, which is closed: its subscriptions to the Sentinels are not.
    super.disconnect();
    return super.connect(...args);
  }
}

function connectCluster(
  { nodes, access }: Extract<RedisTarget, { kind: 'cluster' }>,
  options: ConnectionOptions,
): Cluster {
  const { retryStrategy = retryDelayMs, lazyConnect = false, enableOfflineQueue = true, ...others } = options;
  return new Cluster(nodes, {
    clusterRetryStrategy: retryStrategy,
    lazyConnect,
    enableOfflineQueue,
    slotsRefreshInterval: CLUSTER_LOOK_MS,
    ...(others.maxRetriesPerRequest !== null && { maxRedirections: FEW_REDIRECTIONS }),
    // Certificates name hosts, not the addresses that `ioredis` would look up.
    ...(access.tls && { dnsLookup: (host, found) => found(null, host) }),
    redisOptions: { ...access, ...others },
  });
}
