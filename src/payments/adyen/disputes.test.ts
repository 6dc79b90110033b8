/** Disputes as Adyen's notifications tell them. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../domain/ids.ts';
import { readAdyenDispute } from './disputes.ts';

describe('a notification of Adyen', () => {
  const chargeId = newId('Charge');
  /** github.com/Adyen/adyen-openapi, Webhooks-v1: DisputesNotificationRequestItem. */
  const about = (eventCode: string, additionalData: object = {}, more: object = {}) => ({
    live: 'false',
    notificationItems: [
      {
        NotificationRequestItem: {
          additionalData: { chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa', ...additionalData },
          amount: { currency: 'EUR', value: 1_000 },
          eventCode,
          eventDate: '2021-01-01T01:00:00+01:00',
          merchantAccountCode: 'CornerBakeryMOTO',
          merchantReference: chargeId,
          originalReference: '9913140798220028',
          paymentMethod: 'visa',
          pspReference: '9915555555555555',
          reason: '',
          success: 'true',
          ...more,
        },
      },
    ],
  });

  it('says what is disputed, and until when it can be defended', () => {
    const details = { disputeStatus: 'Undefended', defensePeriodEndsAt: '2021-01-19T01:00:00+01:00' };
    expect(readAdyenDispute(about('NOTIFICATION_OF_CHARGEBACK', details))).toEqual({
      paymentId: '9913140798220028',
      chargeId,
      kind: 'chargeback',
      status: 'needs_response',
      reason: 'general',
      processorReason: '10.4',
      amountCents: 1_000,
      currency: 'EUR',
      evidenceDueAt: new Date('2021-01-19T00:00:00Z'),
      version: Date.parse('2021-01-01T00:00:00Z'),
    });
  });

  it.each<[string, object, string]>([
    ['CHARGEBACK', { disputeStatus: 'Pending' }, 'under_review'],
    ['CHARGEBACK', { disputeStatus: 'Undefended', defendable: 'false' }, 'lost'],
    ['CHARGEBACK', {}, 'needs_response'],
    ['CHARGEBACK_REVERSED', { disputeStatus: 'Pending' }, 'under_review'],
    ['CHARGEBACK_REVERSED', { disputeStatus: 'Won' }, 'won'],
    ['INFORMATION_SUPPLIED', { disputeStatus: 'Undefended' }, 'under_review'],
    ['SECOND_CHARGEBACK', { disputeStatus: 'Won' }, 'lost'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', {}, 'lost'],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', {}, 'won'],
    ['PREARBITRATION_WON', {}, 'won'],
    ['PREARBITRATION_ACCEPTED', {}, 'under_review'],
  ])('%s with %j is %s', (eventCode, details, status) => {
    expect(readAdyenDispute(about(eventCode, details))).toMatchObject({ status, kind: 'chargeback' });
  });

  it('asking for information is an inquiry, which can expire', () => {
    const read = (disputeStatus: string) => readAdyenDispute(about('REQUEST_FOR_INFORMATION', { disputeStatus }));
    expect(read('Unresponded')).toMatchObject({ kind: 'inquiry', status: 'needs_response' });
    expect(read('Expired')).toMatchObject({ kind: 'inquiry', status: 'closed' });
  });

  it('of another event, or without the payment, is about no dispute', () => {
    for (const event of ['AUTHORISATION', 'NOTIFICATION_OF_FRAUD', 'toString']) {
      expect(readAdyenDispute(about(event))).toBeNull();
    }
    expect(readAdyenDispute(about('CHARGEBACK', {}, { originalReference: '' }))).toBeNull();
  });
});
