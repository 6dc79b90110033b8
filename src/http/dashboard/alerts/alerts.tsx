/** The account's alerts: the list, adding a target, and a target with its last message, a test, settings and removal. */
import type { AlertTargetResource } from '../../../contract/alerts.ts';
import type { ApiQuestion } from '../../api/in-process.ts';
import { API_CALL_FORM, ApiCall, ShellVariable } from '../form/api-call.tsx';
import { FormFault, type FormState, SecretField, TextField, unsent } from '../form/fields.tsx';
import { Form, GuardedForm } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { settingsPage } from '../form/settings.tsx';
import { merchantChoices } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Block, Facts, Notice, noticeOf, Time } from '../page/parts.tsx';
import { idInPath, requireDeveloper, type Visit } from '../page/visit.ts';
import { AlertFields, alertFormOf, alertSettingsIn, DEFAULTS } from './fields.tsx';
import { LastMessage, startingTimeZone, TestBlock } from './parts.tsx';

const PATH = '/setup/alerts';

export const alertPages: AddPages = (routes) => {
  targetList(routes);
  routes.attemptPage(`${PATH}/new`, async (visit) =>
    newTargetView(visit, unsent(alertFormOf({ ...DEFAULTS, time_zone: await startingTimeZone(visit) }))),
  );
  routes.action(`${PATH}/new/api-call`, (visit, fields) => {
    requireDeveloper(visit);
    return newTargetView(visit, unsent(fields));
  });
  // The address decides who reads about the account.
  routes.liveGuardedAction(`${PATH}/new`, createTarget);
  routes.attemptPage(`${PATH}/:id`, showTarget);
  routes.liveGuardedAction(`${PATH}/:id`, changeTarget);
  routes.action(`${PATH}/:id/api-call`, async (visit, fields) => {
    requireDeveloper(visit);
    return targetView(visit, await findTarget(visit), unsent(fields));
  });
  routes.action(`${PATH}/:id/test`, sendTest);
  routes.action(`${PATH}/:id/delete`, deleteTarget);
};

const titleOf = ({ name, email }: AlertTargetResource) => name || (email ?? 'Slack');
const CHANNELS = { email: 'Email', slack: 'Slack' } as const;

const targetList = listPage<AlertTargetResource>(() => ({
  at: { tab: 'alerts' },
  title: 'Alerts',
  lead: 'Messages about what needs attention, to your team. Each user can also turn on alerts at “Your alerts”.',
  label: 'Alert targets, newest first',
  source: { path: '/v1/alert_targets', field: 'alert_targets', idOf: ({ alert_target_id }) => alert_target_id },
  add: { text: 'Add alert', path: `${PATH}/new` },
  href: ({ alert_target_id }) => `${PATH}/${alert_target_id}`,
  columns: () => [
    { head: 'To', cell: (target) => <bdi>{titleOf(target)}</bdi> },
    { head: 'Channel', cell: ({ channel }) => <span>{CHANNELS[channel]}</span> },
    { head: 'Last message', cell: ({ last_message }) => <LastMessage of={last_message} /> },
    { head: 'Added', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'alert',
    title: 'No alerts yet',
    text: 'Add an email address or a Slack channel. It gets a message about each problem, and a daily summary and month-end reports if you like.',
  }),
}));

async function newTargetView(visit: Visit, form: FormState): Promise<View> {
  const merchants = await merchantChoices(visit);
  return settingsPage(visit, {
    tab: 'alerts',
    title: 'Add alert',
    forms: [form],
    children: (
      <>
        <FormFault form={form} />
        <GuardedForm visit={visit} id={API_CALL_FORM} action={`${PATH}/new`} submit="Add alert" cancel={PATH} isOnce>
          <TextField form={form} name="email" label="Email address" hint="Or the URL of a Slack channel below." />
          <SlackField form={form} />
          <NameField form={form} />
          <AlertFields form={form} merchants={merchants} />
        </GuardedForm>
        <ApiCall visit={visit} action={`${PATH}/new/api-call`} question={newQuestion(shownFields(form.values))} />
      </>
    ),
  });
}

const SlackField = ({ form }: { form: FormState }) => (
  <SecretField
    form={form}
    name="slack_url"
    label="Slack webhook URL"
    hint="In Slack, add an app with incoming webhooks, and copy the URL of the channel. It is stored encrypted and not shown again."
    maxlength={2_048}
  />
);

const NameField = ({ form }: { form: FormState }) => (
  <TextField form={form} name="name" label="Name" hint="Such as #payments." maxlength={60} />
);

interface Shown {
  fields: FormFields;
  slackUrl: string | ShellVariable;
}

/** What is sent. */
const sentFields = (fields: FormFields): Shown => ({ fields, slackUrl: fields.slack_url?.trim() ?? '' });

