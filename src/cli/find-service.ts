/** Finds the running service, and its Redis, for a command. */
import { isServiceAddressSet } from '../config/config.ts';
import { serviceUrl } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { findRunningService } from '../local/standalone/running-service.ts';
import { choosePlace } from '../local/standalone/servers/place.ts';
import { runningRedisUrl } from '../local/standalone/servers/redis.ts';

/** The address in the settings, or of the service that runs on this home, or the default address. */
export async function findServiceUrl(config: Config): Promise<string> {
  const running = isServiceAddressSet() ? null : await findRunningService(config.RINGKEY_HOME);
  return running?.httpUrl ?? serviceUrl(config);
}

/** REDIS_URL, or the private Redis of this machine. Does not check whether it runs. */
export function redisUrlOf({ REDIS_URL, RINGKEY_HOME, RINGKEY_REDIS_PORT }: Config): string {
  return REDIS_URL ?? runningRedisUrl(choosePlace(RINGKEY_HOME), RINGKEY_REDIS_PORT);
}
