/** The account: where its callers may be sent after a call, who vouches for calls, how the pay page looks, the SIP headers' secret. */
import type { RolledHeaderSecret } from '../../../api/routes/account.ts';
import type { AccountResource } from '../../../contract/accounts.ts';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { roleCovers } from '../../../domain/user.ts';
import { isFromOurPage } from '../../../page/headers.ts';
import { sendPreview } from '../../../page/preview.ts';
import { DashboardFault, faultOfStatus } from '../../faults.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { Block, Facts, Notice } from '../../views/parts.tsx';
import { SignInAgain } from '../../views/sign-in-again.tsx';
import type { Visit } from '../../visit.ts';
import { CheckField, entriesOf, FormFault, type FormState, ListField, TextField, unsent } from './fields.tsx';
import { FormPage, refusedView, Secret, setupView } from './frame.tsx';
import { brandingOf, PAGE_FIELDS, PayPageBlock, pageChangesOf, pageFaultOf, pageFormOf } from './page-branding.tsx';

export const accountPages: AddPages = ({ formPage, action, guardedAction, download }) => {
  formPage('/setup/account', showAccount);
  action('/setup/account', changeAccount);
  action('/setup/account/page', changePage);
  action('/setup/account/page/preview', previewPage);
  download('/setup/account/pay-page', showPayPage);
  // In test mode too: it is the secret of both modes.
  guardedAction('/setup/account/roll', rollHeaderSecret);
};

const read = (visit: Visit) => visit.ask<AccountResource>({ path: '/v1/account' });

async function showAccount(visit: Visit): Promise<View> {
  const account = await read(visit);
  return accountView(visit, account);
}

/** Of each form of the page; not given: as the account is. */
interface AccountForms {
  returns?: FormState;
  page?: FormState;
}

function formOf({ return_hosts, return_number_prefixes, attestation_url }: AccountResource): FormFields {
  return {
    ...(return_hosts === null && { any_host: 'on' }),
    return_hosts: (return_hosts ?? []).join('\n'),
    return_number_prefixes: return_number_prefixes.join('\n'),
    attestation_url: attestation_url ?? '',
  };
}

function accountView(visit: Visit, account: AccountResource, forms: AccountForms = {}): View {
  const { account_id, name, currency } = account;
  const { returns: form = unsent(formOf(account)), page = unsent(pageFormOf(account)) } = forms;
  const isWrong = form.error !== null || page.error !== null;
  return setupView(visit, {
    tab: 'account',
    title: 'Account',
    ...(isWrong && { status: 422 }),
    body: (
      <FormPage title={name}>
        {visit.query.notice === 'changed' && !isWrong && <Notice tone="good" title="Saved" />}
        <Facts
          facts={[
            ['Account', <span class="id">{account_id}</span>],
            ['Currency where the merchant is not known', currency],
          ]}
        />
        <Block title="Where calls may be sent">
          <p>A call goes back to your agent at the address that the checkout names. Elsewhere it is never sent.</p>
          <FormFault form={form} />
          <Form visit={visit} action="/setup/account" submit="Save">
            <AccountFields form={form} />
          </Form>
        </Block>
        <PayPageBlock visit={visit} form={page} />
        <Block title="Secret of the SIP headers">
          <p>
            It signs the outcome that your agent gets with the call. A new one signs from now on, in both modes, and the
            old one no more: calls on the line may come back with either.
          </p>
          {visit.user.isRecent ? (
            <Form visit={visit} action="/setup/account/roll" submit="Make a new secret" tone="danger" isOnce />
          ) : (
            <SignInAgain visit={visit} what="making a new secret" />
          )}
        </Block>
      </FormPage>
    ),
  });
}

function AccountFields({ form }: { form: FormState }) {
  return (
    <>
      <CheckField
        form={form}
        name="any_host"
        label="Not decided yet"
        hint="Every public host in test mode, none in live mode. Untick it to let the list below decide."
      />
      <ListField
        form={form}
        name="return_hosts"
        label="SIP hosts, in both modes"
        hint="One a line: a name, *.example.com, an address, or * for every public host."
      />
      <ListField
        form={form}
        name="return_number_prefixes"
        label="Beginnings of numbers, in live mode"
        hint="One a line: + and digits, such as +44. Emergency and premium numbers are never called."
      />
      <TextField
        form={form}
        name="attestation_url"
        label="Address that is asked how carriers vouch for a call"
        hint="https. Of this mode. Empty: nobody is asked."
      />
    </>
  );
}

/** What the REST surface answers in test mode where live calls go by it. */
const OF_LIVE_MODE = 401;

async function changeAccount(visit: Visit, fields: FormFields): Promise<Taken> {
  const answer = await visit.tryAsk<AccountResource>({
    method: 'PATCH',
    path: '/v1/account',
    body: {
      return_hosts: fields.any_host === 'on' ? null : entriesOf(fields.return_hosts),
      return_number_prefixes: entriesOf(fields.return_number_prefixes),
      attestation_url: fields.attestation_url?.trim() || null,
    },
  });
  if (answer.ok) return { to: '/setup/account?notice=changed' };
  const { status, error } = answer;
  const account = await read(visit);
  const show = () => accountView(visit, account, { returns: { values: fields, error } });
  return status === OF_LIVE_MODE ? show() : refusedView(answer, show);
}

async function changePage(visit: Visit, fields: FormFields): Promise<Taken> {
  const question = { method: 'PATCH', path: '/v1/account', body: pageChangesOf(fields) } as const;
  const answer = await visit.tryAsk<AccountResource>(question);
  if (answer.ok) return { to: '/setup/account?notice=changed' };
  const { error } = answer;
  const account = await read(visit);
  return refusedView(answer, () => accountView(visit, account, { page: { values: fields, error } }));
}

/** The form once more, with what its colour becomes. */
async function previewPage(visit: Visit, fields: FormFields): Promise<Taken> {
  if (!roleCovers(visit.user.role, 'developer')) throw new DashboardFault('forbidden');
  return accountView(visit, await read(visit), { page: { values: fields, error: pageFaultOf(fields) } });
}

/** The pay page of no checkout: as the address says, where a page of ours leads there; else as the account is. */
async function showPayPage(visit: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const account = await read(visit);
  const { request } = reply;
  const unsaved = Object.entries(visit.query).filter(([name]) => isFromOurPage(request) && isPageField(name));
  const branding = brandingOf({ ...pageFormOf(account), ...Object.fromEntries(unsaved) });
  return sendPreview(request, reply, { branding, businessName: account.name, now: new Date() });
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
  const { header_signing_secret } = answer.body;
  return setupView(visit, {
    tab: 'account',
    title: 'New secret of the SIP headers',
    body: (
      <FormPage title="New secret of the SIP headers">
        <Secret name="secret" value={header_signing_secret} what="The key of the HMAC in X-Ringkey-Signature." />
        <p>
          <a class="button" href={`${visit.base}/setup/account`}>
            I have copied it
          </a>
        </p>
      </FormPage>
    ),
  });
}
