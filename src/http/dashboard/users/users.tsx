/** Users of the account: the list, and inviting for owners. */
import { inviteUser, listUsers, type UserRefusal } from '../../../accounts/users/manage.ts';
import { MAX_USERS } from '../../../domain/account-limits.ts';
import { ChoiceField, FormFault, type FormState, TextField, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { type FormMerchants, isMerchantSearch } from '../form/merchants.tsx';
import { settingsPage, settingsView } from '../form/settings.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Notice, PageHead } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { accessText, MerchantFields, merchantChoices, merchantFormOf, merchantsIn } from './merchants.tsx';
import {
  isOwner,
  LastSignIn,
  LIST,
  linkPage,
  refusedForm,
  requireOwner,
  roleChoices,
  roleOf,
  type UserPagesDeps,
  UserState,
  unlessRefused,
} from './parts.tsx';
import { userWords } from './words/index.ts';

export const userPages =
  (deps: UserPagesDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(LIST, (visit) => showUsers(deps, visit));
    page(`${LIST}/new`, async (visit) => {
      requireOwner(visit);
      const values = { role: 'developer', ...merchantFormOf(null) };
      return inviteView(visit, unsent(values), await choicesOf(deps, visit, {}));
    });
    guardedAction(`${LIST}/new`, (visit, fields) => invite(deps, visit, fields));
  };

const choicesOf = ({ database }: UserPagesDeps, { user: { accountId } }: Visit, fields: FormFields) =>
  merchantChoices(database, { accountId, merchants: null }, fields);

async function showUsers({ database }: UserPagesDeps, visit: Visit): Promise<View> {
  const users = await listUsers(database, visit.user.accountId);
  const w = userWords();
  return settingsView(visit, {
    tab: 'users',
    title: w.title,
    body: (
      <>
        <PageHead title={w.title} lead={isOwner(visit) ? w.lead : w.leadForOthers}>
          {isOwner(visit) && users.length < MAX_USERS && (
            <a class="button first" href={`${visit.base}${LIST}/new`}>
              {w.invite}
            </a>
          )}
        </PageHead>
        {visit.query.notice === 'removed' && <Notice tone="good" title={w.notices.removed} />}
        {users.length === 0 ? (
          <p class="quiet">{w.none}</p>
        ) : (
          <Table
            label={w.label}
            rows={users}
            href={({ id }) => `${visit.base}${LIST}/${id}`}
            columns={[
              { head: w.heads.name, cell: ({ name }) => <span>{name}</span> },
              { head: w.heads.email, cell: ({ email }) => <span>{email}</span> },
              { head: w.heads.role, cell: (user) => <span>{accessText(user)}</span> },
              { head: w.heads.status, cell: (user) => <UserState of={user} /> },
              { head: w.heads.signedIn, kind: 'time', cell: (user) => <LastSignIn of={user} /> },
            ]}
          />
        )}
      </>
    ),
  });
}

function inviteView(visit: Visit, form: FormState, merchants: FormMerchants): View {
  const w = userWords();
  return settingsPage(visit, {
    tab: 'users',
    title: w.invite,
    lead: w.inviteLead,
    forms: [form],
    children: (
      <>
        <FormFault form={form} />
        <GuardedForm visit={visit} modes="both" action={`${LIST}/new`} submit={w.createLink} cancel={LIST}>
          <TextField form={form} name="email" label={w.heads.email} required maxlength={254} />
          <TextField form={form} name="name" label={w.heads.name} hint={w.nameHint} maxlength={MAX_NAME_LENGTH} />
          <ChoiceField form={form} name="role" label={w.heads.role} choices={roleChoices()} />
          <MerchantFields form={form} merchants={merchants} />
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
  if (isMerchantSearch(fields)) return inviteView(visit, unsent(fields), await choicesOf(deps, visit, fields));
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
  return unlessRefused(take, async (refusal) => {
    const param = FIELDS[refusal.reason];
    const error = { ...refusedForm(refusal), ...(param !== undefined && { param }) };
    return inviteView(visit, { values: fields, error }, await choicesOf(deps, visit, fields));
  });
}
