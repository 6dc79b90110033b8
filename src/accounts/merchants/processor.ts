/**
 * A merchant's processor: connects it (credentials are tried, then stored encrypted), and opens its credentials and its
 * wallets.
 */

import { isIP } from 'node:net';
import { ApiError } from '../../contract/errors.ts';
import { connectProcessor, findCredentials } from '../../db/merchants/merchant-processors.ts';
import type { MerchantRecord } from '../../db/merchants/merchant-records.ts';
import type { Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Mode } from '../../domain/session.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { openOrNull, requireVault, type Vault } from '../../lib/vault/vault.ts';
import { missingPackage } from '../../lib/vendor-packages.ts';
import { type Credentials, type PlainCredentials, secretCredentials } from '../../payments/port/credentials.ts';
import { type LiveWallets, NO_WALLETS, type Tokenization } from '../../payments/port/page.ts';
import type { ConnectionCheck, Processor } from '../../payments/port/processor.ts';
import type { CredentialsFor } from '../../payments/shared/deps.ts';
import { auditMerchant } from './audit.ts';
import type { MerchantDeps, WalletDeps } from './deps.ts';
import { requireSecretForm, writeNotificationSecret } from './notification-secret.ts';

const CHECK_LIMIT_MS = 10_000;

/** The adapter with that name, if it takes payments in this mode. */
export function processorFor(processors: readonly Processor[], mode: Mode, name: string | null): Processor | null {
  return processors.find((candidate) => candidate.name === name && candidate.modes.includes(mode)) ?? null;
}

