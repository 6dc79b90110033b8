/** `POST /v1/identify`: looks a caller up by phone number. Never answers cards, which depend on the merchant. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { field } from '../../../contract/fields.ts';
import { findConsumer } from '../../../db/cards/cards.ts';
import type { Sql } from '../../../db/pool.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { callerNumber } from '../text-schemas.ts';

export const IdentifyRequest = z.object({
  caller_phone: field(
    callerNumber,
    "The caller's number, E.164. A withheld number (`anonymous`, `unavailable`, `unknown`, `restricted`) matches no caller.",
    '+15550101234',
  ),
});

const ConsumerResource = z
  .object({
    id: field(z.string(), 'The caller, `con_…`.', 'con_demo_caller'),
    first_name: field(z.string().nullable(), 'Null if it is not known.', 'Demo'),
    last_name: field(z.string().nullable(), 'Null if it is not known.', 'Caller'),
    email: field(z.string().nullable(), 'Null if it is not known.', 'demo.caller@example.com'),
  })
  .meta({ id: 'Consumer', description: 'The identity of the caller, without any payment data.' });

export const IdentifyResponse = z.object({
  known: field(z.boolean(), 'Whether the account knows this number in this mode.', true),
  consumer: field(ConsumerResource.nullable(), 'The caller. Null if `known` is false.'),
});
export type IdentifyResponse = z.infer<typeof IdentifyResponse>;

const IDENTIFY = {
  id: 'identify',
  group: 'Callers',
  scope: 'agent',
  summary: 'Identify a caller',
  description: `Returns the caller of a number, but no saved cards: those depend on the merchant of a checkout. An unknown number is
not an error: \`known\` is false and \`consumer\` is null. Send the number in the body, never in a header or a URL.`,
  request: IdentifyRequest,
  response: IdentifyResponse,
  answers: 'The caller, or that the number is not known.',
  errors: ['missing_required_fields'],
  example: { body: { caller_phone: '+15550101234' } },
} satisfies Operation;

export function identifyRoute(app: FastifyInstance, deps: { database: Sql }): void {
  addOperation(app, 'POST /identify', IDENTIFY, async ({ body: { caller_phone } }, { scope }) => {
    const consumer = caller_phone === null ? null : await findConsumer(deps.database, scope, caller_phone);
    if (consumer === null) return { known: false, consumer: null };
    const { id, firstName, lastName, email } = consumer;
    return { known: true, consumer: { id, first_name: firstName, last_name: lastName, email } };
  });
}
