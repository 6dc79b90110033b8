/** Reads what became of a payment at its processor, if a notification says that something did. */
import type { DueNotification } from '../../db/processor-notifications/inbox.ts';
import type { Charge } from '../../domain/charge.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { unknown } from '../port/answers.ts';
import type { HistoryAnswer, ProcessorHistories } from '../port/history.ts';
import { paymentIdOf } from '../shared/checked-answers.ts';
import { credentialsOf, type PaymentDeps, processorOf } from '../shared/deps.ts';
import { LOOK_UP_LIMIT_MS } from '../shared/resolver.ts';
import { askOrUnknown } from '../shared/steps.ts';
import { type HistoryDeps, recordHistory } from './record-history.ts';

type Deps = HistoryDeps & Pick<PaymentDeps, 'processors' | 'credentialsFor'>;

/** @returns false if it must be read again */
export async function readHistory(
  deps: Deps,
  due: DueNotification,
  charge: Charge,
  stop: AbortSignal,
): Promise<boolean> {
  const histories = processorOf(deps, due.processor)?.notifications?.histories;
  if (histories === undefined || !histories.after.test(due.type)) return true;
  // Its outcome, or its capture at the processor, is looked up first.
  if (charge.status === 'pending' || charge.status === 'authorized') return false;
  if (charge.status !== 'succeeded' || charge.processorPaymentId === null) return true;
  const answer = await ask(deps, histories, due, charge, stop);
  if (answer.status === 'read') return recordHistory(deps, charge, answer, due.attempt);
  return answer.status === 'not_found';
}

function ask(
  deps: Deps,
  histories: ProcessorHistories,
  due: DueNotification,
  charge: Charge,
  stop: AbortSignal,
): Promise<HistoryAnswer> {
  const about = { processor: due.processor, notification: due.id };
  return askOrUnknown<HistoryAnswer>(deps, about, 'payment of a notification not read', async () => {
    const { id: chargeId, mode, amount, processorPaymentId: storedId } = charge;
    const processor = processorOf(deps, due.processor);
    const credentials = processor === undefined ? null : await credentialsOf(deps, processor, due);
    if (processor === undefined || credentials === null || storedId === null) return unknown('no usable credentials');
    const read = async (signal: AbortSignal): Promise<HistoryAnswer> => {
      const of = { chargeId, mode, processorPaymentId: storedId };
      const processorPaymentId = await paymentIdOf(deps.database, processor, of, credentials, signal);
      if (processorPaymentId === null) return unknown('payment id withheld');
      const { currency } = amount;
      const { paymentId: notifiedId, type: notifiedType } = due;
      const request = { chargeId, mode, credentials, processorPaymentId, currency, notifiedId, notifiedType };
      return histories.read(request, signal);
    };
    return withinLimit(LOOK_UP_LIMIT_MS, read, stop);
  });
}
