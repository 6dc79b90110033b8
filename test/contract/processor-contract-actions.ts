/** The processor contract on charges that the payer has to confirm (3-D Secure): charged once, or never. */
import { describe, expect, it } from 'vitest';
import type { ActionRequest, CardActions, ChargeRequest, PayableCard } from '../../src/payments/port/charges.ts';
import { secretCredentials } from '../../src/payments/port/credentials.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { type CardsThatAsk, chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

const notAuthenticated = { status: 'declined', declineCode: 'authentication_required' };

export function actionContract(bench: () => ProcessorUnderTest): void {
  describe('charges that wait for the payer', () => {
    /** Null: a processor without them; its tests end at once. */
    function parts(): { actions: CardActions; cards: CardsThatAsk } | null {
      const { asking, processor } = bench();
      expect(processor.actions === null).toBe(asking === null);
      return processor.actions === null || asking === null ? null : { actions: processor.actions, cards: asking };
    }

    const onPage = (card: PayableCard): ChargeRequest => ({ ...chargeRequest(bench(), card), channel: 'page' });
    const charge = (request: ChargeRequest) => bench().processor.charge(request, requestTimeout());
    const lookUp = (request: ChargeRequest) =>
      bench().processor.lookUp({ ...request, createdAt: new Date(), settles: request.amount }, requestTimeout());

    async function waiting(card: PayableCard): Promise<{ request: ChargeRequest; action: ActionRequest }> {
      const request = onPage(card);
      const answer = await charge(request);
      if (answer.status !== 'action_required') throw new Error(answer.status);
      const { chargeId, mode, credentials } = request;
      return { request, action: { chargeId, mode, credentials, processorPaymentId: answer.processorPaymentId } };
    }

    it('waits for the payer, also on lookup, and returns the action for the page', async () => {
      const found = parts();
      if (found === null) return;
      const { request, action } = await waiting(found.cards.thenApproved());
      const read = await found.actions.read(action, requestTimeout());
      const challenge = { kind: bench().processor.name };
      expect(read).toMatchObject({
        status: 'action_required',
        action: challenge,
        processorPaymentId: action.processorPaymentId,
      });
      expect(await lookUp(request)).toEqual(read);
      expect(await charge(request)).toEqual(read);
      expect(await bench().countPayments(request)).toBe(1);
    });

    it('charges once when confirmed, one after the other or at once', async () => {
      const found = parts();
      if (found === null) return;
      const { request, action } = await waiting(found.cards.thenApproved());
      found.cards.endDialog(request, 'done');
      if (found.cards.knowsDialog) {
        expect(await found.actions.read(action, requestTimeout())).toMatchObject({
          status: 'action_required',
          action: null,
        });
      }
      const confirm = () => found.actions.confirm(action, requestTimeout());
      const answers = [...(await Promise.all([confirm(), confirm(), confirm()])), await confirm()];
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 'succeeded', processorPaymentId: action.processorPaymentId });
      }
      expect(answers.at(-1)).toHaveProperty('card.lastFour', expect.stringMatching(/^\d{4}$/));
      expect(await lookUp(request)).toEqual(answers.at(-1));
      expect(await bench().countPayments(request)).toBe(1);
    });

    it('charges nothing before the payer has finished', async () => {
      const found = parts();
      if (!found?.cards.knowsDialog) return;
      const { action } = await waiting(found.cards.thenApproved());
      expect(await found.actions.confirm(action, requestTimeout())).toMatchObject({
        status: 'action_required',
        action: { kind: bench().processor.name },
      });
    });

    it.each([
      ['thenDeclined', 'done', { status: 'declined', declineCode: 'generic_decline' }],
      ['thenRefused', 'refused', notAuthenticated],
    ] as const)('declines: %s', async (card, result, declined) => {
      const found = parts();
      if (found === null) return;
      const { request, action } = await waiting(found.cards[card]());
      found.cards.endDialog(request, result);
      expect(await found.actions.confirm(action, requestTimeout())).toMatchObject(declined);
      expect(await found.actions.confirm(action, requestTimeout())).toMatchObject(declined);
      expect(await lookUp(request)).toMatchObject(declined);
    });

    it('never charges after a cancellation, also when repeated', async () => {
      const found = parts();
      if (found === null) return;
      for (const isDone of [false, true]) {
        const { request, action } = await waiting(found.cards.thenApproved());
        if (isDone) found.cards.endDialog(request, 'done');
        const canceled = { ...notAuthenticated, processorPaymentId: action.processorPaymentId };
        expect(await found.actions.cancel(action, requestTimeout())).toMatchObject(canceled);
        expect(await found.actions.cancel(action, requestTimeout())).toMatchObject(canceled);
        expect(await found.actions.confirm(action, requestTimeout())).toMatchObject(canceled);
        expect(await lookUp(request)).toMatchObject(canceled);
      }
    });

    it('reports that a completed charge cannot be canceled', async () => {
      const found = parts();
      if (found === null) return;
      const { request, action } = await waiting(found.cards.thenApproved());
      found.cards.endDialog(request, 'done');
      const paid = await found.actions.confirm(action, requestTimeout());
      expect(paid).toMatchObject({ status: 'succeeded' });
      expect(await found.actions.cancel(action, requestTimeout())).toEqual(paid);
    });

    it('confirms nothing if it is aborted before it starts, or with bad credentials', async () => {
      const found = parts();
      if (found === null) return;
      const { request, action } = await waiting(found.cards.thenApproved());
      found.cards.endDialog(request, 'done');
      expect(await found.actions.confirm(action, AbortSignal.abort())).toMatchObject({ status: 'not_ordered' });
      const { wrongCredentials } = bench();
      if (wrongCredentials !== null) {
        const wrong = { ...action, credentials: secretCredentials(wrongCredentials) };
        expect(await found.actions.confirm(wrong, requestTimeout())).toMatchObject({ status: 'not_ordered' });
        expect(await found.actions.read(wrong, requestTimeout())).toMatchObject({ status: 'unknown' });
        expect(await found.actions.cancel(wrong, requestTimeout())).toMatchObject({ status: 'unknown' });
      }
      expect(await found.actions.confirm(action, requestTimeout())).toMatchObject({ status: 'succeeded' });
    });

    it('declines outside of the page, where the payer cannot act', async () => {
      const found = parts();
      if (found === null) return;
      const request: ChargeRequest = { ...onPage(found.cards.thenApproved()), channel: 'agent' };
      expect(await charge(request)).toMatchObject(notAuthenticated);
    });
  });
}
