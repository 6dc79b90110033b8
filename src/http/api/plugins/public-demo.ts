/**
 * The public demo. Visitors share its account, so they cannot change the account, its keys, merchants, callers, saved
 * cards, webhook endpoints and alerts, or end calls. The same applies to requests that reach a demo on loopback through a tunnel.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { AccountId } from '../../../domain/ids.ts';

interface PublicDemoDeps {
  demoAccount: AccountId | null;
  /** The demo can be reached from other machines. Off by default. */
  isPublicDemo?: boolean;
}

const LOCKED: ReadonlySet<string> = new Set([
  'create_key',
  'roll_key',
  'revoke_key',
  'create_merchant',
  'change_merchant',
  'set_merchant_logo',
  'remove_merchant_logo',
  'connect_processor',
  'set_notification_secret',
  'change_account',
  'roll_header_signing_secret',
  'save_card',
  'delete_card',
  'erase_consumer',
  'erase_caller',
  'change_caller_note',
  'acknowledge_charge',
  'finish_attention_item',
  'quiet_attention_item',
  'reopen_attention_item',
  // Visitors could send emails to anyone.
  'create_alert_target',
  'change_alert_target',
  'delete_alert_target',
  'send_test_alert',
  // The hold may be another visitor's.
  'capture_charge',
  'void_charge',
  'settle_charge',
  'settle_refund',
  'change_webhook_endpoint',
  'delete_webhook_endpoint',
  'roll_webhook_secret',
  // The call may be another visitor's.
  'end_call',
  // They show the addresses of visitors and what each of them sent.
  'list_audit_events',
  'list_requests',
  'retrieve_request',
]);

/** Call it after {@link authenticate}. It also applies to the public demo key. */
export function lockPublicDemo(app: FastifyInstance, { demoAccount, isPublicDemo = false }: PublicDemoDeps): void {
  if (demoAccount === null) return;
  app.addHook('onRequest', async ({ scope, isLocal, isInProcess, routeOptions }) => {
    if (isLocal && !isPublicDemo) return;
    if (scope.accountId !== demoAccount || !LOCKED.has(routeOptions.config.operation?.id ?? '')) return;
    throw new ApiError('invalid_key', {
      // The dashboard takes 401 for an ID of the other mode.
      ...(isInProcess === true && { status: 403 }),
      message: 'Visitors of the public demo cannot do this. Use a key of your own account.',
    });
  });
}
