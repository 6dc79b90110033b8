/** API keys: the list, creating, rolling and revoking keys. A key is only shown when it is created. */

import type { IssuedKeyResource, KeyResource } from '../../../accounts/keys/resources.ts';
import {
  ChoiceField,
  type Choices,
  entriesOf,
  FormFault,
  type FormState,
  ListField,
  OVERLAPS,
  TextField,
  unsent,
} from '../form/fields.tsx';
import { Form, mustSignInForLive, SignInAgain } from '../form/form.tsx';
import { FormPage, refusedView, Secret, setupView } from '../form/settings.tsx';
import { ListPage } from '../list/list-page.tsx';
import { type ListSource, readList } from '../list/list-reading.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, EmptyState, Facts, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

export const keyPages: AddPages = ({ page, formPage, action, liveGuardedAction }) => {
  page('/setup/keys', showKeys);
  formPage('/setup/keys/new', async (visit) => newKeyView(visit, unsent({ scope: 'agent' })));
  // Otherwise anyone at an open browser could create a live key and keep access.
  liveGuardedAction('/setup/keys/new', createKey);
  formPage('/setup/keys/:id', showKey);
  liveGuardedAction('/setup/keys/:id/roll', rollKey);
  action('/setup/keys/:id/revoke', revokeKey);
};

const KEYS: ListSource<KeyResource> = { path: '/v1/keys', field: 'keys', idOf: ({ key_id }) => key_id };

