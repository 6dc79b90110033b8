/** The secret that a merchant's processor signs its notifications with: stored encrypted, and never shown again. */
import { ApiError } from '../../contract/errors.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { readSecretState, type SecretState, setNotificationSecret } from '../../db/processor-notifications/inbox.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { requireVault, type Vault } from '../../lib/vault/vault.ts';
import type { Processor } from '../../payments/port/processor.ts';
import { auditMerchant } from './audit.ts';

/** How long notifications that are signed with the former secret are accepted. */
const KEEP_HOURS = 24;

/** Encryption context of a notification secret. */
export function notificationSecretContext(merchantId: string, processor: string): string {
  return `notifications:${merchantId}:${processor}`;
}

/** @throws ApiError `invalid_value` */
export function requireSecretForm(processor: Processor, secret: string): void {
  const { notifications, name } = processor;
  if (notifications?.secretForm.test(secret)) return;
  const message =
    notifications == null
      ? `${name} sends no notifications that can be verified.`
      : `\`notification_secret\` must have the form of a secret of ${name}.`;
  throw new ApiError('invalid_value', { param: 'notification_secret', message });
}

/** Call it in a transaction. @param secret null to accept no more notifications */
export async function writeNotificationSecret(
  sql: Sql,
  vault: Vault | null,
  by: Actor,
  merchant: Merchant,
  processor: string,
  secret: string | null,
): Promise<void> {
  const context = notificationSecretContext(merchant.id, processor);
  const sealed = secret === null ? null : requireVault(vault).seal(secret, context);
  await setNotificationSecret(sql, merchant.id, processor, sealed, KEEP_HOURS);
  const action = secret === null ? 'merchant.notification_secret_removed' : 'merchant.notification_secret_set';
  await auditMerchant(sql, by, action, merchant, { processor });
}

export interface NotificationSettingsDeps {
  database: Database;
  vault: Vault | null;
  processors: readonly Processor[];
  /** RINGKEY_PUBLIC_URL. */
  publicUrl?: string | null;
}

/** @throws ApiError `invalid_processor` if none is connected, `invalid_value` */
export async function changeNotificationSecret(
  deps: NotificationSettingsDeps,
  by: Actor,
  merchant: Merchant,
  secret: string | null,
): Promise<void> {
  const processor = deps.processors.find(({ name }) => name === merchant.processor);
  if (processor === undefined) {
    throw new ApiError('invalid_processor', {
      message: 'The merchant is connected to no processor. Connect one first.',
    });
  }
  if (secret !== null) requireSecretForm(processor, secret);
  await deps.database.transaction((sql) =>
    writeNotificationSecret(sql, deps.vault, by, merchant, processor.name, secret),
  );
}

interface NotificationSettings extends SecretState {
  /** Whether the processor sends notifications that can be verified. */
  canNotify: boolean;
  /** To enter at the processor. Null if it cannot send any. */
  url: string | null;
}

export async function notificationSettings(
  { database, processors, publicUrl = null }: NotificationSettingsDeps,
  { id, processor: name }: Merchant,
): Promise<NotificationSettings> {
  const processor = processors.find((one) => one.name === name);
  if (name === null || processor?.notifications == null) {
    return { canNotify: false, url: null, hasSecret: false, previousSecretUntil: null };
  }
  const url = publicUrl === null ? null : publicUrl + hookPath(name, id);
  const secrets = await readSecretState(database, id, name);
  return { canNotify: true, url, ...secrets };
}

/** The path of a merchant's notifications. */
export const hookPath = (processor: string, merchantId: string) => `/hooks/processors/${processor}/${merchantId}`;
