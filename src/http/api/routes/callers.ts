/** `/v1/identify` and `/v1/consumers`: looks up a caller by number, and erases a caller. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type CardDeps, eraseCaller } from '../../../checkout/cards/cards.ts';
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

const CONSUMER_ID = field(z.string(), 'The caller, `con_…`, as returned by `identify`.', 'con_demo_caller');

export const ErasedConsumer = z.object({
  consumer_id: CONSUMER_ID,
  deleted: field(z.literal(true), 'The person and the number are erased.', true),
});
export type ErasedConsumer = z.infer<typeof ErasedConsumer>;

const CALLER = '+15550109876';

const ERASE_CONSUMER = {
  id: 'erase_consumer',
  group: 'Callers',
  summary: 'Erase a caller',
  description: `Erases the person in this mode, at once and permanently:

- The caller's name, email address and number, and the number on checkout sessions, charges, texts and events.
- The words of the texts. Texts that are still waiting are not sent, and pay links stop working.
- What screening has found about the number and its calls.
- The data by which velocity rules count the caller's charges.
- The saved cards. They are no longer offered or charged, and are removed at their processors as with
\`delete_card\`.

These stay: payments and refunds, as bookkeeping requires; consents to save a card (wording and time); data that you
sent (\`metadata\`, \`line_items\`, IDs of your platform); and the fact that a number answered STOP. Answers stored
for an \`Idempotency-Key\` are encrypted and deleted within a day. The request log has no names or numbers; data
that you sent stays in it for as long as it is kept.

An open session of the caller continues without a number. Erasing again changes nothing. If the same number calls
later, it is a new caller.`,
  params: z.object({ id: CONSUMER_ID }),
  response: ErasedConsumer,
  answers: 'The caller is erased.',
  errors: ['not_found'],
  example: {
    needs: [
      {
        name: 'CARD',
        operation: 'save_card',
        field: 'instrument_id',
        body: { merchant_id: 'mer_demo_diner', caller_phone: CALLER, token: 'tok_mastercard' },
      },
      { name: 'CONSUMER', operation: 'identify', field: 'consumer.id', body: { caller_phone: CALLER } },
    ],
    params: { id: '$CONSUMER' },
  },
} satisfies Operation;

export function consumerRoute(app: FastifyInstance, deps: Pick<CardDeps, 'database' | 'onCardDeleted'>): void {
  addOperation(app, 'DELETE /consumers/:id', ERASE_CONSUMER, async ({ params }, { scope, actor }) => ({
    consumer_id: await eraseCaller(deps, actor, scope, params.id),
    deleted: true as const,
  }));
}
