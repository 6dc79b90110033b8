/** The base URL of the service that a command asks: as set, else the one that runs on this home, else the usual one. */
import { type Config, isServiceAddressSet, serviceUrl } from '../config.ts';
import { findRunningService } from '../standalone/running-service.ts';

export async function findServiceUrl(config: Config): Promise<string> {
  const running = isServiceAddressSet() ? null : await findRunningService(config.RINGKEY_HOME);
  return running?.httpUrl ?? serviceUrl(config);
}
