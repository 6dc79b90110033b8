/** Test calls at a vendor's test environment: its cards, what the caller enters, and what cannot be tried there. */
import { PROCESSOR_NAMES } from '../../../contract/attention-words.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { verifiesOnLine } from '../../../payments/deps.ts';
import type { Processor } from '../../../payments/ports.ts';
import { DECLINED_SCRIPTS, digitsToEnter, type TestData, type VendorTestCard } from '../../../payments/test-data.ts';
import type { TestScript } from './scripts.ts';

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

export const vendorTitle = ({ name }: TriedProcessor) => PROCESSOR_NAMES[name] ?? name;

/** The value of a card in the form. The sandbox's cards have no dot. */
export const cardValue = ({ name }: TriedProcessor, card: VendorTestCard) => `${name}.${card.name}`;

const NO_KEYPAD = 'It accepts no cards on the keypad: the line texts the pay link, which you open and pay yourself.';

/** What cannot be tried at the vendor, and what to know. A sentence each. */
export function limitsOf(vendor: TriedProcessor): string[] {
  const { can, holds, debits, testData } = vendor;
  if (!can.keypad) return [NO_KEYPAD];
  return [
    ...(testData?.limits ?? []),
    ...(holds === null ? [NO_HOLDS] : []),
    ...(verifiesOnLine(vendor) ? [] : [NO_SAVING]),
    ...(debits === undefined ? [NO_DEBITS] : []),
    NO_LOST_ANSWER,
  ];
}

const NO_HOLDS = 'It cannot hold an amount.';
const NO_SAVING = 'The line cannot save a card there without a payment.';
const NO_DEBITS = 'It makes no bank debits.';
const NO_LOST_ANSWER = 'Only the sandbox loses an answer on purpose.';
const NO_POSTAL_CODE = 'This merchant’s line does not ask for the postal code, which decides the outcome there.';

/** Why the script cannot be tried at the vendor; null if it can. */
export function scriptLimit(
  vendor: TriedProcessor,
  name: string,
  script: TestScript,
  merchant: Pick<MerchantResource, 'asks_postal_code'>,
): string | null {
  const { can, holds, debits, testData } = vendor;
  if (!can.keypad || testData === undefined) return NO_KEYPAD;
  if (script.checkout === 'hold' && holds === null) return NO_HOLDS;
  if (script.checkout === 'save_card' && !verifiesOnLine(vendor)) return NO_SAVING;
  if (script.offersBankAccount === true && debits === undefined) return NO_DEBITS;
  if (name === 'pending') return NO_LOST_ANSWER;
  return name in DECLINED_SCRIPTS ? declineLimit(testData, name, merchant) : null;
}

function declineLimit(
  { decline, limits }: TestData,
  name: string,
  merchant: Pick<MerchantResource, 'asks_postal_code'>,
): string | null {
  if (decline === null || (decline.by === 'amount' && DECLINED_SCRIPTS[name] === true)) return limits.join(' ');
  return decline.by === 'postal_code' && !merchant.asks_postal_code ? NO_POSTAL_CODE : null;
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
