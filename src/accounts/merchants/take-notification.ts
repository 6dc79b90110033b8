/** Takes a processor's signed notification: verifies it with the merchant's secret, and stores what to look up. */
import type { Sql } from '../../db/pool.ts';
import {
  findNotifiedConnection,
  insertNotification,
  type NotifiedSubject,
} from '../../db/processor-notifications/inbox.ts';
import { insertOutcome, type NotifiedOutcome } from '../../db/processor-notifications/outcomes.ts';
import { type MerchantId, parseId } from '../../domain/ids.ts';
import { readableText } from '../../domain/readable-text.ts';
import { Secret } from '../../domain/secret.ts';
import { openOrNull, type Vault } from '../../lib/vault/vault.ts';
import { checkedDispute } from '../../payments/notifications/checked-disputes.ts';
import type { ProcessorNotification, SignedRequest } from '../../payments/port/notifications.ts';
import type { Processor } from '../../payments/port/processor.ts';
import { idOrNull } from '../../payments/shared/checked-answers.ts';
import { hookPath, notificationSecretContext } from './notification-secret.ts';

export interface NotificationDeps {
  database: Sql;
  vault: Vault | null;
  processors: readonly Processor[];
  /** RINGKEY_PUBLIC_URL. */
  publicUrl?: string | null;
  now: () => Date;
}

type TakenNotification =
  | { status: 'stored' | 'repeated' | 'ignored'; type: string; merchantId: MerchantId }
  /** Not signed with the merchant's secret, or there is no such merchant, processor or secret. */
  | { status: 'unsigned' }
  /** Signed, but not a notification. */
  | { status: 'unreadable' };

/** The notification is committed when this resolves. */
export async function takeNotification(
  { database, vault, processors, publicUrl = null, now }: NotificationDeps,
  address: { processor: string; merchant: string },
  request: Pick<SignedRequest, 'body' | 'header'>,
): Promise<TakenNotification> {
  const merchantId = parseId('Merchant', address.merchant);
  const adapter = processors.find(({ name }) => name === address.processor)?.notifications;
  if (merchantId === null || adapter == null) return { status: 'unsigned' };
  const connection = await findNotifiedConnection(database, merchantId, address.processor);
  if (connection === null) return { status: 'unsigned' };
  const url = publicUrl === null ? null : publicUrl + hookPath(address.processor, merchantId);
  const signed = { ...request, url, receivedAt: now() };
  const context = notificationSecretContext(merchantId, address.processor);
  const isSigned = connection.secrets.some((sealed) => {
    const secret = openOrNull(vault, sealed, context);
    return secret !== null && adapter.isSigned(Secret.of(secret), signed);
  });
  if (!isSigned) return { status: 'unsigned' };
  const read = adapter.read((adapter.parse ?? jsonOrNull)(request.body), connection.mode);
  if (read === null) return { status: 'unreadable' };
  const notification = storable(read);
  const subject = notification.subject === null ? null : checked(notification.subject);
  // First: after a crash in between, the processor repeats the notification.
  if (notification.outcome !== undefined) await insertOutcome(database, connection, notification.outcome);
  const told = subject === null || subject.disputeId === null ? null : (notification.dispute ?? null);
  const dispute = told === null || idOrNull(told.paymentId) === null ? null : checkedDispute(told);
  const isNew = await insertNotification(database, connection, { ...notification, subject, dispute });
  const { type } = notification;
  return { status: isNew ? (subject === null ? 'ignored' : 'stored') : 'repeated', type, merchantId };
}

/** What {@link checked} and {@link checkedDispute} do not check, in a form that PostgreSQL can store. */
function storable(notification: ProcessorNotification): ProcessorNotification {
  const { id, type, outcome } = notification;
  const told = outcome === undefined ? {} : { outcome: storableOutcome(outcome) };
  return Object.assign({}, notification, { id: readableText(id), type: readableText(type) }, told);
}

const storableOutcome = (outcome: NotifiedOutcome): NotifiedOutcome => ({
  ...outcome,
  event: readableText(outcome.event),
  merchantAccount: readableText(outcome.merchantAccount),
  reference: readableText(outcome.reference),
  processorReference: readableText(outcome.processorReference),
  paymentId: outcome.paymentId && readableText(outcome.paymentId),
  currency: readableText(outcome.currency),
  reason: outcome.reason && readableText(outcome.reason),
});

/** An ID that contains a card number is not stored. */
function checked(subject: NotifiedSubject): NotifiedSubject {
  const { paymentId, disputeId, payoutId = null } = subject;
  const ids = { paymentId: idOrNull(paymentId), disputeId: idOrNull(disputeId), payoutId: idOrNull(payoutId) };
  return Object.assign({ chargeId: subject.chargeId }, ids);
}

function jsonOrNull(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
