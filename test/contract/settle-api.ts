/** The REST API with charges and refunds to settle by hand, for the contract tests. */
import { expect } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { giveUp } from '../support/seed-payments.ts';
import { startRefundsApi } from './refunds-api.ts';

export const TAKEN = { outcome: 'succeeded', processor_payment_id: 'pi_42' };
export const GIVEN = { outcome: 'succeeded', processor_refund_id: 're_42' };
export const LOST = { outcome: 'not_received' };
/** A new processor reference each, because each belongs to one charge or refund. */
export const takenAs = (id: string) => ({ ...TAKEN, processor_payment_id: `pi_of_${id}` });
export const givenAs = (id: string) => ({ ...GIVEN, processor_refund_id: `re_of_${id}` });

export function useSettleApi() {
  const refunds = useFixture(() => startRefundsApi());

  const settleCharge = (id: string, body: object, headers?: Record<string, string>) =>
    refunds.api.post(`/v1/charges/${id}/settle`, body, headers);
  const settleRefund = (id: string, body: object, headers?: Record<string, string>) =>
    refunds.api.post(`/v1/refunds/${id}/settle`, body, headers);

  /** A pending charge whose outcome the processor does not report. */
  async function pendingCharge() {
    const charge = await refunds.createCharge('hangs_taken');
    expect((await refunds.api.get(`/v1/charges/${charge.id}`)).body.status).toBe('pending');
    return charge;
  }

  async function unsettledCharge() {
    const charge = await pendingCharge();
    await giveUp(refunds.api.database, charge.id);
    return charge;
  }

  /** A pending refund of $10.00 whose outcome the processor does not report. */
  async function pendingRefund(): Promise<{ charge: string; id: string }> {
    const { id: charge } = await refunds.createCharge('refund_hangs');
    expect((await refunds.refund({ charge, amount_cents: 1_000 })).status).toBe(424);
    return { charge, id: (await refunds.refundsOf(charge))[0]?.refund_id ?? '' };
  }

  async function unsettledRefund() {
    const refund = await pendingRefund();
    await giveUp(refunds.api.database, refund.id);
    return refund;
  }

  async function eventsOf(session: string): Promise<string[]> {
    const { body } = await refunds.api.get(`/v1/events?checkout_session_id=${session}`);
    return (body.events as { type: string }[]).map(({ type }) => type).sort();
  }

  async function auditOf(id: string) {
    const { body } = await refunds.api.get(`/v1/audit_events?object=${id}`);
    return (body.audit_events as { action: string; actor: string; changes: object }[]).filter(({ action }) =>
      action.endsWith('.settled'),
    );
  }

  return {
    refunds,
    settleCharge,
    settleRefund,
    pendingCharge,
    unsettledCharge,
    pendingRefund,
    unsettledRefund,
    eventsOf,
    auditOf,
  };
}
