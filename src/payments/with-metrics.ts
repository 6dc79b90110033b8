/** Counts payments that are pending or refused, as they return. Settled ones are counted in settle-charge.ts. */
import type { Charge } from '../domain/charge.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { PaymentCard } from './card.ts';
import type { PaymentRequest, PaymentResult } from './take-payment.ts';

type Pay = (request: PaymentRequest) => Promise<PaymentResult>;

/** The same saved card again is answered with the existing charge: nothing was refused. */
const isRepeat = (card: PaymentCard, live: Charge | null) =>
  card.kind === 'saved' && live?.instrumentId === card.instrumentId;

/** `pay`, with metrics of what is not settled yet, and of what was never sent. */
export function withMetrics(pay: Pay, { charge }: Pick<Metrics, 'charge'>): Pay {
  return async (request) => {
    const result = await pay(request);
    const { source, card } = request;
    if (result.type === 'pending') charge('pending', { processor: result.charge.processor, source });
    if (result.type === 'refused' && !isRepeat(card, result.charge)) charge('refused', { processor: 'none', source });
    return result;
  };
}
