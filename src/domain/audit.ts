/** Audit events: who changed what, when, and from where. */
import type { AccountId, Id } from './ids.ts';
import type { Mode } from './session.ts';

/** Who requests a change, and from where. */
export interface Actor {
  /**
   * `user`: signed in to the dashboard. `demo`: a request without a key, in the keyless demo. `command`: the command
   * line. `system`: the service itself.
   */
  kind: (typeof ACTOR_KINDS)[number];
  /** The ID of the key or user, or the name of the operating system's user who ran the command. Otherwise null. */
  id: string | null;
  /** The address of the request, or the host on which the command ran. Otherwise null. */
  source: string | null;
  /** The request's ID in the log. */
  requestId: string | null;
}
export const ACTOR_KINDS = ['key', 'user', 'demo', 'command', 'system'] as const;

/** The service itself. */
export const SYSTEM: Actor = { kind: 'system', id: null, source: null, requestId: null };

/** The recorded actions. The first word names the kind of the object. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.changed',
  'account.secret_rolled',
  'account.texts_near_limit',
  'key.created',
  'key.rolled',
  'key.revoked',
  'merchant.created',
  'merchant.changed',
  'merchant.processor_connected',
  'merchant.logo_set',
  'merchant.logo_removed',
  'merchant.notification_secret_set',
  'merchant.notification_secret_removed',
  'webhook_endpoint.created',
  'webhook_endpoint.changed',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rolled',
  'webhook_endpoint.failures_resent',
  'refund.created',
  'refund.settled',
  'refund.failed_late',
  'charge.settled',
  'charge.capture_requested',
  'charge.void_requested',
  'charge.created',
  'charge.paid_late',
  'charge.returned',
  'charge.capture_failed',
  'charge.acknowledged',
  'call.end_requested',
  'user.created',
  'user.invited',
  'user.role_changed',
  'user.merchants_changed',
  'user.removed',
  'user.credentials_changed',
  'user.signed_in',
  'user.sign_in_failed',
  'user.locked',
  'user.signed_out',
  'attention_item.done',
  'attention_item.quieted',
  'attention_item.reopened',
  'alert_target.created',
  'alert_target.changed',
  'alert_target.deleted',
  'saved_view.created',
  'saved_view.changed',
  'saved_view.deleted',
  'card.saved',
  'card.deleted',
  'consumer.note_changed',
  'consumer.erased',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Changed fields as JSON. Never contains a secret: no key, credential, signing secret or token. */
export type AuditChanges = Record<string, unknown>;

/** A change to record. */
export interface AuditEntry {
  accountId: AccountId;
  /** Null: a change of the account as a whole, in both modes. */
  mode: Mode | null;
  action: AuditAction;
  objectId: string;
  changes?: AuditChanges;
}

/** A change by the operator that belongs to no account. No account's audit trail lists it. */
export interface OperatorAuditEntry extends Omit<AuditEntry, 'accountId' | 'mode' | 'action'> {
  accountId: null;
  mode: null;
  action: 'media_server.drained' | 'media_server.undrained';
}

type AuditEventId = Id<'AuditEvent'>;

/** A recorded change. */
export interface AuditEvent extends Required<AuditEntry> {
  id: AuditEventId;
  /** The present name of a merchant; null for other objects. */
  objectName: string | null;
  actor: Actor;
  createdAt: Date;
}

/** The fields that differ: `{name: {from, to}}`. */
export function changedFields(before: AuditChanges, after: AuditChanges): AuditChanges {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const isSame = (name: string) => JSON.stringify(before[name]) === JSON.stringify(after[name]);
  return Object.fromEntries(
    [...names].filter((name) => !isSame(name)).map((name) => [name, { from: before[name], to: after[name] }]),
  );
}

/** A URL without the parts that may be secret: user, password, query, fragment. */
export function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
