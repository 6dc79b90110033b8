/** A merchant's payment policy in a request: a kind, and a threshold for `above`. */
import type { PaymentPolicy } from './session.ts';

export const POLICY_KINDS = [
  'never',
  'optional',
  'always',
  'above',
] as const satisfies readonly PaymentPolicy['kind'][];

/**
 * The policy after a change. Leaving `above` drops its threshold.
 * @param change undefined if unchanged
 * @returns null if kind and threshold do not match: `above` without one, or another kind with one
 */
export function changedPolicy(
  current: PaymentPolicy,
  change: { kind: PaymentPolicy['kind'] | undefined; amountCents: number | null | undefined },
): PaymentPolicy | null {
  const kind = change.kind ?? current.kind;
  if (kind !== 'above') return (change.amountCents ?? null) === null ? { kind } : null;
  const kept = current.kind === 'above' ? current.amountCents : null;
  const amountCents = change.amountCents === undefined ? kept : change.amountCents;
  return amountCents === null ? null : { kind, amountCents };
}
