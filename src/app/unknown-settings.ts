/** Warns at the start of settings that have no effect, because their names are misspelled. */

import { unknownSettings } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import { nearestName } from '../http/api/validation.ts';
import type { Log } from '../lib/observability/log.ts';

/** Names them, never their values: one may be a secret. */
export function warnOfUnknownSettings(log: Log, environment?: NodeJS.ProcessEnv): void {
  for (const setting of unknownSettings(environment)) {
    log.warn({ setting, nearestSetting: nearestName(setting, SETTINGS) }, 'unknown setting: it has no effect');
  }
}
