/** Finds the time zone in which a page shows times and counts days. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitToMerchants } from '../../../db/merchant-limit/limit.ts';
import { findAccountTimeZone } from '../../../db/merchants/account-time-zone.ts';
import type { Database } from '../../../db/pool.ts';
import { dayIn } from '../../../domain/local-days.ts';
import { inTimeZone } from '../words/time-zone.ts';
import type { Visit } from './visit.ts';

/** Runs the handlers of `app` in the time zone of their request. @param app with visits */
export function useTimeZone(app: FastifyInstance, database: Database): void {
  // Not earlier: reading a request's body continues outside of its hooks.
  app.addHook('preHandler', (request, _reply, done) => {
    zoneOfRequest(request, database).then((zone) => inTimeZone(zone, done), done);
  });
}

async function zoneOfRequest({ visit }: FastifyRequest, database: Database): Promise<string> {
  if (visit === null) return 'UTC';
  const zone = zoneOfDays(visit.query);
  if (zone !== null) return zone;
  const sql = limitToMerchants(database, await visit.merchants());
  const scope = { accountId: visit.user.accountId, mode: visit.mode };
  const merchantId = (visit.query.merchant_id ?? '').replaceAll('\0', '');
  const found = (await findAccountTimeZone(sql, scope, merchantId)) ?? 'UTC';
  // A name can be unknown here: another version of Node.js, with other time zone data, may have accepted it.
  return isKnownZone(found) ? found : 'UTC';
}

const isKnownZone = (zone: string) => dayIn(new Date(), zone) !== null;

/** The zone in the URL, if days or months there belong to it, so that times are on the days that they are counted in. */
function zoneOfDays({ zone = '', from, to, days, month }: Visit['query']): string | null {
  const hasDays = [from, to, days, month].some((each) => each?.trim());
  const given = zone.trim();
  return hasDays && isKnownZone(given) ? given : null;
}
