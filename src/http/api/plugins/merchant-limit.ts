/**
 * Users who are limited to merchants: operations declare what such users can do (`Operation.limited`), all others are
 * refused. What an operation reads is limited in the database (db/merchant-limit).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sessionNotFound } from '../../../checkout/charge.ts';
import { ApiError } from '../../../contract/errors.ts';
import { followLimit } from '../../../db/merchant-limit/limit.ts';
import { type Database, readFirst } from '../../../db/pool.ts';
import { liftLimit, limitInProcess, principalInProcess } from '../in-process.ts';
import type { LimitedObject } from '../reference/operation.ts';

/** The database as the handlers of operations read it. */
export const limitedByRequest = (database: Database): Database => followLimit(database, limitInProcess);

/** Guards the routes of `app`. Call it after `authenticate`, and before anything answers from what was stored. */
export function refuseBeyondLimit(app: FastifyInstance, database: Database): void {
  const limited = limitedByRequest(database);
  app.addHook('preHandler', async (request) => {
    if ((principalInProcess()?.merchants ?? null) === null) {
      // The context of a request in this process must reach its handler.
      if (request.isInProcess && principalInProcess() === null) throw new Error('a request has lost its principal');
      return;
    }
    const rule = request.routeOptions.config.operation?.limited;
    if (rule === undefined) throw beyondLimit();
    if (rule === 'read') return;
    const id = idIn(request, rule.field);
    if (id === null || !(await isWithinLimit(limited, request, rule.object, id))) {
      throw rule.object === 'checkout_sessions' ? sessionNotFound() : missing(rule.field);
    }
    liftLimit();
  });
}

function missing(param: string): ApiError {
  return new ApiError('not_found', { param, message: 'Your merchants have no object with this ID.' });
}

function beyondLimit(): ApiError {
  const message = 'You are limited to some merchants of the account, and this concerns the account as a whole.';
  return new ApiError('invalid_key', { status: 403, message });
}

function idIn({ params, body }: FastifyRequest, field: string): string | null {
  const fields: unknown = Object.hasOwn((params ?? {}) as object, field) ? params : body;
  const id = ((fields ?? {}) as Record<string, unknown>)[field];
  return typeof id === 'string' ? id : null;
}

async function isWithinLimit(
  database: Database,
  { scope: { accountId, mode } }: FastifyRequest,
  table: LimitedObject,
  id: string,
): Promise<boolean> {
  const text = `select from ${table} where id = $1 and account_id = $2 and mode = $3`;
  return (await readFirst(database, text, [id, accountId, mode])) !== null;
}
