/** What still keeps a merchant from taking live payments. */
import type { Merchant } from '../domain/session.ts';
import type { ConnectionCheck } from '../payments/ports.ts';
import type { MerchantRecord } from '../db/merchants/merchant-records.ts';
import type { MerchantDeps } from './deps.ts';
import { checkConnection, openCredentials, processorFor } from './processor.ts';

/** Each with what to do about it. */
export const HINDRANCES = {
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

export type Hindrance = keyof typeof HINDRANCES;

export interface MerchantStatus {
  merchant: Merchant;
  /** Whether checkouts of this environment can be paid. */
  ready: boolean;
  /** What keeps it from live payments; empty when nothing does. */
  hindrances: Hindrance[];
}

export async function merchantStatus(deps: MerchantDeps, record: MerchantRecord): Promise<MerchantStatus> {
  const { merchant } = record;
  const atProcessor = await processorHindrance(deps, record);
  const hindrances: Hindrance[] = [];
  if (merchant.mode === 'test') hindrances.push('test_environment');
  if (atProcessor !== null) hindrances.push(atProcessor);
  if (merchant.policy.kind === 'never') hindrances.push('policy_never');
  return { merchant, ready: hindrances.every((hindrance) => hindrance === 'test_environment'), hindrances };
}

async function processorHindrance(deps: MerchantDeps, record: MerchantRecord): Promise<Hindrance | null> {
  const { merchant } = record;
  if (merchant.processor === null) return 'processor_missing';
  const processor = processorFor(deps.processors, merchant.mode, merchant.processor);
  if (processor === null) return 'processor_unknown';
  const credentials = openCredentials(deps, record);
  if (credentials === null) return 'credentials_unreadable';
  return hindranceOf(await checkConnection(processor, merchant.mode, credentials));
}

function hindranceOf({ status }: ConnectionCheck): Hindrance | null {
  switch (status) {
    case 'ok':
      return null;
    case 'invalid':
      return 'credentials_invalid';
    case 'not_provisioned':
      return 'vendor_not_provisioned';
    case 'unavailable':
      return 'processor_unavailable';
  }
}
