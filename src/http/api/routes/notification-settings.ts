/** `/v1/merchants/{id}/processor/…`: the secret and the address of the processor's notifications. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  changeNotificationSecret,
  type NotificationSettingsDeps,
  notificationSettings,
} from '../../../accounts/merchants/notification-secret.ts';
import { FIELDS } from '../../../contract/fields.ts';
import type { Merchant } from '../../../domain/merchant.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { requireMerchant } from '../require-in-scope.ts';
import { NotificationsResource, SetNotificationSecretRequest } from './merchant-shapes.ts';

const params = z.object({ id: FIELDS.merchant_id });

const SET_NOTIFICATION_SECRET = {
  id: 'set_notification_secret',
  group: 'Merchants',
  summary: 'Set the secret of processor notifications',
  description: `Sets the secret with which the merchant's connected processor signs its notifications, and returns the \`url\` to
enter there. Notifications settle pending charges sooner. Without a secret, none are accepted. [Where each processor
shows its secret](/docs/processors#notifications).

The former secret is accepted for 24 more hours, so that you can replace it without losing notifications.`,
  params,
  request: SetNotificationSecretRequest,
  response: NotificationsResource,
  answers: 'The address of the notifications, and whether a secret is set.',
  errors: ['missing_required_fields', 'merchant_not_found', 'invalid_processor', 'invalid_value'],
  example: {
    params: { id: 'mer_demo_diner' },
    body: { notification_secret: 'sandbox_secret_example' },
  },
} satisfies Operation;

const RETRIEVE_NOTIFICATIONS = {
  id: 'retrieve_notification_settings',
  group: 'Merchants',
  summary: 'Retrieve the settings of processor notifications',
  description: 'Returns the address to enter at the processor, and whether a secret is set. The secret is never shown.',
  params,
  response: NotificationsResource,
  answers: 'The address of the notifications, and whether a secret is set.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
} satisfies Operation;

export function notificationSettingsRoutes(app: FastifyInstance, deps: NotificationSettingsDeps): void {
  addOperation(
    app,
    'POST /merchants/:id/processor/notification_secret',
    SET_NOTIFICATION_SECRET,
    async ({ params, body }, request) => {
      const { merchant } = await requireMerchant(deps.database, request, params.id);
      await changeNotificationSecret(deps, request.actor, merchant, body.notification_secret);
      return notificationsResource(deps, merchant);
    },
  );

  addOperation(app, 'GET /merchants/:id/processor/notifications', RETRIEVE_NOTIFICATIONS, async ({ params }, request) =>
    notificationsResource(deps, (await requireMerchant(deps.database, request, params.id)).merchant),
  );
}

async function notificationsResource(
  deps: NotificationSettingsDeps,
  merchant: Merchant,
): Promise<NotificationsResource> {
  const { canNotify, url, hasSecret, previousSecretUntil } = await notificationSettings(deps, merchant);
  return {
    merchant_id: merchant.id,
    processor: merchant.processor,
    can_notify: canNotify,
    url,
    has_secret: hasSecret,
    previous_secret_until: previousSecretUntil?.toISOString() ?? null,
  };
}
