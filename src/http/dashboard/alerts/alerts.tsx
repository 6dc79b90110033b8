/** The account's alerts: the list, adding a target, and a target with its last message, a test, settings and removal. */
import type { AlertTargetResource } from '../../../contract/alerts.ts';
import type { ApiQuestion } from '../../api/in-process.ts';
import { API_CALL_FORM, ApiCall, ShellVariable } from '../form/api-call.tsx';
import { FormFault, type FormState, SecretField, TextField, unsent } from '../form/fields.tsx';
import { Form, GuardedForm } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { isMerchantSearch } from '../form/merchants.tsx';
import { maySend } from '../form/roles.tsx';
import { settingsPage } from '../form/settings.tsx';
import { listPage } from '../list/list-page.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, PageRoutes, Taken, View } from '../page/page-routes.ts';
import { Block, Facts, Notice, noticeOf, Time } from '../page/parts.tsx';
import { idInPath, requireDeveloper, type Visit } from '../page/visit.ts';
import { timeZone } from '../words/time-zone.ts';
import { AlertFields, alertFormOf, alertSettingsIn, DEFAULTS, reportMerchants } from './fields.tsx';
import { LastMessage, TestBlock } from './parts.tsx';
import { alertWords } from './words/index.ts';

const PATH = '/setup/alerts';
type Database = PageRoutes['database'];

export const alertPages: AddPages = (routes) => {
  const { database } = routes;
  targetList(routes);
  routes.attemptPage(`${PATH}/new`, async (visit) =>
    newTargetView(database, visit, unsent(alertFormOf({ ...DEFAULTS, time_zone: timeZone() }))),
  );
  routes.action(`${PATH}/new/api-call`, (visit, fields) => {
    requireDeveloper(visit);
    return newTargetView(database, visit, unsent(fields));
  });
  // The address decides who reads about the account.
  routes.liveGuardedAction(`${PATH}/new`, (visit, fields) => createTarget(database, visit, fields));
  routes.attemptPage(`${PATH}/:id`, (visit) => showTarget(database, visit));
  routes.liveGuardedAction(`${PATH}/:id`, (visit, fields) => changeTarget(database, visit, fields));
  routes.action(`${PATH}/:id/api-call`, async (visit, fields) => {
    requireDeveloper(visit);
    return targetView(database, visit, await findTarget(visit), unsent(fields));
  });
  routes.action(`${PATH}/:id/test`, sendTest);
  routes.action(`${PATH}/:id/delete`, deleteTarget);
};

const titleOf = ({ name, email }: AlertTargetResource) => name || (email ?? 'Slack');

const targetList = listPage<AlertTargetResource>(() => {
  const w = alertWords();
  return {
    at: { tab: 'alerts' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: { path: '/v1/alert_targets', field: 'alert_targets', idOf: ({ alert_target_id }) => alert_target_id },
    add: { text: w.add, path: `${PATH}/new` },
    href: ({ alert_target_id }) => `${PATH}/${alert_target_id}`,
    columns: () => [
      { head: w.heads.to, cell: (target) => <bdi>{titleOf(target)}</bdi> },
      { head: w.heads.channel, cell: ({ channel }) => <span>{w.channels[channel]}</span> },
      { head: w.heads.last, cell: ({ last_message }) => <LastMessage of={last_message} /> },
      { head: w.heads.added, kind: 'time', onPhone: 'hidden', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    empty: () => ({ icon: 'alert', title: w.empty.title, text: w.empty.text }),
  };
});

async function newTargetView(database: Database, visit: Visit, form: FormState): Promise<View> {
  const merchants = await reportMerchants(database, visit, form);
  const { add, fields: w } = alertWords();
  return settingsPage(visit, {
    tab: 'alerts',
    title: add,
    forms: [form],
    children: (
      <>
        <FormFault form={form} />
        <GuardedForm visit={visit} id={API_CALL_FORM} action={`${PATH}/new`} submit={add} cancel={PATH} isOnce>
          <TextField form={form} name="email" label={w.email} hint={w.emailHint} />
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
    label={alertWords().fields.slack}
    hint={alertWords().fields.slackHint}
    maxlength={2_048}
  />
);

function NameField({ form }: { form: FormState }) {
  const w = alertWords().fields;
  return <TextField form={form} name="name" label={w.name} hint={w.nameHint} maxlength={60} />;
}

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

async function createTarget(database: Database, visit: Visit, fields: FormFields): Promise<Taken> {
  if (isMerchantSearch(fields)) return newTargetView(database, visit, unsent(fields));
  return sendForm<AlertTargetResource>(visit, fields, {
    request: newQuestion(sentFields(fields)),
    done: ({ alert_target_id }) => ({ to: `${PATH}/${alert_target_id}?notice=added` }),
    again: (form) => newTargetView(database, visit, form),
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

async function showTarget(database: Database, visit: Visit<'id'>): Promise<View> {
  const target = await findTarget(visit);
  return targetView(database, visit, target, unsent({ name: target.name, ...alertFormOf(target) }));
}

async function targetView(
  database: Database,
  visit: Visit<'id'>,
  target: AlertTargetResource,
  form: FormState,
): Promise<View> {
  const merchants = await reportMerchants(database, visit, form);
  const w = alertWords();
  const { added, changed, tested } = w.notices;
  const notice = noticeOf(visit, { added, changed, tested });
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
            [w.heads.channel, w.channels[target.channel]],
            target.email === null ? null : [w.address, <bdi>{target.email}</bdi>],
            [w.heads.last, <LastMessage of={target.last_message} />],
            [w.heads.added, <Time at={target.created_at} full />],
          ]}
        />
        <TestBlock visit={visit} action={`${path}/test`} />
        <Block title={w.settings}>
          <FormFault form={form} />
          <GuardedForm visit={visit} id={API_CALL_FORM} action={path} submit={w.save}>
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
        {maySend(visit, path) && (
          <Block title={w.remove.title}>
            <p>{w.remove.about}</p>
            <Form visit={visit} action={`${path}/delete`} submit={w.remove.submit} tone="danger" />
          </Block>
        )}
      </>
    ),
  });
}

async function changeTarget(database: Database, visit: Visit<'id'>, fields: FormFields): Promise<Taken> {
  const target = await findTarget(visit);
  if (isMerchantSearch(fields)) return targetView(database, visit, target, unsent(fields));
  return sendForm(visit, fields, {
    request: changeQuestion(visit, sentFields(fields)),
    done: () => ({ to: `${PATH}/${idInPath(visit)}?notice=changed` }),
    again: (form) => targetView(database, visit, target, form),
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
