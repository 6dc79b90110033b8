import { expect, test } from 'vitest';
import { changedPolicy, type PaymentPolicy, verdictOf } from './merchant.ts';
import type { Verdict } from './session.ts';

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

const always = { kind: 'always' } as const;
const above = { kind: 'above', amountCents: 2_000 } as const;

test.each([
  [always, undefined, undefined, always],
  [always, 'never', undefined, { kind: 'never' }],
  [always, 'never', null, { kind: 'never' }],
  [always, 'above', 500, { kind: 'above', amountCents: 500 }],
  [above, undefined, undefined, above],
  [above, undefined, 500, { kind: 'above', amountCents: 500 }],
  [above, 'above', undefined, above],
  [above, 'optional', undefined, { kind: 'optional' }],
] as const)('%j, %j and %j', (current, kind, amountCents, expected) => {
  expect(changedPolicy(current, { kind, amountCents })).toEqual(expected);
});

test.each([
  [always, 'above', undefined],
  [always, 'above', null],
  [always, undefined, 500],
  [above, 'never', 500],
  [above, undefined, null],
] as const)('rejects %j with %j and %j', (current, kind, amountCents) => {
  expect(changedPolicy(current, { kind, amountCents })).toBeNull();
});
