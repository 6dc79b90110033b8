/**
 * Disputes in Adyen's notifications (docs.adyen.com/risk-management/disputes-api/dispute-notifications; the fields:
 * github.com/Adyen/adyen-openapi, Webhooks-v1). No API reads a dispute. The signature covers the event, the amount and all
 * references, but nothing of `additionalData`, so `disputeStatus` decides only if the event does not.
 */
import { z } from 'zod';
import type { NotifiedDispute } from '../../db/processor-notifications/inbox.ts';
import type { DisputeStatus } from '../../domain/dispute.ts';
import { parseId } from '../../domain/ids.ts';
import { timeOrNull } from '../vendor-api/times.ts';
import { paymentReferenceOf } from './outcomes.ts';

const ITEM = z.object({
  eventCode: z.string(),
  eventDate: z.string().nullish(),
  merchantReference: z.string(),
  originalReference: z.string().nullish(),
  amount: z.object({ currency: z.string(), value: z.int() }),
  additionalData: z
    .object({
      disputeStatus: z.string().nullish(),
      defendable: z.string().nullish(),
      defensePeriodEndsAt: z.string().nullish(),
      chargebackReasonCode: z.string().nullish(),
      rfiReasonCode: z.string().nullish(),
    })
    .nullish(),
});
const BODY = z.object({ notificationItems: z.array(z.object({ NotificationRequestItem: ITEM })).length(1) });

/** The status after an event. Null: `disputeStatus` tells it. */
const EVENTS: Readonly<Record<string, DisputeStatus | null>> = {
  REQUEST_FOR_INFORMATION: null,
  NOTIFICATION_OF_CHARGEBACK: null,
  CHARGEBACK: null,
  CHARGEBACK_REVERSED: null,
  INFORMATION_SUPPLIED: 'under_review',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'lost',
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'won',
  SECOND_CHARGEBACK: 'lost',
  PREARBITRATION_OPEN: 'under_review',
  PREARBITRATION_ACCEPTED: null,
  PREARBITRATION_DECLINED: null,
  PREARBITRATION_ISSUER_WITHDRAWN: 'won',
  PREARBITRATION_WON: 'won',
  PREARBITRATION_LOST: 'lost',
  SCHEME_ARBITRATION: 'under_review',
  SCHEME_ARBITRATION_WON: 'won',
  SCHEME_ARBITRATION_LOST: 'lost',
};

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  Unresponded: 'needs_response',
  Responded: 'under_review',
  Undefended: 'needs_response',
  Pending: 'under_review',
  Won: 'won',
  Lost: 'lost',
  Accepted: 'lost',
  Expired: 'lost',
};

/** In Brazil, there is no `disputeStatus`. */
const OPENING: readonly string[] = ['REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'];

/** @param body of a signed notification. @returns null if it is not about a dispute */
export function readAdyenDispute(body: unknown): NotifiedDispute | null {
  const item = BODY.safeParse(body).data?.notificationItems[0]?.NotificationRequestItem;
  if (item === undefined || !Object.hasOwn(EVENTS, item.eventCode)) return null;
  const { eventCode, originalReference, merchantReference, amount, additionalData: more } = item;
  if (!originalReference) return null;
  const isInquiry = eventCode === 'REQUEST_FOR_INFORMATION' || more?.rfiReasonCode != null;
  const status = EVENTS[eventCode] ?? statusOf(more?.disputeStatus, isInquiry) ?? defaultOf(eventCode);
  const isOver = status === 'needs_response' && more?.defendable === 'false';
  return {
    paymentId: originalReference,
    chargeId: parseId('Charge', paymentReferenceOf(merchantReference)),
    kind: isInquiry ? 'inquiry' : 'chargeback',
    status: isOver ? 'lost' : status,
    // The codes differ by card network.
    reason: 'general',
    processorReason: more?.chargebackReasonCode ?? more?.rfiReasonCode ?? null,
    amountCents: amount.value,
    currency: amount.currency,
    evidenceDueAt: timeOrNull(more?.defensePeriodEndsAt),
    version: timeOrNull(item.eventDate)?.getTime() ?? null,
  };
}

function statusOf(word: string | null | undefined, isInquiry: boolean): DisputeStatus | undefined {
  // The bank can still charge the payment back.
  return isInquiry && word === 'Expired' ? 'closed' : STATUSES[word ?? ''];
}

const defaultOf = (eventCode: string): DisputeStatus =>
  OPENING.includes(eventCode) ? 'needs_response' : 'under_review';
