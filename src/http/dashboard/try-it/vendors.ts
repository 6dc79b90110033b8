/** Test calls at a vendor's test environment: its cards, what the caller enters, and what cannot be tried there. */

import type { MerchantResource } from '../../../contract/merchants.ts';
import type { Processor } from '../../../payments/port/processor.ts';
import {
  DECLINED_SCRIPTS,
  digitsToEnter,
  type TestData,
  type VendorTestCard,
} from '../../../payments/port/test-data.ts';
import { verifiesOnLine } from '../../../payments/shared/deps.ts';
import { processorText } from '../words/names/processors.ts';
import type { TestScript } from './scripts.ts';
import { tryWords } from './words/index.ts';

/** The parts of an adapter that decide what a test call can do. */
export type TriedProcessor = Pick<Processor, 'name' | 'can' | 'needsCredentials' | 'holds' | 'debits' | 'testData'>;

/** The processor of the merchant if it belongs to a vendor; null for the sandboxes, and for none. */
export const vendorOf = (
  processors: readonly TriedProcessor[],
  { processor }: Pick<MerchantResource, 'processor'>,
): TriedProcessor | null =>
  processors.find(({ name, needsCredentials }) => needsCredentials && name === processor) ?? null;

/** The vendors that these merchants are connected to, in the order of the table of processors. */
export function vendorsOf(
  processors: readonly TriedProcessor[],
  merchants: readonly Pick<MerchantResource, 'processor'>[],
): TriedProcessor[] {
  const used = new Set(merchants.map((merchant) => vendorOf(processors, merchant)));
  return processors.filter((processor) => used.has(processor));
}

export const vendorTitle = ({ name }: TriedProcessor) => processorText(name);

/** The value of a card in the form. The sandbox's cards have no dot. */
export const cardValue = ({ name }: TriedProcessor, card: VendorTestCard) => `${name}.${card.name}`;

/** What cannot be tried at the vendor, and what to know. A sentence each. */
export function limitsOf(vendor: TriedProcessor): string[] {
  const { can, holds, debits, testData } = vendor;
  const w = tryWords().limits;
  if (!can.keypad) return [w.noKeypad];
  return [
    ...(testData?.limits ?? []),
    ...(holds === null ? [w.noHolds] : []),
    ...(verifiesOnLine(vendor) ? [] : [w.noSaving]),
    ...(debits === undefined ? [w.noDebits] : []),
    w.noLostAnswer,
  ];
}

/** Why the script cannot be tried at the vendor; null if it can. */
export function scriptLimit(
  vendor: TriedProcessor,
  name: string,
  script: TestScript,
  merchant: Pick<MerchantResource, 'asks_postal_code'>,
): string | null {
  const { can, holds, debits, testData } = vendor;
  const w = tryWords().limits;
  if (!can.keypad || testData === undefined) return w.noKeypad;
  if (script.checkout === 'hold' && holds === null) return w.noHolds;
  if (script.checkout === 'save_card' && !verifiesOnLine(vendor)) return w.noSaving;
  if (script.offersBankAccount === true && debits === undefined) return w.noDebits;
  if (name === 'pending') return w.noLostAnswer;
  return name in DECLINED_SCRIPTS ? declineLimit(testData, name, merchant) : null;
}

function declineLimit(
  { decline, limits }: TestData,
  name: string,
  merchant: Pick<MerchantResource, 'asks_postal_code'>,
): string | null {
  if (decline === null || (decline.by === 'amount' && DECLINED_SCRIPTS[name] === true)) return limits.join(' ');
  return decline.by === 'postal_code' && !merchant.asks_postal_code ? tryWords().limits.noPostalCode : null;
}

/** The amount that a declined caller pays; null if the amount does not decide. */
export function declinedAmount({ testData }: TriedProcessor, name: string): number | null {
  const decline = testData?.decline;
  return name in DECLINED_SCRIPTS && decline?.by === 'amount' ? decline.amountCents : null;
}

/**
 * What the caller enters, by the fields of `ringkey call --enter`.
 * @param value of the form; empty: the first card. @returns undefined if it is no card of the vendor
 */
export function enteredAt(
  vendor: TriedProcessor,
  value: string,
  scriptName: string,
): Readonly<Record<string, string>> | undefined {
  const { testData } = vendor;
  if (testData === undefined) return value === '' ? {} : undefined;
  const chosen = testData.cards.find((card) => cardValue(vendor, card) === value);
  if (chosen === undefined && value !== '') return undefined;
  return digitsToEnter(testData, chosen ?? null, scriptName in DECLINED_SCRIPTS);
}
