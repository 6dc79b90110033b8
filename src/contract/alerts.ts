/** Alert targets as REST shows them. */
import { z } from 'zod';
import {
  ALERT_CHANNELS,
  ALERT_MESSAGE_KINDS,
  ALERT_MESSAGE_STATUSES,
  ALERT_TOPICS,
  type AlertTarget,
} from '../domain/alerts.ts';
import { FIELDS, field } from './fields.ts';

const LastMessage = z.object({
  kind: field(
    z.enum(ALERT_MESSAGE_KINDS),
    '`alert`: problems that opened or were resolved. `summary`: the daily summary. `report`: the reports of a month. `test`: a test message.',
    'alert',
  ),
  status: field(
    z.enum(ALERT_MESSAGE_STATUSES),
    '`waiting`: not sent yet, or waiting for the next attempt. `sent`: accepted by the server. `failed`: will not be retried.',
    'sent',
  ),
  error_code: field(
    z.string().nullable(),
    'The code of the last failure: of the mail server or of Slack, or `timeout`, `connection`, `forbidden_address`, `not_configured`. Otherwise null.',
    null,
  ),
  created_at: FIELDS.created_at,
  settled_at: field(z.iso.datetime().nullable(), 'When it was sent or failed. Null while it is `waiting`.', null),
});

const hour = (description: string, example: number | null) =>
  field(z.int().min(0).max(23).nullable(), description, example);

/** The fields of requests and answers. */
export const ALERT_FIELDS = {
  name: (text: z.ZodString | z.ZodType<string>) =>
    field(text, 'A name for people, such as the name of the Slack channel. Empty if there is none.', '#payments'),
  topics: (list: z.ZodType<(typeof ALERT_TOPICS)[number][]>) =>
    field(
      list,
      '`payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers.',
      ['payments', 'processors'],
    ),
  urgent_only: field(
    z.boolean(),
    'If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers.',
    false,
  ),
  quiet_from: hour('Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none.', 22),
  quiet_until: hour('Quiet hours end at this hour. Null: none.', 7),
  summary_hour: hour('The hour at which a summary of the day before is sent. Null: none.', 8),
  summary_if_empty: field(
    z.boolean(),
    'If true, the summary is also sent after a day without calls, payments and problems.',
    false,
  ),
  report_merchants: (ids: z.ZodType<string[]>) =>
    field(
      ids,
      'Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none.',
      ['mer_demo_diner'],
    ),
} as const;

export const ALERT_TIME_ZONE_MEANING = 'IANA name of the time zone of all hours and days. The default is `UTC`.';

export const AlertTargetResource = z
  .object({
    alert_target_id: field(z.string(), 'The target, `alert_…`.', 'alert_fcat7k2m9vqx4hdw6znt3cbyj8'),
    channel: field(z.enum(ALERT_CHANNELS), 'How messages are sent.', 'email'),
    name: ALERT_FIELDS.name(z.string()),
    email: field(
      z.string().nullable(),
      'The address. Null for Slack: its URL is a secret, and never shown.',
      'operations@example.com',
    ),
    topics: ALERT_FIELDS.topics(z.array(z.enum(ALERT_TOPICS))),
    urgent_only: ALERT_FIELDS.urgent_only,
    time_zone: field(z.string(), 'IANA name of the time zone of all hours and days.', 'America/New_York'),
    quiet_from: ALERT_FIELDS.quiet_from,
    quiet_until: ALERT_FIELDS.quiet_until,
    summary_hour: ALERT_FIELDS.summary_hour,
    summary_if_empty: ALERT_FIELDS.summary_if_empty,
    report_merchants: ALERT_FIELDS.report_merchants(z.array(z.string())),
    created_at: FIELDS.created_at,
    last_message: field(LastMessage.nullable(), 'The newest message. Null if there was none in the last 30 days.'),
  })
  .meta({
    id: 'AlertTarget',
    description: 'An email address or a Slack channel that gets messages about attention items.',
  });
export type AlertTargetResource = z.infer<typeof AlertTargetResource>;

export function alertTargetResource(target: AlertTarget): AlertTargetResource {
  const { last } = target;
  return {
    alert_target_id: target.id,
    channel: target.channel,
    name: target.name,
    email: target.email,
    topics: target.topics,
    urgent_only: target.urgentOnly,
    time_zone: target.timeZone,
    quiet_from: target.quietFrom,
    quiet_until: target.quietUntil,
    summary_hour: target.summaryHour,
    summary_if_empty: target.summaryIfEmpty,
    report_merchants: target.reportMerchants,
    created_at: target.createdAt.toISOString(),
    last_message: last && {
      kind: last.kind,
      status: last.status,
      error_code: last.errorCode,
      created_at: new Date(last.createdAt).toISOString(),
      settled_at: last.settledAt === null ? null : new Date(last.settledAt).toISOString(),
    },
  };
}
