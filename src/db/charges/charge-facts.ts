/** SQL: what a charge's resource shows, from a row of `charges`. */
import type { ChargeFacts } from '../../contract/resources.ts';
import { columnsOf } from '../columns.ts';

export const CHARGE_FACTS = columnsOf<ChargeFacts>()(
  'charges',
  ['id status amountCents processorPaymentId declineCode processorCode source wallet'],
  {},
);
