/** `DELETE /v1/consumers/{id}`: erases a caller. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { CardDeps } from '../../../checkout/cards/cards.ts';
import { eraseCaller } from '../../../checkout/cards/erase-consumer.ts';
import { field } from '../../../contract/fields.ts';
import { addOperation, type Operation } from '../reference/operation.ts';

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
