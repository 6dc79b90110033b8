/** `POST /v1/identify`: who calls from a number; never what they can pay with. */
import type { FastifyInstance } from 'fastify';
import { findConsumer } from '../../db/cards/cards.ts';
import type { Sql } from '../../db/pool.ts';
import { IDENTIFY } from '../operations/callers.ts';
import { IdentifyRequest, type IdentifyResponse } from '../schemas/callers.ts';
import { parseBody } from '../validation.ts';

/** A number that the account has not met in this mode is no error: `known` is false. */
export function identifyRoute(app: FastifyInstance, deps: { database: Sql }): void {
  app.post('/identify', { config: { operation: IDENTIFY } }, async (request): Promise<IdentifyResponse> => {
    const { caller_phone } = parseBody(IdentifyRequest, request.body);
    const consumer = await findConsumer(deps.database, request.scope, caller_phone);
    if (consumer === null) return { known: false, consumer: null };
    const { id, firstName, lastName, email } = consumer;
    return { known: true, consumer: { id, first_name: firstName, last_name: lastName, email } };
  });
}
