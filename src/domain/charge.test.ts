import { expect, test } from 'vitest';
import { failedCallReason, failureCause } from './charge.ts';

test.each([
  ['do_not_honor', 'card_declined', 'pi_1', 'declined'],
  ['insufficient_funds', null, null, 'declined'],
  ['processing_error', null, null, 'not_received'],
  ['processing_error', 'processing_error', 'pi_1', 'not_processed'],
  ['processing_error', 'SOURCE_USED', null, 'not_processed'],
  ['try_again_later', 'not_connected', null, 'not_processed'],
  [null, 'credentials_rejected', null, 'merchant'],
] as const)('decline code %s, processor code %s, payment %s: %s', (declineCode, processorCode, paymentId, cause) => {
  expect(failureCause({ declineCode, processorCode, processorPaymentId: paymentId })).toBe(cause);
});

test.each([
  ['insufficient_funds', 'declined'],
  ['authentication_required', 'declined'],
  ['processing_error', 'error'],
  ['try_again_later', 'error'],
  [null, 'error'],
] as const)('a call whose charge failed with %s has the reason %s', (declineCode, reason) => {
  expect(failedCallReason(declineCode)).toBe(reason);
});
