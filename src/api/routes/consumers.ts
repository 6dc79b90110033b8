/** `DELETE /v1/consumers/{id}`: erases a caller. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { CardDeps } from '../../cards/cards.ts';
import { eraseCaller } from '../../cards/erase-consumer.ts';
import { field } from '../../contract/fields.ts';
import { addOperation, type Operation } from '../reference/operation.ts';

const CONSUMER_ID = field(z.string(), 'The caller, `con_…`, as `identify` answers it.', 'con_demo_caller');

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
  description: `Erases the person, in this mode, at once and for good:

- name, email address and number of the caller, and the number on checkout sessions, charges, texts and events; texts also lose their words, and one that
  waits is not sent; pay links of the sessions lead nowhere.
- what screening has found of the number and its calls.
- what the velocity rules count the caller's charges by.
- the saved cards: offered and charged no more, and removed at their processors as \`delete_card\` does it.

Payments and refunds stay, as books must. So do consents to saving a card (which words, when), what you sent along (\`metadata\`, \`line_items\`, ids of your platform),
and that a number answered STOP. Answers that are kept for requests with an \`Idempotency-Key\` are encrypted, and gone within a day. The request log has neither names nor numbers; what you sent along stays in it for as long as it is kept. An open session of
the caller is one without a number from now on. Erasing again changes nothing. The same number is a new caller afterwards.`,
  params: z.object({ id: CONSUMER_ID }),
  response: ErasedConsumer,
  answers: 'The caller is erased.',
  errors: ['not_found'],
  example: {
    needs: [
      {
        ...{ name: 'CARD', operation: 'save_card', field: 'instrument_id' },
        body: { merchant_id: 'mer_demo_diner', caller_phone: CALLER, token: 'tok_mastercard' },
      },
      { name: 'CONSUMER', operation: 'identify', field: 'consumer.id', body: { caller_phone: CALLER } },
    ],
    params: { id: '$CONSUMER' },
  },
} satisfies Operation;

export function consumerRoute(app: FastifyInstance, deps: Pick<CardDeps, 'database' | 'onCardDeleted'>): void {
  addOperation(app, 'DELETE /consumers/:id', ERASE_CONSUMER, async (request) => ({
    consumer_id: await eraseCaller(deps, request.actor, request.scope, request.params.id),
    deleted: true as const,
  }));
}
