/** Spans and metrics of payments, and of each request to a processor. */
import type { Scope } from '../../domain/account.ts';
import { inSpan, type SpanAttributes } from '../../lib/observability/trace.ts';
import type { PaymentRequest, PaymentResult } from '../charges/take-payment.ts';
import type { HoldOrder, HoldResult } from '../holds/change-hold.ts';
import type { CardActions } from '../port/charges.ts';
import type { Holds } from '../port/holds.ts';
import type { Processor } from '../port/processor.ts';
import type { Refunds } from '../port/refunds.ts';
import type { CardWallet } from '../port/saved-cards.ts';
import type { RefundOrder, RefundResult } from '../refunds/refund.ts';

/** A processor was asked. @param result the status of its answer, or `error` */
type OnProcessorAnswer = (observed: { processor: string; operation: string; result: string; seconds: number }) => void;

/** IDs that a request to a processor can have. */
interface ProcessorRequest {
  chargeId?: string;
  refundId?: string;
  mode: string;
}

type Ask<Request, Answer> = (request: Request, signal: AbortSignal) => Promise<Answer>;

/** The same processor, with a span and a metric for each request that charges, refunds, looks up or saves. */
export function observedProcessor(processor: Processor, onAnswer: OnProcessorAnswer): Processor {
  const observed =
    <Request extends ProcessorRequest, Answer extends { status: string }>(
      operation: string,
      ask: Ask<Request, Answer>,
    ) =>
    (request: Request, signal: AbortSignal): Promise<Answer> => {
      const { chargeId = null, refundId = null, mode } = request;
      const attributes = { processor: processor.name, operation, chargeId, refundId, mode };
      return inSpan(
        `processor ${operation}`,
        attributes,
        async (span) => {
          const startedAt = performance.now();
          let result = 'error';
          try {
            const answer = await ask(request, signal);
            result = answer.status;
            return answer;
          } finally {
            span.set({ outcome: result });
            onAnswer({
              processor: processor.name,
              operation,
              result,
              seconds: (performance.now() - startedAt) / 1_000,
            });
          }
        },
        { kind: 'client' },
      );
    };
  const { refunds, holds, wallet, actions, debits } = processor;
  return {
    ...processor,
    charge: observed('charge', (request, signal) => processor.charge(request, signal)),
    lookUp: observed('look_up', (request, signal) => processor.lookUp(request, signal)),
    refunds: refunds && observedRefunds(refunds, observed),
    holds: holds && observedHolds(holds, observed),
    wallet: wallet && observedWallet(wallet, observed),
    actions: actions && observedActions(actions, observed),
    ...(debits !== undefined && {
      debits: { debit: observed('debit', (request, signal) => debits.debit(request, signal)) },
    }),
  };
}

type Observed = <Request extends ProcessorRequest, Answer extends { status: string }>(
  operation: string,
  ask: Ask<Request, Answer>,
) => Ask<Request, Answer>;

function observedRefunds(refunds: Refunds, observed: Observed): Refunds {
  return {
    refund: observed('refund', (request, signal) => refunds.refund(request, signal)),
    lookUp: observed('look_up_refund', (request, signal) => refunds.lookUp(request, signal)),
  };
}

function observedHolds(holds: Holds, observed: Observed): Holds {
  return {
    partial: holds.partial,
    capture: observed('capture', (request, signal) => holds.capture(request, signal)),
    void: observed('void', (request, signal) => holds.void(request, signal)),
    read: observed('read_hold', (request, signal) => holds.read(request, signal)),
  };
}

function observedWallet(wallet: CardWallet, observed: Observed): CardWallet {
  return {
    save: observed('save_card', (request, signal) => wallet.save(request, signal)),
    saveCharged: observed('save_charged_card', (request, signal) => wallet.saveCharged(request, signal)),
    forget: observed('forget_card', (request, signal) => wallet.forget(request, signal)),
  };
}

function observedActions(actions: CardActions, observed: Observed): CardActions {
  return {
    read: observed('read_action', (request, signal) => actions.read(request, signal)),
    confirm: observed('confirm', (request, signal) => actions.confirm(request, signal)),
    cancel: observed('cancel', (request, signal) => actions.cancel(request, signal)),
  };
}

/** What is charged. */
type Charged = { scope: Scope } & Pick<PaymentRequest, 'sessionId'>;

/** Takes or confirms a payment in a span. */
export function inChargeSpan<Result extends PaymentResult | null>(
  { sessionId, scope: { accountId, mode } }: Charged,
  more: SpanAttributes,
  pay: () => Promise<Result>,
): Promise<Result> {
  return inSpan('charge', { sessionId, accountId, mode, ...more }, async (span) => {
    const result = await pay();
    if (result === null) return result;
    const { charge, type } = result;
    span.set({
      outcome: type,
      reason: result.type === 'refused' ? result.reason : null,
      chargeId: charge?.id ?? null,
      processor: charge?.processor ?? null,
    });
    return result;
  });
}

/** Makes a refund in a span. */
export function inRefundSpan(
  { chargeId, scope: { accountId, mode } }: Pick<RefundOrder, 'chargeId' | 'scope'>,
  refund: () => Promise<RefundResult>,
): Promise<RefundResult> {
  return inSpan('refund', { chargeId, accountId, mode }, async (span) => {
    const result = await refund();
    if (result.type === 'refused') span.set({ outcome: result.type, reason: result.reason });
    else span.set({ outcome: result.refund.status, refundId: result.refund.id });
    return result;
  });
}

/** Captures or voids a hold in a span. */
export function inHoldSpan(
  { kind, chargeId, scope: { accountId, mode } }: Pick<HoldOrder, 'kind' | 'chargeId' | 'scope'>,
  change: () => Promise<HoldResult>,
): Promise<HoldResult> {
  return inSpan(kind, { chargeId, accountId, mode }, async (span) => {
    const result = await change();
    span.set({ outcome: result.type, reason: result.type === 'refused' ? result.reason : null });
    return result;
  });
}
