/** Users of the account: the list, and inviting for owners. */
import { inviteUser, listUsers, type UserRefusal } from '../../../accounts/users/manage.ts';
import { MAX_USERS } from '../../../domain/account-limits.ts';
import { ChoiceField, type Choices, FormFault, type FormState, TextField, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { settingsPage, settingsView } from '../form/settings.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Notice, PageHead } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { accessText, MerchantFields, merchantChoices, merchantFormOf, merchantsIn } from './merchants.tsx';
import {
  isOwner,
  LIST,
  linkPage,
  Moment,
  ROLE_CHOICES,
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
      const values = { role: 'developer', ...merchantFormOf(null) };
      return inviteView(visit, unsent(values), await choicesOf(deps, visit));
    });
    guardedAction(`${LIST}/new`, (visit, fields) => invite(deps, visit, fields));
  };

const choicesOf = ({ database }: UserPagesDeps, { user: { accountId } }: Visit) =>
  merchantChoices(database, { accountId, merchants: null });

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
              { head: 'Role', cell: (user) => <span>{accessText(user)}</span> },
              { head: 'Status', cell: (user) => <UserState of={user} /> },
              { head: 'Last sign-in', kind: 'time', cell: ({ signedInAt }) => <Moment at={signedInAt} none="Never" /> },
            ]}
          />
        )}
      </>
    ),
  });
}

function inviteView(visit: Visit, form: FormState, choices: Choices): View {
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
          <MerchantFields form={form} choices={choices} />
        </GuardedForm>
      </>
    ),
  });
}

const MAX_NAME_LENGTH = 100;
/** The field of each error. Other errors are shown above the form. */
const FIELDS: Partial<Record<UserRefusal, string>> = {
  invalid_email: 'email',
  email_taken: 'email',
  role_without_limit: 'role',
  no_merchants: 'merchants',
  no_such_merchant: 'merchants',
};

async function invite(deps: UserPagesDeps, visit: Visit, fields: FormFields): Promise<Taken> {
  requireOwner(visit);
  const { database, dashboardUrl } = deps;
  const { email = '', name = '' } = fields;
  const given = {
    accountId: visit.user.accountId,
    email,
    name: name.trim().slice(0, MAX_NAME_LENGTH),
    merchants: merchantsIn(fields),
  };
  const take = async () =>
    linkPage(visit, dashboardUrl, await inviteUser(database, visit.actor, { ...given, role: roleOf(fields) }));
  return unlessRefused(take, async ({ message, reason }) => {
    const param = FIELDS[reason];
    const choices = await choicesOf(deps, visit);
    return inviteView(visit, { values: fields, error: { message, ...(param !== undefined && { param }) } }, choices);
  });
}