/** As the API call shows it: the URL of a Slack channel is a secret. */
function shownFields(fields: FormFields): Shown {
  const { slackUrl } = sentFields(fields);
  return { fields, slackUrl: slackUrl === '' ? '' : new ShellVariable('SLACK_URL') };
}

/** Empty fields are left out. */
function bodyOf({ fields, slackUrl }: Shown): object {
  const { email = '', name = '' } = fields;
  return {
    ...(email.trim() && { email: email.trim() }),
    ...(slackUrl !== '' && { slack_url: slackUrl }),
    ...(name.trim() && { name: name.trim() }),
    ...alertSettingsIn(fields),
  };
}

const newQuestion = (shown: Shown): ApiQuestion => ({
  method: 'POST',
  path: '/v1/alert_targets',
  body: bodyOf(shown),
});

/** The address cannot be changed. */
const changeQuestion = (visit: Visit<'id'>, { fields, slackUrl }: Shown): ApiQuestion => ({
  method: 'PATCH',
  path: `/v1/alert_targets/${idInPath(visit)}`,
  body: bodyOf({ fields: { ...fields, email: '' }, slackUrl }),
});

function createTarget(visit: Visit, fields: FormFields): Promise<Taken> {
  return sendForm<AlertTargetResource>(visit, fields, {
    request: newQuestion(sentFields(fields)),
    done: ({ alert_target_id }) => ({ to: `${PATH}/${alert_target_id}?notice=added` }),
    again: (form) => newTargetView(visit, form),
  });
}

/** REST can only list targets. There are 20 at most. */
async function findTarget(visit: Visit<'id'>): Promise<AlertTargetResource> {
  const { alert_targets: all } = await visit.ask<{ alert_targets: AlertTargetResource[] }>({
    path: '/v1/alert_targets',
    query: { limit: '100' },
  });
  const found = all.find(({ alert_target_id }) => alert_target_id === visit.params.id);
  if (found === undefined) throw new DashboardFault('not_found');
  return found;
}

const NOTICES = {
  added: 'Alert added. Send a test message to check it',
  changed: 'Saved',
  tested: 'Test message sent. Its result appears below in a moment',
};

async function showTarget(visit: Visit<'id'>): Promise<View> {
  const target = await findTarget(visit);
  return targetView(visit, target, unsent({ name: target.name, ...alertFormOf(target) }));
}

async function targetView(visit: Visit<'id'>, target: AlertTargetResource, form: FormState): Promise<View> {
  const merchants = await merchantChoices(visit);
  const notice = noticeOf(visit, NOTICES);
  const path = `${PATH}/${idInPath(visit)}`;
  return settingsPage(visit, {
    tab: 'alerts',
    title: titleOf(target),
    heading: <bdi>{titleOf(target)}</bdi>,
    forms: [form],
    children: (
      <>
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <Facts
          facts={[
            ['Channel', CHANNELS[target.channel]],
            target.email === null ? null : ['Address', <bdi>{target.email}</bdi>],
            ['Last message', <LastMessage of={target.last_message} />],
            ['Added', <Time at={target.created_at} full />],
          ]}
        />
        <TestBlock visit={visit} action={`${path}/test`} />
        <Block title="Settings">
          <FormFault form={form} />
          <GuardedForm visit={visit} id={API_CALL_FORM} action={path} submit="Save">
            {target.channel === 'slack' && <SlackField form={form} />}
            <NameField form={form} />
            <AlertFields form={form} merchants={merchants} />
          </GuardedForm>
          <ApiCall
            visit={visit}
            action={`${path}/api-call`}
            question={changeQuestion(visit, shownFields(form.values))}
          />
        </Block>
        <Block title="Remove">
          <p>No more messages are sent, and the address is deleted.</p>
          <Form visit={visit} action={`${path}/delete`} submit="Remove alert" tone="danger" />
        </Block>
      </>
    ),
  });
}

async function changeTarget(visit: Visit<'id'>, fields: FormFields): Promise<Taken> {
  const target = await findTarget(visit);
  return sendForm(visit, fields, {
    request: changeQuestion(visit, sentFields(fields)),
    done: () => ({ to: `${PATH}/${idInPath(visit)}?notice=changed` }),
    again: (form) => targetView(visit, target, form),
  });
}

async function sendTest(visit: Visit<'id'>): Promise<Taken> {
  await visit.ask({ method: 'POST', path: `/v1/alert_targets/${idInPath(visit)}/test` });
  return { to: `${PATH}/${idInPath(visit)}?notice=tested` };
}

async function deleteTarget(visit: Visit<'id'>): Promise<Taken> {
  await visit.ask({ method: 'DELETE', path: `/v1/alert_targets/${idInPath(visit)}` });
  return { to: PATH };
}
