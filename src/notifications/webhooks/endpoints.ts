/** Webhook endpoints: the encryption of their signing secrets, and their changes in the audit trail. */
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import type { Sql } from '../../db/pool.ts';
import type { WebhookEndpoint } from '../../db/webhooks/webhook-endpoints.ts';
import { type Actor, type AuditAction, type AuditChanges, changedFields, withoutSecrets } from '../../domain/audit.ts';

/** The encryption context of an endpoint's signing secret. */
export function webhookSecretContext(id: string): string {
  return `webhook endpoint:${id}`;
}

/** Writes a change to the audit trail. Call it in the transaction of the change. */
export function auditEndpoint(
  sql: Sql,
  by: Actor,
  action: AuditAction,
  { accountId, mode, id: objectId }: WebhookEndpoint,
  changes: AuditChanges = {},
): Promise<void> {
  return insertAuditEvent(sql, by, { accountId, mode, action, objectId, changes });
}

/** An endpoint in the audit trail, without the part of its URL that may be secret. */
export function shownEndpoint({ url, events, disabled }: WebhookEndpoint): AuditChanges {
  return { url: withoutSecrets(url), events, disabled };
}

export function endpointChanges(before: WebhookEndpoint, after: WebhookEndpoint): AuditChanges {
  const query = before.url !== after.url && withoutSecrets(before.url) === withoutSecrets(after.url);
  return { ...changedFields(shownEndpoint(before), shownEndpoint(after)), ...(query && { url_query: 'changed' }) };
}
