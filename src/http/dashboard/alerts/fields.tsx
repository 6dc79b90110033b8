/** The form of alerts: which problems, when, and the daily summary. */
import { ALERT_TOPICS } from '../../../domain/alerts.ts';
import { TimeZoneField } from '../form/choices.tsx';
import {
  CheckField,
  ChoiceField,
  type Choices,
  type FormState,
  SeveralField,
  ticked,
  tickedOf,
} from '../form/fields.tsx';
import { type FormMerchants, readFormMerchants, SeveralMerchants } from '../form/merchants.tsx';
import { timeZoneIn } from '../form/time-zones.ts';
import type { FormFields, PageRoutes } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { choicesOf } from '../words/names/index.ts';
import { alertWords } from './words/index.ts';

const HOURS: Choices = Array.from({ length: 24 }, (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`]);
const hours = (none: string): Choices => [['', none], ...HOURS];

/** @param merchants those whose reports can be sent */
export function AlertFields({ form, merchants }: { form: FormState; merchants: FormMerchants }) {
  const { fields: w, topics } = alertWords();
  return (
    <>
      <SeveralField form={form} name="topics" label={w.topics} choices={choicesOf(topics)} />
      <CheckField form={form} name="urgent_only" label={w.urgent} hint={w.urgentHint} />
      <TimeZoneField form={form} hint={w.zoneHint} />
      <ChoiceField form={form} name="quiet_from" label={w.quietFrom} hint={w.quietHint} choices={hours(w.noQuiet)} />
      <ChoiceField form={form} name="quiet_until" label={w.quietUntil} choices={hours(w.noQuiet)} />
      <ChoiceField form={form} name="summary_hour" label={w.summary} choices={hours(w.noSummary)} />
      <CheckField form={form} name="summary_if_empty" label={w.ifEmpty} />
      {(merchants.choices.length > 0 || merchants.hasSearch) && (
        <SeveralMerchants
          form={form}
          name="report_merchants"
          label={w.reports}
          hint={w.reportsHint}
          merchants={merchants}
        />
      )}
    </>
  );
}

/** The merchants of the form. */
export const reportMerchants = (
  database: PageRoutes['database'],
  { user: { accountId }, mode }: Visit,
  { values }: FormState,
): Promise<FormMerchants> =>
  readFormMerchants(database, { accountId, mode, chosen: tickedOf(values, 'report_merchants') }, values);

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
    time_zone: timeZoneIn(fields.time_zone ?? '') || 'UTC',
    quiet_from: hour('quiet_from'),
    quiet_until: hour('quiet_until'),
    summary_hour: hour('summary_hour'),
    summary_if_empty: fields.summary_if_empty === 'on',
    report_merchants: tickedOf(fields, 'report_merchants'),
  };
}
