/** Brings about and ends the cause of each kind of attention item, for the demo account. */
import type { CauseOfKind } from './cause.ts';
import { DELIVERY_CAUSES, KEY_CAUSES } from './deliveries.ts';
import { PAYMENT_CAUSES, PROCESSOR_CAUSES } from './payments.ts';
import { LIMIT_CAUSES, SERVICE_CAUSES } from './service.ts';

/** All but `worker_missing`, which no worker can find. */
export const CAUSES: readonly CauseOfKind[] = [
  ...PAYMENT_CAUSES,
  ...PROCESSOR_CAUSES,
  ...DELIVERY_CAUSES,
  ...KEY_CAUSES,
  ...SERVICE_CAUSES,
  ...LIMIT_CAUSES,
];
