/** Payments counted as they come back. What is settled is counted where it is written (settle.ts), whoever settles it. */
import type { Charge } from '../domain/charge.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { PaymentCard } from './card.ts';
import type { PaymentRequest, PaymentResult } from './take-payment.ts';

type Pay = (request: PaymentRequest) => Promise<PaymentResult>;

/** Who asks again for a charge of this card gets that one: nothing was refused him. */
const isRepeat = (card: PaymentCard, live: Charge | null) =>
  card.kind === 'saved' && live?.instrumentId === card.instrumentId;

/** `pay`, with what is not settled yet, and what was never sent, told to the counts. */
export function withMetrics(pay: Pay, { charge }: Pick<Metrics, 'charge'>): Pay {
  return async (request) => {
    const result = await pay(request);
    const { source, card } = request;
    if (result.type === 'pending') charge('pending', { processor: result.charge.processor, source });
    if (result.type === 'refused' && !isRepeat(card, result.charge)) charge('refused', { processor: 'none', source });
    return result;
  };
}
