/** The processor contract on lists: payments, declines and refunds of a period, with our IDs. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { ChargeRequest, PayableCard } from '../../src/payments/port/charges.ts';
import { secretCredentials } from '../../src/payments/port/credentials.ts';
import {
  type ProcessorRecords,
  type RecordedPayment,
  type RecordedRefund,
  type RecordsRequest,
  RecordsUnreadable,
} from '../../src/payments/port/records.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

const HOUR_MS = 3_600_000;

export function recordsContract(bench: () => ProcessorUnderTest): void {
  describe('the lists of the processor', () => {
    function records(): ProcessorRecords {
      const { records: lists } = bench().processor;
      if (lists === null) throw new Error('each of ours has lists');
      return lists;
    }

    const spanAround = ({ accountId, credentials }: ChargeRequest, shiftMs = 0): RecordsRequest => ({
      accountId,
      credentials,
      mode: 'test',
      from: new Date(Date.now() - HOUR_MS + shiftMs),
      until: new Date(Date.now() + HOUR_MS + shiftMs),
    });

    async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
      const found: T[] = [];
      for await (const item of items) found.push(item);
      return found;
    }

    async function listed(request: ChargeRequest, shiftMs = 0): Promise<RecordedPayment | undefined> {
      const payments = await all(records().payments(spanAround(request, shiftMs), requestTimeout()));
      return payments.find(({ chargeId }) => chargeId === request.chargeId);
    }

    async function charge(card: PayableCard): Promise<ChargeRequest> {
      const request = chargeRequest(bench(), card);
      await bench().processor.charge(request, requestTimeout());
      return request;
    }

    async function paid(): Promise<{ request: ChargeRequest; processorPaymentId: string }> {
      const request = await charge(bench().approved());
      const found = await bench().processor.lookUp({ ...request, createdAt: new Date() }, requestTimeout());
      if (found.status !== 'succeeded') throw new Error(found.status);
      return { request, processorPaymentId: found.processorPaymentId };
    }

    it('lists a payment with our IDs, its amount and its time', async () => {
      const { request, processorPaymentId } = await paid();
      const { sessionId } = request;
      const { listedSource: source } = bench();
      const payment = await listed(request);
      expect(payment).toMatchObject({
        chargeId: request.chargeId,
        origin: source === null ? null : { sessionId, source },
        answer: { status: 'succeeded', processorPaymentId, taken: request.amount },
      });
      expect(Math.abs((payment?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(HOUR_MS);
    });

    it('lists declined payments, too', async () => {
      const request = await charge(bench().withoutMoney());
      expect(await listed(request)).toMatchObject({ answer: { status: 'declined' } });
    });

    it('lists nothing outside of the period', async () => {
      const { request } = await paid();
      expect(await listed(request, -3 * HOUR_MS)).toBeUndefined();
      expect(await listed(request, 3 * HOUR_MS)).toBeUndefined();
    });

    const refundsOf = async (request: ChargeRequest, processorPaymentId: string): Promise<RecordedRefund[]> =>
      (await all(records().refunds(spanAround(request), requestTimeout()))).filter(
        (refund) => refund.processorPaymentId === processorPaymentId,
      );

    it('lists our refunds and those made in the vendor’s dashboard', async () => {
      const { request, processorPaymentId } = await paid();
      const { chargeId, credentials } = request;
      const refundId = newId('Refund');
      await bench().processor.refunds?.refund(
        {
          refundId,
          chargeId,
          processorPaymentId,
          mode: 'test',
          credentials,
          reason: null,
          amount: { amountCents: 300, currency: 'USD' },
        },
        requestTimeout(),
      );
      bench().refundElsewhere?.(processorPaymentId, 200);
      const found = await refundsOf(request, processorPaymentId);
      expect(await Promise.all(found.map((refund) => refund.readChargeId()))).toEqual(found.map(() => chargeId));
      const facts = found.map(({ refundId: id, amountCents, currency, status }) => [id, amountCents, currency, status]);
      const status = expect.stringMatching(/^(succeeded|pending)$/);
      const made = [[refundId, 300, 'USD', status]];
      const elsewhere = bench().refundElsewhere === null ? [] : [[null, 200, 'USD', status]];
      expect(facts).toHaveLength(made.length + elsewhere.length);
      expect(facts).toEqual(expect.arrayContaining([...made, ...elsewhere]));
    });

    it('reports that the lists could not be read', async () => {
      const { wrongCredentials } = bench();
      if (wrongCredentials === null) return;
      const request = {
        ...chargeRequest(bench(), bench().approved()),
        credentials: secretCredentials(wrongCredentials),
      };
      await expect(all(records().payments(spanAround(request), requestTimeout()))).rejects.toThrow(RecordsUnreadable);
      await expect(all(records().refunds(spanAround(request), requestTimeout()))).rejects.toThrow(RecordsUnreadable);
    });
  });
}
