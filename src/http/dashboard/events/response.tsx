/** The response to the last attempt of a delivery, why there was none, or what the delivery waits for. */
import type { DeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import { answerText } from '../checkouts/activity.tsx';
import { Time } from '../page/parts.tsx';
import { eventWords } from './words/index.ts';

type Delivery = Pick<
  DeliveryResource,
  'status' | 'status_code' | 'failure' | 'failure_detail' | 'attempts' | 'next_attempt_at'
>;

export function Response({ delivery }: { delivery: Delivery }) {
  const { status, attempts, next_attempt_at: next } = delivery;
  // The first attempt is due at once, unless the endpoint fails.
  const isHeld = status === 'waiting' && attempts === 0 && next !== null && Date.parse(next) > Date.now();
  return <span>{isHeld ? eventWords().deliveries.failing(<Time at={next} />) : answerText(delivery)}</span>;
}
