/** What a merchant still needs before it can take live payments. */
import type { Merchant } from '../domain/session.ts';
import type { ConnectionCheck } from '../payments/ports.ts';
import type { MerchantRecord } from '../db/merchants/merchant-records.ts';
import type { MerchantDeps } from './deps.ts';
import { checkConnection, openCredentials, processorFor } from './processor.ts';

/** Codes, each with what to do about it. */
export const REQUIREMENTS = {
  test_environment: 'This is a test merchant: create it with a live key to take real payments.',
  processor_missing: 'Connect a processor: POST /v1/merchants/{id}/processor.',
  processor_unknown: 'The connected processor does not take payments in this environment: connect another.',
  credentials_unreadable:
    'The stored credentials cannot be decrypted with the keys of now: connect the processor again.',
  credentials_invalid: 'The processor rejects the stored credentials: connect it again.',
  vendor_not_provisioned: "The merchant's account at the processor cannot take payments yet: finish it there.",
  processor_unavailable: 'The processor could not be asked just now: ask again.',
  policy_never: 'The payment policy is `never`: nothing is ever to be paid.',
} as const;

export type Requirement = keyof typeof REQUIREMENTS;

export interface MerchantStatus {
  merchant: Merchant;
  /** Whether checkouts of the merchant's own mode can be paid. */
  isReady: boolean;
  /** What is missing for live payments. */
  requirements: Requirement[];
}

/** Asks the processor whether it takes the stored credentials. */
export async function merchantStatus(deps: MerchantDeps, record: MerchantRecord): Promise<MerchantStatus> {
  const { merchant } = record;
  const ofProcessor = await processorRequirement(deps, record);
  const requirements: Requirement[] = [];
  if (merchant.mode === 'test') requirements.push('test_environment');
  if (ofProcessor !== null) requirements.push(ofProcessor);
  if (merchant.policy.kind === 'never') requirements.push('policy_never');
  return { merchant, isReady: requirements.every((code) => code === 'test_environment'), requirements };
}

async function processorRequirement(deps: MerchantDeps, record: MerchantRecord): Promise<Requirement | null> {
  const { merchant } = record;
  if (merchant.processor === null) return 'processor_missing';
  const processor = processorFor(deps.processors, merchant.mode, merchant.processor);
  if (processor === null) return 'processor_unknown';
  const credentials = openCredentials(deps, record);
  if (credentials === null) return 'credentials_unreadable';
  const { status } = await checkConnection(processor, merchant.mode, credentials);
  return REQUIREMENT_BY_CHECK[status];
}

const REQUIREMENT_BY_CHECK: Record<ConnectionCheck['status'], Requirement | null> = {
  ok: null,
  invalid: 'credentials_invalid',
  not_provisioned: 'vendor_not_provisioned',
  unavailable: 'processor_unavailable',
};
