/**
 * The account: where calls may return to, call attestation, the look of the pay page, and the signing secret for SIP
 * headers.
 */

import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { AccountResource } from '../../../contract/accounts.ts';
import type { ApiQuestion } from '../../api/in-process.ts';
import { isFromOurPage } from '../../api/plugins/local-requests.ts';
import type { RolledHeaderSecret } from '../../api/routes/account.ts';
import { sendPreview } from '../../pay-page/preview.ts';
import { API_CALL_FORM, ApiCall, type ShellVariable, shownUrl } from '../form/api-call.tsx';
import { CheckField, entriesOf, FormFault, type FormState, ListField, TextField, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { maySend } from '../form/roles.tsx';
import { secretPage, settingsPage } from '../form/settings.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Block, Facts, Notice } from '../page/parts.tsx';
import { requireDeveloper, type Visit } from '../page/visit.ts';
import { brandingOf, PAGE_FIELDS, PayPageBlock, pageChangesOf, pageFaultOf, pageFormOf } from './page-branding.tsx';
import { accountWords } from './words/index.ts';

export const accountPages: AddPages = ({ attemptPage, action, guardedAction, download }) => {
  attemptPage('/setup/account', showAccount);
  // The lists apply to both modes, so changing them affects where live calls and texts go.
  guardedAction('/setup/account', changeAccount);
  action('/setup/account/api-call', previewCall);
  action('/setup/account/page', changePage);
  action('/setup/account/page/preview', previewPage);
  download('/setup/account/pay-page', showPayPage);
  // In test mode too, because both modes share the secret.
  guardedAction('/setup/account/roll', rollHeaderSecret);
};

const read = (visit: Visit) => visit.ask<AccountResource>({ path: '/v1/account' });

async function showAccount(visit: Visit): Promise<View> {
  const account = await read(visit);
  return accountView(visit, account);
}

/** The state of each form on the page. By default, the account's values. */
interface AccountForms {
  returns?: FormState;
  page?: FormState;
}

function formOf(account: AccountResource): FormFields {
  const { return_hosts, return_number_prefixes, text_countries, attestation_url } = account;
  return {
    ...(return_hosts === null && { any_host: 'on' }),
    return_hosts: (return_hosts ?? []).join('\n'),
    return_number_prefixes: return_number_prefixes.join('\n'),
    text_countries: text_countries.join('\n'),
    attestation_url: attestation_url ?? '',
  };
}

function accountView(visit: Visit, account: AccountResource, forms: AccountForms = {}): View {
  const { account_id, name, currency } = account;
  const w = accountWords();
  const { returns: form = unsent(formOf(account)), page = unsent(pageFormOf(account)) } = forms;
  const isWrong = form.error !== null || page.error !== null;
  return settingsPage(visit, {
    tab: 'account',
    title: w.title,
    heading: name,
    forms: [form, page],
    children: (
      <>
        {visit.query.notice === 'changed' && !isWrong && <Notice tone="good" title={w.saved} />}
        <Facts
          facts={[
            [w.facts.account, <span class="id">{account_id}</span>],
            [w.facts.currency, currency],
          ]}
        />
        <Block title={w.calls}>
          <p>{w.callsAbout}</p>
          <FormFault form={form} />
          <GuardedForm visit={visit} id={API_CALL_FORM} modes="both" action="/setup/account" submit={w.save}>
            <AccountFields form={form} />
          </GuardedForm>
          <ApiCall visit={visit} action="/setup/account/api-call" question={shownQuestion(form.values)} />
        </Block>
        <PayPageBlock visit={visit} form={page} />
        {maySend(visit, '/setup/account/roll') && (
          <Block title={w.secret}>
            <p>{w.secretAbout}</p>
            <GuardedForm visit={visit} modes="both" action="/setup/account/roll" submit={w.roll} tone="danger" isOnce />
          </Block>
        )}
      </>
    ),
  });
}

function AccountFields({ form }: { form: FormState }) {
  const w = accountWords().fields;
  return (
    <>
      <CheckField form={form} name="any_host" label={w.anyHost} hint={w.anyHostHint} />
      <ListField form={form} name="return_hosts" label={w.hosts} hint={w.hostsHint} />
      <ListField form={form} name="return_number_prefixes" label={w.prefixes} hint={w.prefixesHint} />
      <ListField form={form} name="text_countries" label={w.countries} hint={w.countriesHint} />
      <TextField form={form} name="attestation_url" label={w.attestation} hint={w.attestationHint} />
    </>
  );
}

/** The REST surface's status in test mode for settings that apply to live calls. */
const OF_LIVE_MODE = 401;

const questionOf = (fields: FormFields, attestationUrl: string | ShellVariable | null): ApiQuestion => ({
  method: 'PATCH',
  path: '/v1/account',
  body: {
    return_hosts: fields.any_host === 'on' ? null : entriesOf(fields.return_hosts),
    return_number_prefixes: entriesOf(fields.return_number_prefixes),
    text_countries: entriesOf(fields.text_countries),
    attestation_url: attestationUrl,
  },
});

const attestationUrlIn = ({ attestation_url: url }: FormFields) => url?.trim() || null;

/** As the API call shows it. */
function shownQuestion(fields: FormFields): ApiQuestion {
  const url = attestationUrlIn(fields);
  return questionOf(fields, url && shownUrl(url, 'ATTESTATION_URL'));
}

/** Shows the form again, with its entries as an API call. */
async function previewCall(visit: Visit, fields: FormFields): Promise<Taken> {
  requireDeveloper(visit);
  return accountView(visit, await read(visit), { returns: unsent(fields) });
}

async function changeAccount(visit: Visit, fields: FormFields): Promise<Taken> {
  return sendForm(visit, fields, {
    request: questionOf(fields, attestationUrlIn(fields)),
    done: () => ({ to: '/setup/account?notice=changed' }),
    again: async (returns) => accountView(visit, await read(visit), { returns }),
    errors: [OF_LIVE_MODE],
  });
}

async function changePage(visit: Visit, fields: FormFields): Promise<Taken> {
  return sendForm(visit, fields, {
    request: { method: 'PATCH', path: '/v1/account', body: pageChangesOf(fields) },
    done: () => ({ to: '/setup/account?notice=changed' }),
    again: async (page) => accountView(visit, await read(visit), { page }),
  });
}

/** Shows the form again, with a preview of the accent color. */
async function previewPage(visit: Visit, fields: FormFields): Promise<Taken> {
  requireDeveloper(visit);
  return accountView(visit, await read(visit), { page: { values: fields, error: pageFaultOf(fields) } });
}

/** A sample pay page. Uses unsaved values from the URL if the request comes from our page, otherwise the account's. */
async function showPayPage(visit: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const account = await read(visit);
  const { request } = reply;
  const unsaved = Object.entries(visit.query).filter(([name]) => isFromOurPage(request) && isPageField(name));
  const branding = brandingOf({ ...pageFormOf(account), ...Object.fromEntries(unsaved) });
  return sendPreview(request, reply, { branding, merchant: { businessName: account.name }, now: new Date() });
}

const isPageField = (name: string) => PAGE_FIELDS.some((each) => each === name);

async function rollHeaderSecret(visit: Visit): Promise<Taken> {
  const answer = await visit.tryAsk<z.infer<typeof RolledHeaderSecret>>({
    method: 'POST',
    path: '/v1/account/roll_header_signing_secret',
  });
  if (!answer.ok) {
    const { status, error } = answer;
    throw new DashboardFault(status === OF_LIVE_MODE ? 'refused' : faultOfStatus(status), error.message);
  }
  return secretPage(visit, {
    tab: 'account',
    ...accountWords().rolled,
    secret: answer.body.header_signing_secret,
    next: '/setup/account',
  });
}
