/** Twilio's status callback (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status). */
import type { DeliveryReport } from '../../../db/texts/text-deliveries.ts';

/** Without `sent` and earlier statuses, which are known, and `read`, which follows `delivered`. */
const DELIVERIES: Readonly<Record<string, DeliveryReport['delivery']>> = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
};

/** Null unless it is a message's final status. @param textId ours, from the URL */
export function twilioDelivery(form: URLSearchParams, textId: string | null): DeliveryReport | null {
  const carrierMessageId = form.get('MessageSid');
  const delivery = DELIVERIES[form.get('MessageStatus') ?? ''];
  if (carrierMessageId === null || delivery === undefined) return null;
  return { carrier: 'twilio', textId, carrierMessageId, delivery, code: form.get('ErrorCode') };
}
