/** A user of the account. Owners can change the role, create a new link and remove the user. */
import {
  changeMerchants,
  changeRole,
  inviteAgain,
  removeUser,
  requireUserOf,
  type UserOfAccount,
  UserRefused,
} from '../../../accounts/users/manage.ts';
import { parseId } from '../../../domain/ids.ts';
import { roleCovers, type User } from '../../../domain/user.ts';
import { ChoiceField, type Choices, FormFault, type FormState, unsent } from '../form/fields.tsx';
import { Form, GuardedForm, SignInAgain } from '../form/form.tsx';
import { settingsPage } from '../form/settings.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Block, Facts, Notice, noticeOf, Time } from '../page/parts.tsx';
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

export const userObjectPages =
  (deps: UserPagesDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(`${LIST}/:id`, (visit) => showUser(deps, visit, null));
    guardedAction(`${LIST}/:id/link`, (visit) => makeLink(deps, visit));
    guardedAction(`${LIST}/:id/role`, (visit, fields) => takeRole(deps, visit, fields));
    guardedAction(`${LIST}/:id/merchants`, (visit, fields) => takeMerchants(deps, visit, fields));
    page(`${LIST}/:id/remove`, (visit) => askToRemove(deps, visit, null));
    guardedAction(`${LIST}/:id/remove`, (visit) => remove(deps, visit));
  };

/** The user in the URL. @throws DashboardFault if the account has no such user */
async function findVisited({ database }: UserPagesDeps, visit: Visit<'id'>): Promise<User> {
  return requireUserOf(database, orderOf(visit)).catch(missing);
}

function orderOf({ user: { accountId }, params }: Visit<'id'>): UserOfAccount {
  const userId = parseId('User', params.id);
  if (userId === null) throw new DashboardFault('not_found');
  return { accountId, userId };
}

function missing(error: unknown): never {
  if (error instanceof UserRefused && error.reason === 'no_such_user') throw new DashboardFault('not_found');
  throw error;
}

const NOTICES = { role: 'Role changed', merchants: 'Merchants changed' } as const;

async function showUser(
  deps: UserPagesDeps,
  visit: Visit<'id'>,
  refusal: UserRefused | null,
  fields: FormFields | null = null,
): Promise<View> {
  const user = await findVisited(deps, visit);
  const notice = noticeOf(visit, NOTICES);
  const choices = await merchantChoices(deps.database, user);
  const merchants = unsent(fields ?? merchantFormOf(user.merchants));
  const { id, name, email, createdAt, signedInAt, hasPassword, passkeys, lockedUntil } = user;
  const form = { values: {}, error: refusal };
  return settingsPage(visit, {
    tab: 'users',
    title: name,
    heading: (
      <>
        <bdi>{name}</bdi> <UserState of={user} />
      </>
    ),
    forms: [form],
    children: (
      <>
        {notice !== null && refusal === null && <Notice tone="good" title={notice} />}
        <FormFault form={form} />
        <Facts
          facts={[
            ['User', <span class="id">{id}</span>],
            ['Email address', email],
            ['Role', accessText(user)],
            user.merchants === null ? null : ['Merchants', namesOf(user.merchants, choices)],
            ['Created', <Time at={createdAt.toISOString()} full />],
            ['Last sign-in', <Moment at={signedInAt} none="Never" />],
            ['Sign-in methods', meansOf(hasPassword, passkeys)],
            lockedUntil === null ? null : ['Locked until', <Time at={lockedUntil.toISOString()} full />],
          ]}
        />
        {isOwner(visit) &&
          (visit.user.isRecent ? (
            <UserForms visit={visit} user={user} merchants={merchants} choices={choices} />
          ) : (
            <SignInAgain visit={visit} />
          ))}
      </>
    ),
  });
}

