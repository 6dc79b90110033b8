/** Users of the account: the list, and for owners inviting. */
import { inviteUser, listUsers, MAX_USERS } from '../../../users/manage.ts';
import type { UserRefusal } from '../../../users/refused.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { Notice } from '../../views/parts.tsx';
import { SignInAgain } from '../../views/sign-in-again.tsx';
import { Table } from '../../views/table.tsx';
import type { Visit } from '../../visit.ts';
import { ChoiceField, FormFault, type FormState, TextField, unsent } from './fields.tsx';
import { FormPage, setupView } from './frame.tsx';
import {
  isOwner,
  linkView,
  LIST,
  Moment,
  requireOwner,
  ROLE_CHOICES,
  ROLE_NAMES,
  roleOf,
  unlessRefused,
  type UserPagesDeps,
  UserState,
} from './user-parts.tsx';

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
  return setupView(visit, {
    tab: 'users',
    title: 'Users',
    body: (
      <>
        <div class="head">
          <div>
            <h1>Users</h1>
            <p class="lead">
              Who signs in to this account, in both modes. {!isOwner(visit) && 'Owners invite, change and remove them.'}
            </p>
          </div>
          {isOwner(visit) && users.length < MAX_USERS && (
            <a class="button first" href={`${visit.base}${LIST}/new`}>
              Invite somebody
            </a>
          )}
        </div>
        {visit.query.notice === 'removed' && <Notice tone="good" title="Removed, and signed out everywhere" />}
        {users.length === 0 ? (
          <p class="quiet">Nobody yet: this is the demo account, which opens without signing in.</p>
        ) : (
          <Table
            label="Users, oldest first"
            rows={users}
            href={({ id }) => `${visit.base}${LIST}/${id}`}
            columns={[
              { head: 'Name', cell: ({ name }) => <span>{name}</span> },
              { head: 'E-mail address', cell: ({ email }) => <span>{email}</span> },
              { head: 'Role', cell: ({ role }) => <span>{ROLE_NAMES[role]}</span> },
              { head: 'State', cell: (user) => <UserState of={user} /> },
              { head: 'Signed in', kind: 'time', cell: ({ signedInAt }) => <Moment at={signedInAt} none="Never" /> },
            ]}
          />
        )}
      </>
    ),
  });
}

function inviteView(visit: Visit, form: FormState): View {
  const title = 'Invite somebody';
  return setupView(visit, {
    tab: 'users',
    title,
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage title={title} lead="You get a one-time link to give them. With it they choose how they sign in.">
        <FormFault form={form} />
        {visit.user.isRecent ? (
          <Form visit={visit} action={`${LIST}/new`} submit="Make the link" cancel={LIST}>
            <TextField form={form} name="email" label="E-mail address" required maxlength={254} />
            <TextField form={form} name="name" label="Name" hint="As others see it." maxlength={MAX_NAME_LENGTH} />
            <ChoiceField form={form} name="role" label="Role" choices={ROLE_CHOICES} />
          </Form>
        ) : (
          <SignInAgain visit={visit} what="inviting somebody" />
        )}
      </FormPage>
    ),
  });
}

const MAX_NAME_LENGTH = 100;
/** Whose field is at fault; the others are told above the form. */
const FIELDS: Partial<Record<UserRefusal, string>> = { invalid_email: 'email', email_taken: 'email' };

async function invite({ database, dashboardUrl }: UserPagesDeps, visit: Visit, fields: FormFields): Promise<Taken> {
  requireOwner(visit);
  const { email = '', name = '' } = fields;
  const given = { accountId: visit.user.accountId, email, name: name.trim().slice(0, MAX_NAME_LENGTH) };
  const take = async () =>
    linkView(visit, dashboardUrl, await inviteUser(database, visit.actor, { ...given, role: roleOf(fields) }));
  return unlessRefused(take, ({ message, reason }) => {
    const param = FIELDS[reason];
    return inviteView(visit, { values: fields, error: { message, ...(param !== undefined && { param }) } });
  });
}
