import { expect, test } from 'vitest';
import { newId } from '../domain/ids.ts';
import { paidBefore } from './charge-facts.ts';

const id = newId('Charge');

test.each([
  ['succeeded', 'already_paid'],
  ['authorized', 'already_held'],
] as const)('tells the tip of a charge that %s before the call', (status, reason) => {
  expect(paidBefore({ id, status, tipCents: 765, remainingCents: 0 })).toEqual({
    type: 'refused',
    reason,
    chargeId: id,
    tipCents: 765,
  });
  expect(paidBefore({ id, status, tipCents: 0, remainingCents: 0 })).toEqual({ type: 'refused', reason, chargeId: id });
});
