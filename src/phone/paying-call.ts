/** What a call shows of who pays on it, for the velocity rules: its number, and the trunk or address that sent it. */
import { addressMatcher } from '../domain/address-range.ts';
import { isWithheldNumber } from '../domain/phone-number.ts';
import type { PayingCall } from '../payments/signals.ts';
import type { IncomingCall } from './ports.ts';

/** @param trunks RINGKEY_TRUNKS: a trunk sends from any address of its block */
export function payingCallOf(
  { callingNumber, sourceAddress }: Pick<IncomingCall, 'callingNumber' | 'sourceAddress'>,
  trunks: readonly string[],
): PayingCall {
  return {
    number: callingNumber === null || isWithheldNumber(callingNumber) ? null : callingNumber,
    source: trunks.find((range) => addressMatcher([range])(sourceAddress)) ?? sourceAddress,
  };
}
