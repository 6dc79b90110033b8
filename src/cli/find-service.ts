/** Finds the service for a command: the address in the settings, the service that runs on this home, or the default address. */
import { isServiceAddressSet } from '../config/config.ts';
import { serviceUrl } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { findRunningService } from '../local/standalone/running-service.ts';

export async function findServiceUrl(config: Config): Promise<string> {
  const running = isServiceAddressSet() ? null : await findRunningService(config.RINGKEY_HOME);
  return running?.httpUrl ?? serviceUrl(config);
}
