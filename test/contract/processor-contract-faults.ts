/**
 * The processor contract on vendor faults: answers that come late, broken or not at all. For adapters with a fake
 * vendor on loopback.
 */
import { expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { ChargeRequest } from '../../src/payments/port/charges.ts';
import type { Processor } from '../../src/payments/port/processor.ts';
import type { RefundRequest, Refunds } from '../../src/payments/port/refunds.ts';
import { FAULTS, type FakeVendor, failNextWithin, type VendorRequest } from '../support/fake-vendor-server.ts';
import { requestTimeout } from '../support/request-timeout.ts';

interface VendorUnderTest {
  fakeVendor: FakeVendor;
  processor: Processor;
  /** A charge request with a card that is approved. */
  request(): ChargeRequest;
  /** The status of a refund right after it is made. */
  refundIs: 'succeeded' | 'pending';
  /** The request that makes a refund, if others come before it. */
  isRefund?: (request: VendorRequest) => boolean;
  /** False for a processor whose lookups send no request. */
  asksOnLookUp?: false;
  /** The same for a capture. */
  isCapture?: (request: VendorRequest) => boolean;
}

/** @param bench called in each test */
export function vendorFaultContract(bench: () => VendorUnderTest): void {
  const charge = (request: ChargeRequest, limit = requestTimeout()) => bench().processor.charge(request, limit);
  const lookUp = (request: ChargeRequest, limit = requestTimeout()) =>
    bench().processor.lookUp({ ...request, createdAt: new Date() }, limit);

  it.each(FAULTS)('returns unknown for a charge after %s, never repeats it, and finds it later', async (fault) => {
    const { fakeVendor, request: newRequest } = bench();
    const request = newRequest();
    const before = fakeVendor.requests.length;
    const limit = failNextWithin(fakeVendor, fault);
    expect(await charge(request, limit)).toEqual({ status: 'unknown', cause: expect.stringMatching(/./) });
    expect(fakeVendor.requests).toHaveLength(before + 1);
    expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
    expect(fakeVendor.countPayments(request.chargeId)).toBe(1);
  });

  it('waits for a slow answer', async () => {
    const { arrived, release } = bench().fakeVendor.holdNext();
    const request = bench().request();
    const answer = charge(request);
    await arrived;
    // The vendor has taken the payment and not answered yet.
    expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
    release();
    expect(await answer).toMatchObject({ status: 'succeeded' });
  });

  it.each(FAULTS)('returns unknown for a lookup after %s', async (fault) => {
    if (bench().asksOnLookUp === false) return;
    const request = bench().request();
    await charge(request);
    expect(await lookUp(request, failNextWithin(bench().fakeVendor, fault))).toMatchObject({ status: 'unknown' });
  });

  it.each(FAULTS)('returns unknown for a refund after %s, and finds it later', async (fault) => {
    const { fakeVendor, processor, request, refundIs, isRefund } = bench();
    if (processor.refunds === null) return;
    const refunds = refundsOf(processor);
    const refundRequest = await refundOf(processor, request());
    const limit = failNextWithin(fakeVendor, fault, isRefund);
    expect(await refunds.refund(refundRequest, limit)).toMatchObject({ status: 'unknown' });
    const later = { ...refundRequest, createdAt: new Date(), processorRefundId: null };
    expect(await refunds.lookUp(later, requestTimeout())).toMatchObject({ status: refundIs });
  });

  it.each(FAULTS)('returns unknown for a capture after %s, never repeats it, and reads it later', async (fault) => {
    const { fakeVendor, processor, request: newRequest, isCapture } = bench();
    const { holds } = processor;
    if (holds === null) return;
    const request = { ...newRequest(), isHold: true };
    const { chargeId, amount, credentials, mode } = request;
    const answer = await processor.charge(request, requestTimeout());
    if (answer.status !== 'authorized') throw new Error(answer.status);
    const hold = { chargeId, mode, credentials, processorPaymentId: answer.processorPaymentId };
    const capture = { ...hold, changeId: newId('HoldChange'), amount, held: amount };
    const sent = () => fakeVendor.requests.filter(isCapture ?? (() => true)).length;
    const before = sent();
    const limit = failNextWithin(fakeVendor, fault, isCapture);
    expect(await holds.capture(capture, limit)).toMatchObject({ status: 'unknown' });
    expect(sent()).toBe(before + 1);
    expect(await holds.read(hold, requestTimeout())).toEqual({ status: 'captured', captured: amount });
  });
}

/** Makes a payment. @returns the request to refund it */
async function refundOf(processor: Processor, request: ChargeRequest): Promise<RefundRequest> {
  const { chargeId, amount, credentials, mode } = request;
  const paid = await processor.charge(request, requestTimeout());
  if (paid.status !== 'succeeded') throw new Error(paid.status);
  const { processorPaymentId } = paid;
  return { refundId: newId('Refund'), chargeId, processorPaymentId, mode, amount, credentials, reason: null };
}

export function refundsOf({ refunds }: Processor): Refunds {
  if (refunds === null) throw new Error('it gives money back');
  return refunds;
}
