/** `send_link`: checks whether the session can be paid by link. There is no pay page yet, so no link is sent. */
import type { Scope } from '../domain/account.ts';
import { ApiError } from '../contract/errors.ts';
import { statusAt } from '../contract/resources.ts';
import { readCheckout } from '../db/sessions/checkouts.ts';
import type { Sql } from '../db/pool.ts';
import { payableMerchant, sessionIdOf, sessionNotFound } from './charge.ts';

export interface SendLinkDeps {
  database: Sql;
  now: () => Date;
}

/** @throws ApiError why the session cannot be paid, else `not_configured` */
export async function sendLink(deps: SendLinkDeps, scope: Scope, sessionId: string): Promise<never> {
  const reading = await readCheckout(deps.database, scope.accountId, sessionIdOf(sessionId), deps.now());
  if (reading === null) throw sessionNotFound();
  const { session, charge } = reading;
  if (session.mode !== scope.mode) throw new ApiError('invalid_key');
  if (charge !== null && charge.status !== 'failed') {
    throw new ApiError('charge_details_mismatch', {
      charge: charge.id,
      message: 'A charge of this session is pending or succeeded: there is nothing to pay by link.',
    });
  }
  if (statusAt(session, charge, deps.now()) !== 'open') throw new ApiError('session_expired');
  if (session.callerPhone === null) throw new ApiError('session_missing_consumer');
  if (payableMerchant(reading).processor === null) throw new ApiError('merchant_not_connected');
  throw new ApiError('not_configured', { message: 'This service has no pay page to link to.' });
}
