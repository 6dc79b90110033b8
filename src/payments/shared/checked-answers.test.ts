import { expect, test } from 'vitest';
import { newId } from '../../domain/ids.ts';
import type { ProcessorAnswer } from '../port/answers.ts';
import { checkedAnswer, checkedRefundAnswer, checkedSavedCard } from './checked-answers.ts';

const CHARGE = {
  id: newId('Charge'),
  processor: 'p',
  capture: 'automatic',
  amount: { amountCents: 500, currency: 'USD' },
} as const;
const paid = (fields: object): ProcessorAnswer => ({ status: 'succeeded', processorPaymentId: 'pi_1', ...fields });

function check(answer: ProcessorAnswer) {
  const errors: unknown[] = [];
  return { answer: checkedAnswer({ error: (...words: unknown[]) => errors.push(words) }, CHARGE, answer), errors };
}

test.each([{}, { taken: { amountCents: 500, currency: 'USD' } }])('accepts a success with the fields %j', (fields) => {
  expect(check(paid(fields))).toEqual({ answer: paid(fields), errors: [] });
});

test.each([
  [{ taken: { amountCents: 50, currency: 'USD' } }, 'another_amount'],
  [{ taken: { amountCents: 500, currency: 'EUR' } }, 'another_amount'],
  [{ processorPaymentId: 'pi_1\r\nX-Outcome: succeeded' }, 'payment_id'],
  [{ processorPaymentId: 'x'.repeat(256) }, 'payment_id'],
  [{ processorPaymentId: '' }, 'payment_id'],
])('a success of %j is unknown, loudly', (fields, cause) => {
  const { answer, errors } = check(paid(fields));
  expect(answer).toEqual({ status: 'unknown', cause });
  expect(errors).toHaveLength(1);
});

test('a payment that waits for its payer is known by its id, or not at all', () => {
  const action = { kind: 'stripe', clientSecret: 'pi_1_secret_1' } as const;
  const waiting = { status: 'action_required', processorPaymentId: 'pi_1', action } as const;
  expect(check(waiting).answer).toEqual(waiting);
  expect(check({ ...waiting, processorPaymentId: 'pi 1' }).answer).toEqual({ status: 'unknown', cause: 'payment_id' });
});

test('words that are no tokens are dropped', () => {
  const declined = { status: 'declined', declineCode: 'lost_card' } as const;
  expect(check({ ...declined, processorCode: 'lost_card', processorPaymentId: 'pi_1' }).answer).toEqual({
    ...declined,
    processorCode: 'lost_card',
    processorPaymentId: 'pi_1',
  });
  expect(check({ ...declined, processorCode: '<b>4242 4242</b>', processorPaymentId: 'a b' }).answer).toEqual({
    ...declined,
    processorCode: null,
    processorPaymentId: null,
  });
  expect(check({ status: 'refused', processorCode: 'x'.repeat(101) }).answer).toEqual({
    status: 'refused',
    processorCode: null,
  });
  expect(
    checkedRefundAnswer(newId('Refund'), { status: 'failed', reason: 'refused', processorCode: 'a\nb' }),
  ).toMatchObject({
    processorCode: null,
  });
  expect(checkedRefundAnswer(newId('Refund'), { status: 'pending', processorRefundId: ' ' })).toMatchObject({
    status: 'unknown',
  });
});

const PAN = '4242424242424242';
const CARD = { brand: 'VISA', lastFour: '4242' };
const SAVED = { ...CARD, handle: 'cus_1/pm_1', fingerprint: 'f1', expiryMonth: 1, expiryYear: 2049 };

test('a payment that is called by a card number is taken, and its number is neither kept nor logged', () => {
  for (const processorPaymentId of [PAN, `pay_${PAN}`, '4242-4242-4242-4242']) {
    const { answer, errors } = check(paid({ processorPaymentId }));
    expect(answer).toEqual({ status: 'succeeded', processorPaymentId: `withheld-${CHARGE.id}` });
    expect(errors).toHaveLength(1);
    expect(JSON.stringify([answer, errors])).not.toContain('4242');
  }
});

test('a card number is dropped wherever else a processor puts it', () => {
  const declined = { status: 'declined', declineCode: 'lost_card' } as const;
  expect(check({ ...declined, processorCode: PAN, processorPaymentId: `pi_${PAN}` }).answer).toEqual({
    ...declined,
    processorCode: null,
    processorPaymentId: null,
  });
  expect(check({ status: 'refused', processorCode: `code-${PAN}` }).answer).toMatchObject({ processorCode: null });
  expect(check({ status: 'unknown', cause: `http_${PAN}` }).answer).toEqual({ status: 'unknown', cause: 'unreadable' });
  const waiting = { status: 'action_required', processorPaymentId: PAN, action: null } as const;
  expect(check(waiting).answer).toEqual({ status: 'unknown', cause: 'payment_id' });
  expect(check(paid({ card: CARD, savedCard: SAVED })).answer).toMatchObject({ card: CARD, savedCard: SAVED });
  for (const card of [
    { ...CARD, lastFour: PAN },
    { ...CARD, brand: PAN },
    { ...CARD, lastFour: '42' },
  ]) {
    expect(check(paid({ card, savedCard: { ...SAVED, ...card } })).answer).toEqual(paid({}));
  }
  for (const savedCard of [
    { ...SAVED, handle: `cus/${PAN}` },
    { ...SAVED, fingerprint: PAN },
  ]) {
    expect(check(paid({ savedCard })).answer).toEqual(paid({}));
    expect(checkedSavedCard({ status: 'saved', ...savedCard })).toEqual({ status: 'refused' });
  }
  const id = newId('Refund');
  expect(checkedRefundAnswer(id, { status: 'succeeded', processorRefundId: PAN })).toEqual({
    status: 'succeeded',
    processorRefundId: `withheld-${id}`,
  });
  expect(checkedRefundAnswer(id, { status: 'pending', processorRefundId: PAN })).toEqual({
    status: 'unknown',
    cause: 'refund_id',
  });
  expect(checkedRefundAnswer(id, { status: 'failed', reason: 'refused', processorCode: PAN })).toMatchObject({
    processorCode: null,
  });
});
