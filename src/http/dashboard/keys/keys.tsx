/** API keys: the list, creating, rolling and revoking keys. A key is only shown when it is created. */

import type { IssuedKeyResource, KeyResource } from '../../../accounts/keys/resources.ts';
import { ChoiceField, type Choices, entriesOf, ListField, overlapChoices, TextField, unsent } from '../form/fields.tsx';
import { Form, GuardedForm } from '../form/form.tsx';
import { formPage } from '../form/form-page.tsx';
import { secretPage, settingsPage } from '../form/settings.tsx';
import { listPage } from '../list/list-page.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Time } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';

export const keyPages: AddPages = (routes) => {
  keyList(routes);
  // Guarded in live mode. Otherwise anyone at an open browser could create a live key and keep access.
  newKeyForm(routes);
  routes.attemptPage('/setup/keys/:id', showKey);
  routes.liveGuardedAction('/setup/keys/:id/roll', rollKey);
  routes.action('/setup/keys/:id/revoke', revokeKey);
};

const keyList = listPage<KeyResource>(() => ({
  at: { tab: 'keys' },
  title: 'API keys',
  lead: 'Keep keys on your servers. Never put them in a prompt, a browser or an app.',
  label: 'API keys, newest first',
  source: { path: '/v1/keys', field: 'keys', idOf: ({ key_id }) => key_id },
  add: { text: 'Create a key', path: '/setup/keys/new' },
  href: ({ key_id }) => `/setup/keys/${key_id}`,
  columns: () => [
    { head: 'Name', cell: ({ name, key_id }) => <span>{name ?? key_id}</span> },
    { head: 'Prefix', cell: ({ prefix }) => <span class="id">{prefix}…</span> },
    { head: 'Scope', cell: ({ scope }) => <span>{SCOPE_NAMES[scope]}</span> },
    { head: 'Status', cell: (key) => <KeyState of={key} /> },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: ({ mode }) => ({
    icon: 'shield',
    title: `No ${mode} keys yet`,
    text: 'Your servers authenticate with a key. Give your voice agent a key with the scope “agent”, which can only take payments.',
  }),
}));

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

const newKeyForm = formPage<IssuedKeyResource>(() => ({
  tab: 'keys',
  title: 'Create a key',
  lead: ({ mode }) => `This key only works in ${mode} mode.`,
  submit: 'Create key',
  values: { scope: 'agent' },
  fields: (form) => (
    <>
      <TextField form={form} name="name" label="Name" hint="Describes where the key is used." maxlength={100} />
      <ChoiceField form={form} name="scope" label="Scope" choices={SCOPES} />
      <ListField
        form={form}
        name="allowed_sources"
        label="Allowed IP addresses"
        hint="One address or CIDR block per line. Leave empty to allow any address."
      />
    </>
  ),
  request({ name = '', scope, allowed_sources }) {
    const sources = entriesOf(allowed_sources);
    const given = {
      ...(name.trim() && { name: name.trim() }),
      ...(sources.length > 0 && { allowed_sources: sources }),
    };
    return { method: 'POST', path: '/v1/keys', body: { ...given, scope } };
  },
  created: (visit, issued) => newKeyPage(visit, issued, 'Key created'),
}));

const newKeyPage = (visit: Visit, { key, key_id, name }: IssuedKeyResource, title: string): View =>
  secretPage(visit, {
    tab: 'keys',
    title,
    lead: name ?? key_id,
    copyNow: 'Copy the key now',
    copy: 'Copy the key',
    what: 'Send it in the Authorization header, from your servers only.',
    secret: key,
    next: '/setup/keys',
  });

async function showKey(visit: Visit<'id'>): Promise<View> {
  const key = await visit.ask<KeyResource>({ path: `/v1/keys/${idInPath(visit)}` });
  const isOver = key.revoked_at !== null || (key.expires_at !== null && new Date(key.expires_at) <= new Date());
  return settingsPage(visit, {
    tab: 'keys',
    title: key.name ?? key.key_id,
    heading: (
      <>
        <bdi>{key.name ?? key.key_id}</bdi> <KeyState of={key} />
      </>
    ),
    children: (
      <>
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
      </>
    ),
  });
}

function KeyForms({ visit, id }: { visit: Visit; id: string }) {
  return (
    <>
      <Block title="Roll key">
        <p>
          Replaces this key with a new one that has the same permissions. The new key is shown once. Both keys work
          until the old one expires.
        </p>
        <GuardedForm visit={visit} action={`/setup/keys/${id}/roll`} submit="Roll key" tone="plain" isOnce>
          <ChoiceField
            form={unsent({ expires_in_seconds: '86400' })}
            name="expires_in_seconds"
            label="Old key expires"
            choices={overlapChoices()}
          />
        </GuardedForm>
      </Block>
      <Block title="Revoke key">
        <p>Requests with this key fail within a second. You can’t undo this.</p>
        <Form visit={visit} action={`/setup/keys/${id}/revoke`} submit="Revoke key" tone="danger" />
      </Block>
    </>
  );
}

async function rollKey(visit: Visit<'id'>, { expires_in_seconds }: FormFields): Promise<Taken> {
  const made = await visit.ask<IssuedKeyResource>({
    method: 'POST',
    path: `/v1/keys/${idInPath(visit)}/roll`,
    body: { expires_in_seconds: Number(expires_in_seconds) },
  });
  return newKeyPage(visit, made, 'Key rolled');
}

async function revokeKey(visit: Visit<'id'>): Promise<Taken> {
  const id = idInPath(visit);
  await visit.ask({ method: 'DELETE', path: `/v1/keys/${id}` });
  return { to: `/setup/keys/${id}` };
}