function meansOf(hasPassword: boolean, passkeys: number): string {
  const means = [
    ...(passkeys === 0 ? [] : [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`]),
    ...(hasPassword ? ['password and authenticator app'] : []),
  ];
  return means.length === 0 ? 'None yet' : means.join(', ');
}

const namesOf = (merchants: readonly string[], choices: Choices) =>
  choices
    .filter(([id]) => merchants.includes(id))
    .map(([, name]) => name)
    .join(', ') || 'None: the user sees nothing';

interface UserFormsProps {
  visit: Visit;
  user: User;
  /** The form of the user's merchants. */
  merchants: FormState;
  choices: Choices;
}

function UserForms({ visit, user: { id, name, role }, merchants, choices }: UserFormsProps) {
  const path = `${LIST}/${id}`;
  return (
    <>
      <Block title="Role">
        <p>
          Applies from the next page the user opens. An account always needs an owner who has signed in. API keys are
          not tied to users: roll any key that this user should no longer have.
        </p>
        <Form visit={visit} action={`${path}/role`} submit={`Change role of ${name}`} tone="plain">
          <ChoiceField form={unsent({ role })} name="role" label="Role" choices={ROLE_CHOICES} />
        </Form>
      </Block>
      {choices.length > 0 && (
        <Block title="Merchants">
          <p>
            A user who is limited to merchants sees and does only what belongs to these, and nothing about the account
            as a whole. Applies at once. The user’s own alerts end.
          </p>
          <Form visit={visit} action={`${path}/merchants`} submit={`Change merchants of ${name}`} tone="plain">
            <MerchantFields form={merchants} choices={choices} />
          </Form>
        </Block>
      )}
      <Block title="New link">
        <p>
          For a user who lost the link or can’t sign in. When used, it replaces all sign-in methods of <bdi>{name}</bdi>
          .
        </p>
        <Form visit={visit} action={`${path}/link`} submit={`Create new link for ${name}`} tone="plain" />
      </Block>
      <Block title="Remove">
        <p>The user is signed out everywhere immediately. The audit trail keeps the name.</p>
        <p>
          <a class="button danger" href={`${visit.base}${path}/remove`}>
            Remove {name}
          </a>
        </p>
      </Block>
    </>
  );
}

async function makeLink(deps: UserPagesDeps, visit: Visit<'id'>): Promise<Taken> {
  requireOwner(visit);
  const invited = await inviteAgain(deps.database, visit.actor, orderOf(visit)).catch(missing);
  return linkPage(visit, deps.dashboardUrl, invited);
}

async function takeRole(deps: UserPagesDeps, visit: Visit<'id'>, fields: FormFields): Promise<Taken> {
  requireOwner(visit);
  const order = { ...orderOf(visit), role: roleOf(fields) };
  const take = async () => {
    await changeRole(deps.database, visit.actor, order).catch(missing);
    return { to: `${LIST}/${order.userId}?notice=role` };
  };
  return unlessRefused(take, (refusal) => showUser(deps, visit, refusal));
}

async function takeMerchants(deps: UserPagesDeps, visit: Visit<'id'>, fields: FormFields): Promise<Taken> {
  requireOwner(visit);
  const order = { ...orderOf(visit), merchants: merchantsIn(fields) };
  const take = async () => {
    await changeMerchants(deps.database, visit.actor, order).catch(missing);
    return { to: `${LIST}/${order.userId}?notice=merchants` };
  };
  return unlessRefused(take, (refusal) => showUser(deps, visit, refusal, fields));
}

async function askToRemove(deps: UserPagesDeps, visit: Visit<'id'>, refusal: UserRefused | null): Promise<View> {
  requireOwner(visit);
  const { id, name, email, role } = await findVisited(deps, visit);
  const isOneself = id === visit.user.userId;
  const path = `${LIST}/${id}`;
  const form = { values: {}, error: refusal };
  return settingsPage(visit, {
    tab: 'users',
    title: `Remove ${name}?`,
    lead: email,
    forms: [form],
    children: (
      <>
        <FormFault form={form} />
        <p>
          {isOneself ? 'This is you. You are signed out and lose access.' : `${name} is signed out and loses access.`}{' '}
          To restore access, an owner invites the same email address again.
        </p>
        {roleCovers(role, 'developer') && (
          <p>
            API keys keep working, including keys that {isOneself ? 'you have' : 'this user has'} created or seen.{' '}
            <a href={`${visit.base}/setup/keys`}>Roll them</a> if needed.
          </p>
        )}
        <GuardedForm
          visit={visit}
          modes="both"
          action={`${path}/remove`}
          submit={`Remove ${name}`}
          tone="danger"
          cancel={path}
        />
      </>
    ),
  });
}

async function remove(deps: UserPagesDeps, visit: Visit<'id'>): Promise<Taken> {
  requireOwner(visit);
  const take = async () => {
    await removeUser(deps.database, visit.actor, orderOf(visit)).catch(missing);
    return { to: `${LIST}?notice=removed` };
  };
  return unlessRefused(take, (refusal) => askToRemove(deps, visit, refusal));
}
