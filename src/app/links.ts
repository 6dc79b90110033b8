/** The dependencies of texting pay links to callers. */

import type { SendLinkDeps } from '../checkout/send-link.ts';
import { hasSmsCarrier, textLimitsOf } from '../config/derived.ts';
import { createTextNotify } from '../notifications/outbox/notify.ts';
import { linkBaseOf } from './addresses.ts';
import type { Infrastructure } from './infrastructure.ts';

export function linkDepsOf({
  config,
  database,
  vault,
  log,
}: Pick<Infrastructure, 'config' | 'database' | 'vault' | 'log'>): SendLinkDeps {
  return {
    database,
    vault,
    linkBase: linkBaseOf(config),
    hasSmsCarrier: hasSmsCarrier(config),
    textLimits: textLimitsOf(config),
    log,
    onTextQueued: createTextNotify(database, log),
  };
}
