/** The private PostgreSQL and Redis of one machine, which are started and stopped with the app. */
import { join } from 'node:path';
import { type DaemonSpec, stopStale } from './daemon.ts';
import { choosePlace, claimHome, type Place } from './place.ts';
import { type PrivatePostgres, startPostgres } from './postgres.ts';
import { type PrivateRedis, startRedis } from './redis.ts';

export interface ServersOptions {
  /** RINGKEY_HOME, absolute. */
  home: string;
  /** Null if an external server is used. */
  postgresPort: number | null;
  redisPort: number | null;
  durable: boolean;
  redisDatabases: number;
  /** As in {@link DaemonSpec}. */
  onLeftBehind?: DaemonSpec['onLeftBehind'];
}

export interface PrivateServers {
  place: Place;
  postgres: PrivatePostgres | null;
  redis: PrivateRedis | null;
  /** Shuts both down cleanly. Idempotent. */
  stop(): Promise<void>;
}

/** Starts the required servers concurrently. If one fails, the other is stopped again. @throws CannotStart */
export async function startServers(options: ServersOptions): Promise<PrivateServers> {
  const place = choosePlace(options.home);
  const claim = await claimHome(options.home);
  const { durable, onLeftBehind } = options;
  const [postgres, redis] = await Promise.allSettled([
    options.postgresPort === null ? null : startPostgres({ place, port: options.postgresPort, durable, onLeftBehind }),
    options.redisPort === null
      ? null
      : startRedis({ place, port: options.redisPort, durable, databases: options.redisDatabases, onLeftBehind }),
  ]);
  const stop = async () => {
    const running = [postgres, redis].map((started) => (started.status === 'fulfilled' ? started.value : null));
    await Promise.all(running.map((server) => server?.stop()));
    claim.release();
  };
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled') {
    return { place, postgres: postgres.value, redis: redis.value, stop };
  }
  await stop();
  throw postgres.status === 'rejected' ? postgres.reason : (redis as PromiseRejectedResult).reason;
}

/** Ends the servers that a killed run left behind under this home. Starts none. */
export async function stopLeftovers(home: string): Promise<Place> {
  const place = choosePlace(home);
  await stopStale(join(place.directory, 'postgres'), 'SIGINT');
  await stopStale(join(place.directory, 'redis'), 'SIGTERM');
  return place;
}
