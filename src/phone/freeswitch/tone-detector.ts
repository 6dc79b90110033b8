/**
 * Whether a FreeSWITCH can find keys in sound. An application that it does not know hangs up the channel it is run on.
 */
import type { MediaServer } from 'drachtio-fsmrf';
import { waitAtMost } from '../../lib/concurrency/time-limit.ts';
import type { ServerOptions } from './server.ts';

const LIMIT_MS = 3_000;

export async function hasToneDetector(
  server: Pick<MediaServer, 'api'>,
  { address, port, log }: Pick<ServerOptions, 'address' | 'port' | 'log'>,
): Promise<boolean> {
  const answer = await waitAtMost(LIMIT_MS, server.api('module_exists mod_spandsp'));
  const isThere = answer?.trim() === 'true';
  if (!isThere) log.warn({ address, port }, 'media server has no mod_spandsp: keys sent as tones are not detected');
  return isThere;
}
