/** API keys: the list, creating, rolling and revoking keys. A key is only shown when it is created. */

import type { IssuedKeyResource, KeyResource } from '../../../accounts/keys/resources.ts';
import {
  ChoiceField,
  entriesOf,
  type FormState,
  ListField,
  overlapChoices,
  TextField,
  unsent,
} from '../form/fields.tsx';
import { Form, GuardedForm } from '../form/form.tsx';
import { formPage } from '../form/form-page.tsx';
import { maySend } from '../form/roles.tsx';
import { secretPage, settingsPage } from '../form/settings.tsx';
import { listPage } from '../list/list-page.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Time } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { choicesOf } from '../words/names/index.ts';
import { keyWords } from './words/index.ts';

export const keyPages: AddPages = (routes) => {
  keyList(routes);
  // Guarded in live mode. Otherwise anyone at an open browser could create a live key and keep access.
  newKeyForm(routes);
  routes.attemptPage('/setup/keys/:id', showKey);
  routes.liveGuardedAction('/setup/keys/:id/roll', rollKey);
  routes.action('/setup/keys/:id/revoke', revokeKey);
};

const keyList = listPage<KeyResource>(() => {
  const w = keyWords();
  return {
    at: { tab: 'keys' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: { path: '/v1/keys', field: 'keys', idOf: ({ key_id }) => key_id },
    add: { text: w.add, path: '/setup/keys/new' },
    href: ({ key_id }) => `/setup/keys/${key_id}`,
    columns: () => [
      { head: w.heads.name, cell: ({ name, key_id }) => <span>{name ?? key_id}</span> },
      { head: w.heads.prefix, cell: ({ prefix }) => <span class="id">{prefix}…</span> },
      { head: w.heads.scope, cell: ({ scope }) => <span>{w.scopes[scope]}</span> },
      { head: w.heads.status, width: 'state', cell: (key) => <KeyState of={key} /> },
      { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    empty: ({ mode }) => ({ icon: 'shield', title: w.empty.title(mode), text: w.empty.text }),
  };
});

function KeyState({ of: { revoked_at, expires_at } }: { of: KeyResource }) {
  const w = keyWords().states;
  if (revoked_at !== null) return <Badge status="revoked" name={w.revoked} tone="bad" />;
  if (expires_at === null) return <Badge status="active" name={w.active} tone="good" />;
  const isOver = new Date(expires_at) <= new Date();
  return isOver ? (
    <Badge status="expired" name={w.expired} />
  ) : (
    <Badge status="expiring" name={w.expiring} tone="wait" />
  );
}

const newKeyForm = formPage<IssuedKeyResource>(() => {
  const w = keyWords();
  return {
    tab: 'keys',
    title: w.add,
    lead: ({ mode }) => w.createLead(mode),
    submit: w.create,
    values: { scope: 'agent' },
    fields: (form) => <KeyFields form={form} />,
    request({ name = '', scope, allowed_sources }) {
      const sources = entriesOf(allowed_sources);
      const given = {
        ...(name.trim() && { name: name.trim() }),
        ...(sources.length > 0 && { allowed_sources: sources }),
      };
      return { method: 'POST', path: '/v1/keys', body: { ...given, scope } };
    },
    created: (visit, issued) => newKeyPage(visit, issued, w.created),
  };
});

function KeyFields({ form }: { form: FormState }) {
  const { fields: w, scopeChoices } = keyWords();
  return (
    <>
      <TextField form={form} name="name" label={w.name} hint={w.nameHint} maxlength={100} />
      <ChoiceField form={form} name="scope" label={w.scope} choices={choicesOf(scopeChoices)} />
      <ListField form={form} name="allowed_sources" label={w.sources} hint={w.sourcesHint} />
    </>
  );
}

const newKeyPage = (visit: Visit, { key, key_id, name }: IssuedKeyResource, title: string): View =>
  secretPage(visit, {
    tab: 'keys',
    title,
    lead: name ?? key_id,
    copyNow: keyWords().copyNow,
    copy: keyWords().copy,
    what: keyWords().what,
    secret: key,
    next: '/setup/keys',
  });

async function showKey(visit: Visit<'id'>): Promise<View> {
  const key = await visit.ask<KeyResource>({ path: `/v1/keys/${idInPath(visit)}` });
  const { facts: w, scopes } = keyWords();
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
            [w.key, <span class="id">{key.key_id}</span>],
            [w.prefix, <span class="id">{key.prefix}…</span>],
            [w.scope, scopes[key.scope]],
            [w.sources, key.allowed_sources.length === 0 ? w.any : key.allowed_sources.join(', ')],
            [w.created, <Time at={key.created_at} full />],
            key.expires_at === null ? null : [w.expires, <Time at={key.expires_at} full />],
            key.revoked_at === null ? null : [w.revoked, <Time at={key.revoked_at} full />],
          ]}
        />
        {!isOver && <KeyForms visit={visit} id={key.key_id} />}
      </>
    ),
  });
}

function KeyForms({ visit, id }: { visit: Visit; id: string }) {
  const { roll, revoke } = keyWords();
  if (!maySend(visit, `/setup/keys/${id}/roll`)) return null;
  return (
    <>
      <Block title={roll.title}>
        <p>{roll.about}</p>
        <GuardedForm visit={visit} action={`/setup/keys/${id}/roll`} submit={roll.title} tone="plain" isOnce>
          <ChoiceField
            form={unsent({ expires_in_seconds: '86400' })}
            name="expires_in_seconds"
            label={roll.oldExpires}
            choices={overlapChoices()}
          />
        </GuardedForm>
      </Block>
      <Block title={revoke.title}>
        <p>{revoke.about}</p>
        <Form visit={visit} action={`/setup/keys/${id}/revoke`} submit={revoke.title} tone="danger" />
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
  return newKeyPage(visit, made, keyWords().rolled);
}

async function revokeKey(visit: Visit<'id'>): Promise<Taken> {
  const id = idInPath(visit);
  await visit.ask({ method: 'DELETE', path: `/v1/keys/${id}` });
  return { to: `/setup/keys/${id}` };
}
