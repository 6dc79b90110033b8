/** What a merchant still needs for live payments. */
import type { MerchantRecord } from '../../db/merchants/merchant-records.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Mode } from '../../domain/session.ts';
import { type LiveWallets, NO_WALLETS } from '../../payments/port/page.ts';
import type { ConnectionCheck } from '../../payments/port/processor.ts';
import type { MerchantDeps } from './deps.ts';
import { checkConnection, openCredentials, openWallets, processorFor } from './processor.ts';

/** Codes, each with its remedy. */
export const REQUIREMENTS = {
  test_environment: 'This is a test merchant: create it with a live key to take real payments.',
  processor_missing: 'Connect a processor: POST /v1/merchants/{id}/processor.',
  processor_unknown: 'The connected processor does not take payments in this environment: connect another.',
  credentials_unreadable:
    'The stored credentials cannot be decrypted with the current keys: connect the processor again.',
  credentials_invalid: 'The processor rejects the stored credentials: connect it again.',
  vendor_not_provisioned: "The merchant's account at the processor cannot take payments yet: complete its setup there.",
  keypad_unavailable:
    'The processor does not accept keypad cards: calls return to the agent immediately. Saved cards and pay links work.',
  moto_disabled:
    "The merchant's account at the processor does not accept MOTO payments: ask the processor to enable them, or keypad cards are refused.",
  card_numbers_disabled:
    "The merchant's account at the processor does not accept card numbers by API: ask the processor to enable them, or keypad cards are refused.",
  bank_debits_disabled:
    "The merchant's account at the processor takes no bank debits: ask the processor to enable them, or payments from bank accounts are refused.",
  processor_unavailable: 'The processor could not be reached: try again.',
  sms_carrier_missing:
    'No texts are sent in live mode: the operator must configure a carrier (RINGKEY_SMS). Callers are not promised any.',
  pay_links_unavailable:
    'No pay links can be created: the operator must set an https address for them (RINGKEY_LINK_URL). None are offered.',
  policy_never: 'The payment policy is `never`: the merchant takes no payments.',
} as const;

export type Requirement = keyof typeof REQUIREMENTS;

/** Checkouts can be paid despite these: in test mode, with a saved card, or on the pay page. */
const PAYABLE_WITH: readonly Requirement[] = [
  'test_environment',
  'keypad_unavailable',
  'moto_disabled',
  'card_numbers_disabled',
  'bank_debits_disabled',
  'sms_carrier_missing',
  'pay_links_unavailable',
];

interface MerchantStatus {
  merchant: Merchant;
  /** Whether checkouts of the merchant's own mode can be paid. */
  isReady: boolean;
  /** What is missing for live payments. */
  requirements: Requirement[];
  /** The wallets on the pay page; null if the processor could not be reached. */
  wallets: LiveWallets | null;
}

export interface MerchantStatusDeps extends MerchantDeps {
  /** Whether RINGKEY_SMS names a carrier, so that texts of live mode are sent. */
  hasSmsCarrier: boolean;
  /** The base of pay links in a mode; null if there is none. */
  linkBase: (mode: Mode) => string | null;
}

/** Asks the processor whether it takes the stored credentials. */
export async function merchantStatus(deps: MerchantStatusDeps, record: MerchantRecord): Promise<MerchantStatus> {
  const { merchant } = record;
  const { requirements: ofProcessor, wallets } = await askProcessor(deps, record);
  const requirements: Requirement[] = [];
  if (merchant.mode === 'test') requirements.push('test_environment');
  requirements.push(...ofProcessor);
  if (merchant.mode === 'live' && !deps.hasSmsCarrier) requirements.push('sms_carrier_missing');
  if (merchant.mode === 'live' && deps.linkBase('live') === null) requirements.push('pay_links_unavailable');
  if (merchant.policy.kind === 'never') requirements.push('policy_never');
  return { merchant, isReady: requirements.every((code) => PAYABLE_WITH.includes(code)), requirements, wallets };
}

interface ProcessorCheck {
  requirements: readonly Requirement[];
  wallets: LiveWallets | null;
}

const without = (requirement: Requirement): ProcessorCheck => ({ requirements: [requirement], wallets: NO_WALLETS });

async function askProcessor(deps: MerchantDeps, record: MerchantRecord): Promise<ProcessorCheck> {
  const { merchant } = record;
  if (merchant.processor === null) return without('processor_missing');
  const processor = processorFor(deps.processors, merchant.mode, merchant.processor);
  if (processor === null) return without('processor_unknown');
  const credentials = openCredentials(deps, record);
  if (credentials === null) return without('credentials_unreadable');
  const check = await checkConnection(processor, merchant.mode, credentials);
  if (check.status !== 'ok') return without(REQUIREMENT_BY_CHECK[check.status]);
  const keypad = processor.can.keypad ? [] : (['keypad_unavailable'] as const);
  const restrictions = (check.restrictions ?? []).filter(
    (restriction) => restriction !== 'bank_debits_disabled' || merchant.bankDebitPhone !== null,
  );
  return {
    requirements: [...keypad, ...restrictions],
    wallets: await openWallets(deps, processor, merchant.mode, credentials),
  };
}

const REQUIREMENT_BY_CHECK: Record<Exclude<ConnectionCheck['status'], 'ok'>, Requirement> = {
  invalid: 'credentials_invalid',
  not_provisioned: 'vendor_not_provisioned',
  unavailable: 'processor_unavailable',
};
