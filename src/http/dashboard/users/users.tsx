/** Users of the account: the list, and inviting for owners. */
import { inviteUser, listUsers, type UserRefusal } from '../../../accounts/users/manage.ts';
import { MAX_USERS } from '../../../domain/account-limits.ts';
import { ChoiceField, FormFault, type FormState, TextField, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { settingsPage, settingsView } from '../form/settings.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Notice, PageHead } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import {
  isOwner,
  LIST,
  linkPage,
  Moment,
  ROLE_CHOICES,
  ROLE_NAMES,
  requireOwner,
  roleOf,
  type UserPagesDeps,
  UserState,
  unlessRefused,
} from './parts.tsx';

export const userPages =
  (deps: UserPagesDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(LIST, (visit) => showUsers(deps, visit));
    page(`${LIST}/new`, async (visit) => {
      requireOwner(visit);
      return inviteView(visit, unsent({ role: 'developer' }));
    });
    guardedAction(`${LIST}/new`, (visit, fields) => invite(deps, visit, fields));
  };

async function showUsers({ database }: UserPagesDeps, visit: Visit): Promise<View> {
  const users = await listUsers(database, visit.user.accountId);
  const lead = (
    <>
      Users who can sign in to this account, in both modes.{' '}
      {!isOwner(visit) && 'Only owners can invite, change and remove users.'}
    </>
  );
  return settingsView(visit, {
    tab: 'users',
    title: 'Users',
    body: (
      <>
        <PageHead title="Users" lead={lead}>
          {isOwner(visit) && users.length < MAX_USERS && (
            <a class="button first" href={`${visit.base}${LIST}/new`}>
              Invite user
            </a>
          )}
        </PageHead>
        {visit.query.notice === 'removed' && <Notice tone="good" title="User removed and signed out everywhere" />}
        {users.length === 0 ? (
          <p class="quiet">No users: this is the demo account, which opens without signing in.</p>
        ) : (
          <Table
            label="Users, oldest first"
            rows={users}
            href={({ id }) => `${visit.base}${LIST}/${id}`}
            columns={[
              { head: 'Name', cell: ({ name }) => <span>{name}</span> },
              { head: 'Email address', cell: ({ email }) => <span>{email}</span> },
              { head: 'Role', cell: ({ role }) => <span>{ROLE_NAMES[role]}</span> },
              { head: 'Status', cell: (user) => <UserState of={user} /> },
              { head: 'Last sign-in', kind: 'time', cell: ({ signedInAt }) => <Moment at={signedInAt} none="Never" /> },
            ]}
          />
        )}
      </>
    ),
  });
}

function inviteView(visit: Visit, form: FormState): View {
  return settingsPage(visit, {
    tab: 'users',
    title: 'Invite user',
    lead: 'You get a one-time link to send to the user, who then chooses how to sign in.',
    forms: [form],
    children: (
      <>
        <FormFault form={form} />
        <GuardedForm visit={visit} modes="both" action={`${LIST}/new`} submit="Create link" cancel={LIST}>
          <TextField form={form} name="email" label="Email address" required maxlength={254} />
          <TextField form={form} name="name" label="Name" hint="Shown to other users." maxlength={MAX_NAME_LENGTH} />
          <ChoiceField form={form} name="role" label="Role" choices={ROLE_CHOICES} />
        </GuardedForm>
      </>
    ),
  });
}

const MAX_NAME_LENGTH = 100;
/** The field of each error. Other errors are shown above the form. */
const FIELDS: Partial<Record<UserRefusal, string>> = { invalid_email: 'email', email_taken: 'email' };

async function invite({ database, dashboardUrl }: UserPagesDeps, visit: Visit, fields: FormFields): Promise<Taken> {
  requireOwner(visit);
  const { email = '', name = '' } = fields;
  const given = { accountId: visit.user.accountId, email, name: name.trim().slice(0, MAX_NAME_LENGTH) };
  const take = async () =>
    linkPage(visit, dashboardUrl, await inviteUser(database, visit.actor, { ...given, role: roleOf(fields) }));
  return unlessRefused(take, ({ message, reason }) => {
    const param = FIELDS[reason];
    return inviteView(visit, { values: fields, error: { message, ...(param !== undefined && { param }) } });
  });
}
