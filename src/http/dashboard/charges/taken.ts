/** What a charge took. */
import type { ListedChargeResource } from '../../../contract/charges.ts';

/** All of the amount, or the captured part of a hold. */
export const takenCents = ({
  captured_cents,
  amount_cents,
}: Pick<ListedChargeResource, 'captured_cents' | 'amount_cents'>) => captured_cents ?? amount_cents;
