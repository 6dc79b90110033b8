import { expect, test } from 'vitest';
import { type PaymentPolicy, type Verdict, verdictOf } from './session.ts';

test.each<[PaymentPolicy, number, Verdict]>([
  [{ kind: 'never' }, 99_999_999, 'none'],
  [{ kind: 'optional' }, 1, 'optional'],
  [{ kind: 'always' }, 1, 'required'],
  [{ kind: 'above', amountCents: 2_000 }, 1_999, 'none'],
  [{ kind: 'above', amountCents: 2_000 }, 2_000, 'required'],
  [{ kind: 'above', amountCents: 2_000 }, 2_001, 'required'],
])('%j of %i: %s', (policy, amountCents, verdict) => {
  expect(verdictOf(policy, amountCents)).toBe(verdict);
});
