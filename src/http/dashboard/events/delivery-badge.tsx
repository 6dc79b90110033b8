/** The state of a delivery. All pages that show it use this badge. */
import type { DeliveryState } from '../../../domain/delivery-state.ts';
import type { DeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import { Badge, type Tone } from '../page/parts.tsx';
import { names } from '../words/names/index.ts';

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'wait',
  failing: 'bad',
  failed: 'bad',
  delivered: 'good',
  canceled: 'calm',
};

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  return <Badge status={state} name={names().deliveryState[state]} tone={TONES[state]} />;
}

/** As the list of events filters them: a waiting delivery that was attempted is `failing`. */
export const deliveryState = ({ status, attempts }: Pick<DeliveryResource, 'status' | 'attempts'>): DeliveryState =>
  status === 'waiting' && attempts > 0 ? 'failing' : status;