/** Whether a merchant's processor takes cards entered on the keypad; true if none is connected. */
export function takesKeypadWith(
  processors: readonly Processor[],
): (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean {
  return ({ mode, processor }) => processorFor(processors, mode, processor)?.can.keypad ?? true;
}

/**
 * Connects the merchant, replacing an earlier connection.
 * @throws ApiError `invalid_processor`, `invalid_credentials`, `vendor_not_provisioned`, `not_configured`,
 * `processor_unavailable` (nothing was stored)
 */
export async function connectMerchant(
  deps: MerchantDeps,
  by: Actor,
  scope: Scope,
  merchant: Merchant,
  request: { processor: string; credentials: PlainCredentials; notification_secret?: string | undefined },
): Promise<void> {
  const processor = processorFor(deps.processors, scope.mode, request.processor);
  if (processor === null) throw new ApiError('invalid_processor', { param: 'processor' });
  const missing = missingPackageOf(processor);
  if (missing !== null) throw new ApiError('not_configured', { message: missing });
  checkShape(processor, scope.mode, request.credentials);
  const { notification_secret: secret } = request;
  if (secret !== undefined) requireSecretForm(processor, secret);
  const isEmpty = Object.keys(request.credentials).length === 0;
  const context = credentialsContext(merchant.id, processor.name);
  const credentials = isEmpty ? null : requireVault(deps.vault).seal(JSON.stringify(request.credentials), context);
  const check = await checkConnection(processor, scope.mode, secretCredentials(request.credentials));
  switch (check.status) {
    case 'ok': {
      const account = check.account ?? null;
      const recordsOf = check.recordsOf ?? account;
      const connection = { processor: processor.name, credentials, account, recordsOf };
      // Of the credentials only that they were replaced.
      const changes = { processor: { from: merchant.processor, to: processor.name }, processor_account: account };
      await deps.database.transaction(async (sql) => {
        await connectProcessor(sql, merchant, connection);
        await auditMerchant(sql, by, 'merchant.processor_connected', merchant, changes);
        if (secret !== undefined) {
          await writeNotificationSecret(sql, deps.vault, by, merchant, processor.name, secret);
        }
      });
      // Where it fails, the merchant's status tries it again.
      await openWallets(deps, processor, scope.mode, secretCredentials(request.credentials));
      return;
    }
    case 'invalid':
      throw new ApiError('invalid_credentials', { param: 'credentials' });
    case 'not_provisioned':
      throw new ApiError('vendor_not_provisioned');
    case 'unavailable':
      throw new ApiError('processor_unavailable', {
        // The code's own words are about a payment that may have been made.
        isTemporary: true,
        words: 'merchant_credentials_invalid',
        message: 'The processor could not be reached to test these credentials. Nothing was changed. Try again.',
      });
  }
}

/** @throws ApiError `invalid_credentials`, which names the first invalid field */
function checkShape(processor: Processor, mode: Mode, credentials: PlainCredentials): void {
  const { error } = processor.credentialsSchema(mode).safeParse(credentials);
  const issue = error?.issues[0];
  if (issue === undefined) return;
  const isUnknown = issue.code === 'unrecognized_keys';
  const [field] = isUnknown ? issue.keys : issue.path;
  const isMissing = !isUnknown && field !== undefined && !Object.hasOwn(credentials, field);
  const param = field === undefined ? 'credentials' : `credentials.${String(field)}`;
  const form = `must have the form of a ${mode} mode credential of ${processor.name}`;
  const fault = isUnknown ? `is not a credential of ${processor.name}` : isMissing ? 'is missing' : form;
  throw new ApiError('invalid_credentials', { param, message: `\`${param}\` ${fault}.` });
}

/** Encryption context of a merchant's credentials. */
export function credentialsContext(merchantId: string, processor: string): string {
  return `processor:${merchantId}:${processor}`;
}

export async function checkConnection(
  processor: Processor,
  mode: Mode,
  credentials: Credentials,
): Promise<ConnectionCheck> {
  if (missingPackageOf(processor) !== null) return { status: 'unavailable' };
  // Its package is large: loading it the first time is not the processor's time.
  await processor.prepare?.();
  return withinLimit(CHECK_LIMIT_MS, (signal) => processor.checkConnection(mode, credentials, signal));
}

const missingPackageOf = ({ vendorPackage }: Processor) =>
  vendorPackage === undefined ? null : missingPackage(vendorPackage);

/** The merchant's decrypted credentials; null if no key of this process opens them. */
export function openCredentials(
  { vault }: Pick<MerchantDeps, 'vault'>,
  { merchant, credentials }: { merchant: MerchantAtPage } & Pick<MerchantRecord, 'credentials'>,
): Credentials | null {
  if (credentials === null) return {};
  return merchant.processor === null ? null : decrypt(vault, credentials, merchant.id, merchant.processor);
}

/** Finds the credentials of a charge's merchant and processor, for taking payments. */
export function credentialsSource(sql: Sql, vault: Vault | null): CredentialsFor {
  return async ({ merchantId, processor }, known = null) => {
    const sealed = known ?? (await findCredentials(sql, merchantId, processor));
    return sealed === null ? null : decrypt(vault, sealed, merchantId, processor);
  };
}

function decrypt(vault: Vault | null, sealed: string, merchantId: string, processor: string): Credentials | null {
  const text = openOrNull(vault, sealed, credentialsContext(merchantId, processor));
  return text === null ? null : secretCredentials(JSON.parse(text) as PlainCredentials);
}

export type MerchantAtPage = Pick<Merchant, 'id' | 'mode' | 'processor'>;

/**
 * The data that the pay page's card field needs from the session's merchant.
 * @param reading the session's merchant, and the encrypted credentials of its processor
 * @returns null if the processor needs none, or the credentials are incomplete or cannot be decrypted
 */
export function tokenizationFor(
  deps: Pick<MerchantDeps, 'processors' | 'vault'>,
  { merchant, credentials }: { merchant: MerchantAtPage | null; credentials: string | null },
): Tokenization | null {
  if (merchant === null) return null;
  const processor = processorFor(deps.processors, merchant.mode, merchant.processor);
  if (processor?.can.pageTokens !== true) return null;
  const opened = openCredentials(deps, { merchant, credentials });
  return opened === null ? null : processor.tokenization(merchant.mode, opened);
}

const WALLETS_LIMIT_MS = 5_000;

/**
 * Apple Pay and Google Pay on the pay page. The processor shows their buttons on registered hosts only: registers the
 * page's host if necessary, and reports which wallets are live there.
 * @returns null if the processor could not be reached
 */
export async function openWallets(
  { linkBase }: WalletDeps,
  processor: Processor,
  mode: Mode,
  credentials: Credentials,
): Promise<LiveWallets | null> {
  const domain = publicHost(linkBase?.(mode) ?? null);
  if (domain === null || processor.registerPageDomain === undefined) return NO_WALLETS;
  const request = { mode, credentials, domain };
  const register = async (signal: AbortSignal) => (await processor.registerPageDomain?.(request, signal)) ?? null;
  return withinLimit(WALLETS_LIMIT_MS, register).catch(() => null);
}

/** Wallets need https and a public host name. */
function publicHost(base: string | null): string | null {
  if (base === null) return null;
  const { protocol, hostname } = new URL(base);
  const isName = hostname.includes('.') && isIP(hostname) === 0 && !hostname.endsWith('.localhost');
  return protocol === 'https:' && isName ? hostname : null;
}
