/** What a call shows of who pays on it, for the velocity rules: its number, and the trunk or address that sent it. */
import { addressMatcher } from '../domain/address-range.ts';
import { isWithheldNumber } from '../domain/phone-number.ts';
import type { PayingCall } from '../payments/signals.ts';
import type { PhoneSettings } from './deps.ts';
import type { IncomingCall } from './ports.ts';
import { e164 } from './session-lookup.ts';

/**
 * A number in E.164, however it is spelled: each spelling would be counted by itself. A trunk sends from any address of
 * its block.
 */
export function payingCallOf(
  { callingNumber, sourceAddress }: Pick<IncomingCall, 'callingNumber' | 'sourceAddress'>,
  { trunks, trunkCountry }: Pick<PhoneSettings, 'trunks' | 'trunkCountry'>,
): PayingCall {
  const isNamed = callingNumber !== null && !isWithheldNumber(callingNumber);
  return {
    number: isNamed ? (e164(callingNumber, { trunkCountry }) ?? callingNumber) : null,
    source: trunks.find((range) => addressMatcher([range])(sourceAddress)) ?? sourceAddress,
  };
}
