/** A merchant's payment policy as a request gives it: a kind, and for `above` its threshold. */
import { ApiError } from '../contract/errors.ts';
import type { PaymentPolicy } from './session.ts';

export const POLICY_KINDS = [
  'never',
  'optional',
  'always',
  'above',
] as const satisfies readonly PaymentPolicy['kind'][];

/**
 * The policy that a change leaves behind. A threshold goes with its kind: leaving `above` drops it.
 * @param change undefined: as it was. @throws ApiError `invalid_payment_policy_amount_cents`
 */
export function changedPolicy(
  current: PaymentPolicy,
  change: { kind: PaymentPolicy['kind'] | undefined; amountCents: number | null | undefined },
): PaymentPolicy {
  const kind = change.kind ?? current.kind;
  const kept = current.kind === 'above' ? current.amountCents : null;
  if (kind === 'above') {
    const amountCents = change.amountCents === undefined ? kept : change.amountCents;
    if (amountCents === null) throw mismatch();
    return { kind, amountCents };
  }
  if (change.amountCents !== undefined && change.amountCents !== null) throw mismatch();
  return { kind };
}

function mismatch(): ApiError {
  return new ApiError('invalid_payment_policy_amount_cents', { param: 'payment_policy_amount_cents' });
}
