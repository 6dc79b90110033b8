/** The form of alerts: which problems, when, and the daily summary. */
import { ALERT_TOPICS, type AlertTopic } from '../../../domain/alerts.ts';
import {
  CheckField,
  ChoiceField,
  type Choices,
  type FormState,
  SeveralField,
  TextField,
  ticked,
  tickedOf,
} from '../form/fields.tsx';
import type { FormFields } from '../page/page-routes.ts';

const TOPICS: Readonly<Record<AlertTopic, string>> = {
  payments: 'Payments: to settle, paid late or twice, failed later, disputed',
  processors: 'Processors: refusing or slow, low success rates',
  deliveries: 'Deliveries: webhooks, texts, emails and alerts',
  keys: 'API keys and certificates: about to expire, or expired',
  service: 'Service: limits at 80%, missing workers, phone processes, media and SIP servers',
};

const TOPIC_CHOICES: Choices = ALERT_TOPICS.map((topic) => [topic, TOPICS[topic]]);

const HOURS: Choices = Array.from({ length: 24 }, (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`]);
const hours = (none: string): Choices => [['', none], ...HOURS];

/** @param merchants those whose reports can be sent */
export function AlertFields({ form, merchants }: { form: FormState; merchants: Choices }) {
  const choices = withChosen(form, merchants);
  return (
    <>
      <SeveralField form={form} name="topics" label="Problems" choices={TOPIC_CHOICES} />
      <CheckField
        form={form}
        name="urgent_only"
        label="Urgent problems only"
        hint="Callers cannot pay, or a payment was made late or twice, or was lost."
      />
      <TextField form={form} name="time_zone" label="Time zone" hint="Such as America/New_York." maxlength={50} />
      <ChoiceField
        form={form}
        name="quiet_from"
        label="Quiet hours from"
        hint="During quiet hours, only urgent problems are sent."
        choices={hours('No quiet hours')}
      />
      <ChoiceField form={form} name="quiet_until" label="Quiet hours until" choices={hours('No quiet hours')} />
      <ChoiceField form={form} name="summary_hour" label="Daily summary at" choices={hours('No summary')} />
      <CheckField
        form={form}
        name="summary_if_empty"
        label="Also send the summary of a day on which nothing happened"
      />
      {choices.length > 0 && (
        <SeveralField
          form={form}
          name="report_merchants"
          label="Month-end reports"
          hint="Sent on the first day of each month, at the hour of the summary or at 08:00."
          choices={choices}
        />
      )}
    </>
  );
}

/** Only the newest merchants are listed. Chosen ones that are not would be lost when the form is saved. */
function withChosen(form: FormState, merchants: Choices): Choices {
  const listed = new Set(merchants.map(([id]) => id));
  const others = tickedOf(form.values, 'report_merchants').filter((id) => !listed.has(id));
  return [...merchants, ...others.map((id) => [id, id] as const)];
}

/** The settings of a target, or the defaults, as REST shows them. */
export interface ShownSettings {
  topics: readonly string[];
  urgent_only: boolean;
  time_zone: string;
  quiet_from: number | null;
  quiet_until: number | null;
  summary_hour: number | null;
  summary_if_empty: boolean;
  report_merchants: readonly string[];
}

export const DEFAULTS: Omit<ShownSettings, 'time_zone'> = {
  topics: ALERT_TOPICS,
  urgent_only: false,
  quiet_from: null,
  quiet_until: null,
  summary_hour: null,
  summary_if_empty: false,
  report_merchants: [],
};

export function alertFormOf(settings: ShownSettings): FormFields {
  return {
    ...ticked('topics', settings.topics),
    ...(settings.urgent_only && { urgent_only: 'on' }),
    time_zone: settings.time_zone,
    quiet_from: hourField(settings.quiet_from),
    quiet_until: hourField(settings.quiet_until),
    summary_hour: hourField(settings.summary_hour),
    ...(settings.summary_if_empty && { summary_if_empty: 'on' }),
    ...ticked('report_merchants', settings.report_merchants),
  };
}

const hourField = (hour: number | null) => (hour === null ? '' : String(hour));

/** The request body for REST. */
export function alertSettingsIn(fields: FormFields): object {
  const hour = (name: string) => (fields[name] ? Number(fields[name]) : null);
  return {
    topics: tickedOf(fields, 'topics'),
    urgent_only: fields.urgent_only === 'on',
    time_zone: fields.time_zone?.trim() || 'UTC',
    quiet_from: hour('quiet_from'),
    quiet_until: hour('quiet_until'),
    summary_hour: hour('summary_hour'),
    summary_if_empty: fields.summary_if_empty === 'on',
    report_merchants: tickedOf(fields, 'report_merchants'),
  };
}