async function showKeys(visit: Visit): Promise<View> {
  const reading = await readList(visit, KEYS, []);
  const add = (
    <a class="button first" href={`${visit.base}/setup/keys/new`}>
      Create a key
    </a>
  );
  return setupView(visit, {
    tab: 'keys',
    title: 'API keys',
    body: (
      <ListPage
        visit={visit}
        title="API keys"
        lead="Keep keys on your servers. Never put them in a prompt, a browser or an app."
        label="API keys, newest first"
        reading={reading}
        source={KEYS}
        actions={add}
        href={({ key_id }) => `${visit.base}/setup/keys/${key_id}`}
        columns={[
          { head: 'Name', cell: ({ name, key_id }) => <span>{name ?? key_id}</span> },
          { head: 'Prefix', cell: ({ prefix }) => <span class="id">{prefix}…</span> },
          { head: 'Scope', cell: ({ scope }) => <span>{SCOPE_NAMES[scope]}</span> },
          { head: 'Status', cell: (key) => <KeyState of={key} /> },
          { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="shield"
            title={`No ${visit.mode} keys yet`}
            text="Your servers authenticate with a key. Give your voice agent a key with the scope “agent”, which can only take payments."
            action={add}
          />
        }
      />
    ),
  });
}

const SCOPE_NAMES: Record<KeyResource['scope'], string> = { agent: 'Agent: takes payments', full: 'Full: everything' };
const SCOPES: Choices = [
  ['agent', 'Agent: creates checkouts, charges, texts links, reads sessions'],
  ['full', 'Full: everything, including refunds and settings'],
];

function KeyState({ of: { revoked_at, expires_at } }: { of: KeyResource }) {
  if (revoked_at !== null) return <Badge status="revoked" tone="bad" />;
  if (expires_at === null) return <Badge status="active" tone="good" />;
  return new Date(expires_at) <= new Date() ? <Badge status="expired" /> : <Badge status="expiring" tone="wait" />;
}

function newKeyView(visit: Visit, form: FormState): View {
  return setupView(visit, {
    tab: 'keys',
    title: 'Create a key',
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage title="Create a key" lead={`This key only works in ${visit.mode} mode.`}>
        <FormFault form={form} />
        {mustSignInForLive(visit) ? (
          <SignInAgain visit={visit} what="create a live key" />
        ) : (
          <Form visit={visit} action="/setup/keys/new" submit="Create key" cancel="/setup/keys" isOnce>
            <TextField form={form} name="name" label="Name" hint="Describes where the key is used." maxlength={100} />
            <ChoiceField form={form} name="scope" label="Scope" choices={SCOPES} />
            <ListField
              form={form}
              name="allowed_sources"
              label="Allowed IP addresses"
              hint="One address or CIDR block per line. Leave empty to allow any address."
            />
          </Form>
        )}
      </FormPage>
    ),
  });
}

async function createKey(visit: Visit, fields: FormFields): Promise<Taken> {
  const name = fields.name?.trim();
  const sources = entriesOf(fields.allowed_sources);
  const answer = await visit.tryAsk<IssuedKeyResource>({
    method: 'POST',
    path: '/v1/keys',
    body: { ...(name && { name }), scope: fields.scope, ...(sources.length > 0 && { allowed_sources: sources }) },
  });
  if (!answer.ok) return refusedView(answer, (error) => newKeyView(visit, { values: fields, error }));
  return madeView(visit, answer.body, 'Key created');
}

function madeView(visit: Visit, { key, key_id, name }: IssuedKeyResource, title: string): View {
  return setupView(visit, {
    tab: 'keys',
    title,
    body: (
      <FormPage title={title} lead={name ?? key_id}>
        <Secret name="key" value={key} what="Send it in the Authorization header, from your servers only." />
        <p>
          <a class="button" href={`${visit.base}/setup/keys`}>
            I have copied it
          </a>
        </p>
      </FormPage>
    ),
  });
}

async function showKey(visit: Visit): Promise<View> {
  const key = await visit.ask<KeyResource>({ path: `/v1/keys/${encodeURIComponent(visit.params.id ?? '')}` });
  const isOver = key.revoked_at !== null || (key.expires_at !== null && new Date(key.expires_at) <= new Date());
  return setupView(visit, {
    tab: 'keys',
    title: key.name ?? key.key_id,
    body: (
      <FormPage
        title={
          <>
            <bdi>{key.name ?? key.key_id}</bdi> <KeyState of={key} />
          </>
        }
      >
        <Facts
          facts={[
            ['Key', <span class="id">{key.key_id}</span>],
            ['Prefix', <span class="id">{key.prefix}…</span>],
            ['Scope', SCOPE_NAMES[key.scope]],
            ['Allowed IP addresses', key.allowed_sources.length === 0 ? 'Any' : key.allowed_sources.join(', ')],
            ['Created', <Time at={key.created_at} full />],
            key.expires_at === null ? null : ['Expires', <Time at={key.expires_at} full />],
            key.revoked_at === null ? null : ['Revoked', <Time at={key.revoked_at} full />],
          ]}
        />
        {!isOver && <KeyForms visit={visit} id={key.key_id} />}
      </FormPage>
    ),
  });
}

function KeyForms({ visit, id }: { visit: Visit; id: string }) {
  return (
    <>
      <section class="block">
        <h2>Roll key</h2>
        <p>
          Replaces this key with a new one that has the same permissions. The new key is shown once. Both keys work
          until the old one expires.
        </p>
        {mustSignInForLive(visit) ? (
          <SignInAgain visit={visit} what="create a live key" />
        ) : (
          <Form visit={visit} action={`/setup/keys/${id}/roll`} submit="Roll key" tone="plain" isOnce>
            <ChoiceField
              form={unsent({ expires_in_seconds: '86400' })}
              name="expires_in_seconds"
              label="Old key expires"
              choices={OVERLAPS}
            />
          </Form>
        )}
      </section>
      <section class="block">
        <h2>Revoke key</h2>
        <p>Requests with this key fail within a second. You can’t undo this.</p>
        <Form visit={visit} action={`/setup/keys/${id}/revoke`} submit="Revoke key" tone="danger" />
      </section>
    </>
  );
}

async function rollKey(visit: Visit, { expires_in_seconds }: FormFields): Promise<Taken> {
  const made = await visit.ask<IssuedKeyResource>({
    method: 'POST',
    path: `/v1/keys/${encodeURIComponent(visit.params.id ?? '')}/roll`,
    body: { expires_in_seconds: Number(expires_in_seconds) },
  });
  return madeView(visit, made, 'Key rolled');
}

async function revokeKey(visit: Visit): Promise<Taken> {
  const id = encodeURIComponent(visit.params.id ?? '');
  await visit.ask({ method: 'DELETE', path: `/v1/keys/${id}` });
  return { to: `/setup/keys/${id}` };
}
