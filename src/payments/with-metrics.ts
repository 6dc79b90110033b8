/** Counts payments that are pending or refused, as they return. Settled ones are counted in settle-charge.ts. */
import type { Charge } from '../domain/charge.ts';
import type { Metrics } from '../lib/observability/metrics.ts';
import type { PaymentCard } from './card.ts';
import type { PaymentRequest, PaymentResult } from './take-payment.ts';

type Pay = (request: PaymentRequest) => Promise<PaymentResult>;

/** The same saved card again is answered with the existing charge: nothing was refused. */
const isRepeat = (card: PaymentCard, live: Charge | null) =>
  card.kind === 'saved' && live?.instrumentId === card.instrumentId;

/** `pay`, with metrics of what is not settled yet, and of what was never sent. */
export function withMetrics(pay: Pay, metrics: Pick<Metrics, 'charge'>): Pay {
  const counted = withPendingCount(metrics);
  return async (request) => {
    const result = await counted(pay(request));
    const { source, card } = request;
    const isRefused = result.type === 'refused' && result.reason !== 'repeated' && !isRepeat(card, result.charge);
    if (isRefused) metrics.charge('refused', { processor: 'none', source });
    return result;
  };
}

/** Counts the result where it is pending: also of a charge that waited for its payer first. */
export function withPendingCount({ charge }: Pick<Metrics, 'charge'>) {
  return async <Result extends PaymentResult | null>(pending: Promise<Result>): Promise<Result> => {
    const result = await pending;
    if (result?.type === 'pending') {
      const { processor, source } = result.charge;
      charge('pending', { processor, source });
    }
    return result;
  };
}
