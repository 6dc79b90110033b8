/** API keys: the list, a new one, and rolling and revoking one. A key is shown when it is made, and never again. */
import { DashboardFault } from '../../faults.ts';
import { type ListSource, readList } from '../../list-reading.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { ListPage } from '../../views/list-page.tsx';
import { Badge, EmptyState, Facts, Time } from '../../views/parts.tsx';
import { mustSignInForLive, SignInAgain } from '../../views/sign-in-again.tsx';
import type { Visit } from '../../visit.ts';
import type { IssuedKeyResource, KeyResource } from '../../../keys/resources.ts';
import {
  ChoiceField,
  type Choices,
  entriesOf,
  FormFault,
  type FormState,
  ListField,
  TextField,
  OVERLAPS,
  unsent,
} from './fields.tsx';
import { FormPage, refusedView, Secret, setupView } from './frame.tsx';

export const keyPages: AddPages = ({ page, formPage, action, liveGuardedAction }) => {
  page('/setup/keys', showKeys);
  formPage('/setup/keys/new', async (visit) => newKeyView(visit, unsent({ scope: 'agent' })));
  // Whoever finds a browser open, and makes a live key, has got in for good.
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
        lead="A key stays on your servers: never in a prompt, a browser or an app."
        label="API keys, newest first"
        reading={reading}
        source={KEYS}
        actions={add}
        href={({ key_id }) => `${visit.base}/setup/keys/${key_id}`}
        columns={[
          { head: 'Name', cell: ({ name, key_id }) => <span>{name ?? key_id}</span> },
          { head: 'Begins with', cell: ({ prefix }) => <span class="id">{prefix}…</span> },
          { head: 'Scope', cell: ({ scope }) => <span>{SCOPE_NAMES[scope]}</span> },
          { head: 'State', cell: (key) => <KeyState of={key} /> },
          { head: 'Made', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="shield"
            title={`No ${visit.mode} keys yet`}
            text="Your servers ask with a key. Give a voice agent one with the scope “agent”: it takes payments, and nothing else."
            action={add}
          />
        }
      />
    ),
  });
}

const SCOPE_NAMES: Record<KeyResource['scope'], string> = { agent: 'Agent: takes payments', full: 'Full: everything' };
const SCOPES: Choices = [
  ['agent', 'Agent: opens checkouts, charges, texts links, reads sessions'],
  ['full', 'Full: everything, refunds and settings too'],
];

function KeyState({ of: { revoked_at, expires_at } }: { of: KeyResource }) {
  if (revoked_at !== null) return <Badge status="revoked" tone="bad" />;
  if (expires_at === null) return <Badge status="in use" tone="good" />;
  return new Date(expires_at) <= new Date() ? <Badge status="ended" /> : <Badge status="ending" tone="wait" />;
}

function newKeyView(visit: Visit, form: FormState): View {
  return setupView(visit, {
    tab: 'keys',
    title: 'Create a key',
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage title="Create a key" lead={`It opens ${visit.mode} mode, and only that.`}>
        <FormFault form={form} />
        {mustSignInForLive(visit) ? (
          <SignInAgain visit={visit} what="making a live key" />
        ) : (
          <Form visit={visit} action="/setup/keys/new" submit="Create the key" cancel="/setup/keys" isOnce>
            <TextField form={form} name="name" label="Name" hint="For people: where it is used." maxlength={100} />
            <ChoiceField form={form} name="scope" label="What it may do" choices={SCOPES} />
            <ListField
              form={form}
              name="allowed_sources"
              label="Addresses it may be used from"
              hint="One address or CIDR block a line. From anywhere where there are none."
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
        <Secret name="key" value={key} what="For the header Authorization, on your servers." />
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
  const key = await findKey(visit);
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
            ['Begins with', <span class="id">{key.prefix}…</span>],
            ['What it may do', SCOPE_NAMES[key.scope]],
            ['Addresses', key.allowed_sources.length === 0 ? 'From anywhere' : key.allowed_sources.join(', ')],
            ['Made', <Time at={key.created_at} full />],
            key.expires_at === null ? null : ['Ends', <Time at={key.expires_at} full />],
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
        <h2>Roll it</h2>
        <p>A new key with the same rights takes its place, and is shown once. Both work while you change over.</p>
        {mustSignInForLive(visit) ? (
          <SignInAgain visit={visit} what="making a live key" />
        ) : (
          <Form visit={visit} action={`/setup/keys/${id}/roll`} submit="Make the new key" tone="plain" isOnce>
            <ChoiceField
              form={unsent({ expires_in_seconds: '86400' })}
              name="expires_in_seconds"
              label="The old key goes on"
              choices={OVERLAPS}
            />
          </Form>
        )}
      </section>
      <section class="block">
        <h2>Revoke it</h2>
        <p>Whoever uses it is refused within a second. That cannot be undone.</p>
        <Form visit={visit} action={`/setup/keys/${id}/revoke`} submit="Revoke this key" tone="danger" />
      </section>
    </>
  );
}

const MOST_PAGES = 10;

/** REST lists keys, and has no address for one of them. */
async function findKey(visit: Visit): Promise<KeyResource> {
  let startingAfter: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { limit: '100', starting_after: startingAfter };
    const { keys, has_more } = await visit.ask<{ keys: KeyResource[]; has_more: boolean }>({ path: '/v1/keys', query });
    const found = keys.find(({ key_id }) => key_id === visit.params.id);
    if (found !== undefined) return found;
    startingAfter = keys.at(-1)?.key_id;
    if (!has_more) break;
  }
  throw new DashboardFault('not_found');
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
