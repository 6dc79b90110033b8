/** The Redis that the running service uses: the one in REDIS_URL, or the private one of this machine. */
import type { Config } from '../config/settings.ts';
import { choosePlace } from '../local/standalone/servers/place.ts';
import { runningRedisUrl } from '../local/standalone/servers/redis.ts';

/** Does not check whether it runs. */
export function redisUrlOf({ REDIS_URL, RINGKEY_HOME, RINGKEY_REDIS_PORT }: Config): string {
  return REDIS_URL ?? runningRedisUrl(choosePlace(RINGKEY_HOME), RINGKEY_REDIS_PORT);
}
