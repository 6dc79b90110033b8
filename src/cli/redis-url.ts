/** The Redis of the Ringkey that runs beside a command: the one of REDIS_URL, or the private one of this machine. */
import type { Config } from '../config.ts';
import { choosePlace } from '../standalone/servers/place.ts';
import { runningRedisUrl } from '../standalone/servers/redis.ts';

/** Whether it answers, or runs at all, is not looked at. */
export function redisUrlOf({ REDIS_URL, RINGKEY_HOME, RINGKEY_REDIS_PORT }: Config): string {
  return REDIS_URL ?? runningRedisUrl(choosePlace(RINGKEY_HOME), RINGKEY_REDIS_PORT);
}
