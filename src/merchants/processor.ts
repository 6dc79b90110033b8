/** A merchant's processor: connecting it (credentials are tried, then stored encrypted), and opening its credentials. */
import type { Scope } from '../domain/account.ts';
import { ApiError } from '../contract/errors.ts';
import type { Merchant, Mode } from '../domain/session.ts';
import { withinLimit } from '../concurrency/time-limit.ts';
import type { CredentialsFor } from '../payments/deps.ts';
import {
  type ConnectionCheck,
  type Credentials,
  type PlainCredentials,
  type Processor,
  secretCredentials,
  type Tokenization,
} from '../payments/ports.ts';
import type { Sql } from '../db/pool.ts';
import { connectProcessor, findCredentials } from '../db/merchants/merchant-processors.ts';
import type { MerchantRecord } from '../db/merchants/merchant-records.ts';
import { CannotOpen, type Vault } from '../vault/vault.ts';
import { type MerchantDeps, requireVault } from './deps.ts';

const CHECK_LIMIT_MS = 10_000;

/** The adapter of that name, if it takes payments of this mode. */
export function processorFor(processors: readonly Processor[], mode: Mode, name: string | null): Processor | null {
  return processors.find((candidate) => candidate.name === name && candidate.modes.includes(mode)) ?? null;
}

/**
 * Connects the merchant in place of what was connected before.
 * @throws ApiError `invalid_processor`, `invalid_credentials`, `vendor_not_provisioned`, `not_configured`,
 *   `processor_unavailable` (nothing was kept)
 */
export async function connectMerchant(
  deps: MerchantDeps,
  scope: Scope,
  merchant: Merchant,
  request: { processor: string; credentials: PlainCredentials },
): Promise<void> {
  const processor = processorFor(deps.processors, scope.mode, request.processor);
  if (processor === null) throw new ApiError('invalid_processor', { param: 'processor' });
  checkShape(processor, scope.mode, request.credentials);
  const isEmpty = Object.keys(request.credentials).length === 0;
  const credentials = isEmpty ? null : seal(deps, merchant, processor.name, request.credentials);
  const check = await checkConnection(processor, scope.mode, secretCredentials(request.credentials));
  switch (check.status) {
    case 'ok': {
      const account = check.account ?? null;
      return connectProcessor(deps.database, merchant, { processor: processor.name, credentials, account });
    }
    case 'invalid':
      throw new ApiError('invalid_credentials', { param: 'credentials' });
    case 'not_provisioned':
      throw new ApiError('vendor_not_provisioned');
    case 'unavailable':
      throw new ApiError('processor_unavailable', {
        // The code's own words are about a payment that may have been made.
        ...{ isTemporary: true, words: 'merchant_credentials_invalid' },
        message: 'The processor could not be asked about these credentials; nothing was changed.',
      });
  }
}

/** @throws ApiError `invalid_credentials`, naming the first field that is wrong */
function checkShape(processor: Processor, mode: Mode, credentials: PlainCredentials): void {
  const { error } = processor.credentialsSchema(mode).safeParse(credentials);
  const issue = error?.issues[0];
  if (issue === undefined) return;
  const isUnknown = issue.code === 'unrecognized_keys';
  const [field] = isUnknown ? issue.keys : issue.path;
  const isMissing = !isUnknown && field !== undefined && !Object.hasOwn(credentials, field);
  const param = field === undefined ? 'credentials' : `credentials.${String(field)}`;
  const form = `is not written as ${processor.name} writes it in ${mode} mode`;
  const fault = isUnknown ? `is none of those of ${processor.name}` : isMissing ? 'is missing' : form;
  throw new ApiError('invalid_credentials', { param, message: `${param} ${fault}.` });
}

function seal(deps: MerchantDeps, merchant: Merchant, processor: string, credentials: PlainCredentials): string {
  return requireVault(deps.vault).seal(JSON.stringify(credentials), credentialsContext(merchant, processor));
}

/** Encryption context of a merchant's credentials. */
export function credentialsContext(merchant: { id: string }, processor: string): string {
  return `processor:${merchant.id}:${processor}`;
}

export async function checkConnection(
  processor: Processor,
  mode: Mode,
  credentials: Credentials,
): Promise<ConnectionCheck> {
  return withinLimit(CHECK_LIMIT_MS, (signal) => processor.checkConnection(mode, credentials, signal));
}

/** The merchant's credentials in the clear; null when this process has no key that decrypts them. */
export function openCredentials(
  deps: Pick<MerchantDeps, 'vault'>,
  record: { merchant: Pick<Merchant, 'id' | 'processor'>; credentials: MerchantRecord['credentials'] },
): Credentials | null {
  const { merchant, credentials } = record;
  if (credentials === null) return {};
  return merchant.processor === null
    ? null
    : decryptCredentials(deps.vault, credentials, credentialsContext(merchant, merchant.processor));
}

/** Finds the credentials of a charge's merchant and processor, for taking payments. */
export function credentialsSource(sql: Sql, vault: Vault | null): CredentialsFor {
  return async ({ merchantId, processor }) => {
    const sealed = await findCredentials(sql, merchantId, processor);
    return sealed === null
      ? null
      : decryptCredentials(vault, sealed, credentialsContext({ id: merchantId }, processor));
  };
}

function decryptCredentials(vault: Vault | null, sealed: string, context: string): Credentials | null {
  if (vault === null) return null;
  try {
    return secretCredentials(JSON.parse(vault.open(sealed, context)) as PlainCredentials);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

/**
 * What the pay page's card field needs of the session's merchant.
 * @param reading the session's merchant, and the encrypted credentials of its processor
 * @returns null when the processor needs none, or the credentials are incomplete or cannot be decrypted
 */
export function tokenizationFor(
  deps: Pick<MerchantDeps, 'processors' | 'vault'>,
  { merchant, credentials }: { merchant: Merchant | null; credentials: string | null },
): Tokenization | null {
  if (merchant === null) return null;
  const processor = processorFor(deps.processors, merchant.mode, merchant.processor);
  if (processor?.can.pageTokens !== true) return null;
  const opened = openCredentials(deps, { merchant, credentials });
  return opened === null ? null : processor.tokenization(merchant.mode, opened);
}
