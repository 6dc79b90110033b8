/** `/v1/alert_targets`: the schemas of requests, and the settings that follow from them. */
import { z } from 'zod';
import { ALERT_FIELDS, ALERT_TIME_ZONE_MEANING } from '../../../contract/alerts.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { ALERT_TOPICS, type AlertSettings } from '../../../domain/alerts.ts';
import { type MerchantId, parseId } from '../../../domain/ids.ts';
import { anyId, emailAddress, line, timeZone } from '../text-schemas.ts';

const MAX_NAME_LENGTH = 60;
const MAX_URL_LENGTH = 2_048;
/** A message has a block for each. */
const MAX_REPORT_MERCHANTS = 20;

const topics = z
  .array(z.enum(ALERT_TOPICS))
  .min(1, { error: 'must name at least one' })
  .refine((given) => new Set(given).size === given.length, { error: 'must not contain a topic twice' });

const slackUrl = field(
  z.string().min(1).max(MAX_URL_LENGTH),
  'The URL of an incoming webhook of Slack, or of a program that takes the same form. It is a secret: it is encrypted, and never shown. Must be https with a host on the public internet. Any other URL returns `invalid_url`.',
  'https://slack.example.com/services/T000/B000/XXXX',
);

/** Of an account's target, or of a user's own. */
export const AlertSettingsRequest = z.strictObject({
  name: ALERT_FIELDS.name(z.union([z.literal(''), line(MAX_NAME_LENGTH)])).optional(),
  topics: ALERT_FIELDS.topics(topics).optional(),
  urgent_only: ALERT_FIELDS.urgent_only.optional(),
  time_zone: field(timeZone.optional(), ALERT_TIME_ZONE_MEANING, 'America/New_York'),
  quiet_from: ALERT_FIELDS.quiet_from.optional(),
  quiet_until: ALERT_FIELDS.quiet_until.optional(),
  summary_hour: ALERT_FIELDS.summary_hour.optional(),
  summary_if_empty: ALERT_FIELDS.summary_if_empty.optional(),
  report_merchants: ALERT_FIELDS.report_merchants(z.array(anyId).max(MAX_REPORT_MERCHANTS)).optional(),
});

export const CreateAlertTargetRequest = AlertSettingsRequest.extend({
  email: field(emailAddress.optional(), 'The address. Send this or `slack_url`.', 'operations@example.com'),
  slack_url: slackUrl.optional(),
});

export const ChangeAlertTargetRequest = AlertSettingsRequest.extend({ slack_url: slackUrl.optional() });

/** @throws ApiError `invalid_value` */
export function alertSettingsOf(
  body: z.infer<typeof AlertSettingsRequest>,
  before: AlertSettings & { name: string },
): AlertSettings & { name: string } {
  const { quiet_from: quietFrom = before.quietFrom, quiet_until: quietUntil = before.quietUntil } = body;
  if ((quietFrom === null) !== (quietUntil === null) || (quietFrom !== null && quietFrom === quietUntil)) {
    const message = '`quiet_from` and `quiet_until` must be two different hours, or both null.';
    throw new ApiError('invalid_value', { param: 'quiet_from', message });
  }
  const { summary_hour: summaryHour = before.summaryHour } = body;
  return {
    name: body.name ?? before.name,
    topics: body.topics ?? before.topics,
    urgentOnly: body.urgent_only ?? before.urgentOnly,
    timeZone: body.time_zone ?? before.timeZone,
    quietFrom,
    quietUntil,
    summaryHour,
    summaryIfEmpty: body.summary_if_empty ?? before.summaryIfEmpty,
    reportMerchants: body.report_merchants === undefined ? before.reportMerchants : merchantIds(body.report_merchants),
  };
}

/** Whether they exist is checked when they are stored. @throws ApiError `invalid_value` */
function merchantIds(given: readonly string[]): MerchantId[] {
  const ids = given.map((id) => parseId('Merchant', id));
  const known = ids.filter((id): id is MerchantId => id !== null);
  if (known.length === given.length) return known;
  const message = '`report_merchants` must be different merchants of this account and mode.';
  throw new ApiError('invalid_value', { param: 'report_merchants', message });
}
