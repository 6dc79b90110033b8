/** Counts payments that are pending or refused when they return. Settled ones are counted in settle-charge.ts. */
import type { Charge } from '../../domain/charge.ts';
import type { Metrics } from '../../lib/observability/metrics.ts';
import type { PaymentRequest, PaymentResult } from '../charges/take-payment.ts';
import type { PaymentCard } from '../shared/card.ts';

type Pay = (request: PaymentRequest) => Promise<PaymentResult>;

/** The same saved card again returns the existing charge, which is not a refusal. */
const isRepeat = (card: PaymentCard, live: Charge | null) =>
  card.kind === 'saved' && live?.instrumentId === card.instrumentId;

/** Adds metrics of pending and refused payments to `pay`. */
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

/** Counts a pending result, also of a charge that waited for its payer first. */
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
