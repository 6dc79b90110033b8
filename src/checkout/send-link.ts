/** `send_link`: checks whether the session can be paid by link. There is no pay page yet, so no link is sent. */
import type { Scope } from '../domain/account.ts';
import { ApiError } from '../contract/errors.ts';
import { statusOf } from '../contract/resources.ts';
import { readCheckouts } from '../db/sessions/checkouts.ts';
import type { Sql } from '../db/pool.ts';
import { refusal, sessionIdOf, sessionNotFound } from './charge.ts';

export interface SendLinkDeps {
  database: Sql;
  /** By which a card has expired. */
  now: () => Date;
}

/** @throws ApiError why the session cannot be paid, else `not_configured` */
export async function sendLink(deps: SendLinkDeps, scope: Scope, sessionId: string): Promise<never> {
  const [reading] = await readCheckouts(deps.database, [scope.accountId], [sessionIdOf(sessionId)], deps.now());
  if (reading === undefined) throw sessionNotFound();
  const { session, charge, merchant } = reading;
  if (session.mode !== scope.mode) throw new ApiError('invalid_key');
  if (charge !== null && charge.status !== 'failed') {
    throw new ApiError('charge_details_mismatch', {
      charge: charge.id,
      message: 'A charge of this session is pending or succeeded: there is nothing to pay by link.',
    });
  }
  if (statusOf(reading) !== 'open') throw refusal('expired');
  if (session.callerPhone === null) throw refusal('caller_unknown');
  if (session.verdict === 'none') throw refusal('nothing_to_pay');
  if (merchant === null || merchant.processor === null) throw refusal('merchant_not_connected');
  throw new ApiError('not_configured', { message: 'This service has no pay page to link to.' });
}
