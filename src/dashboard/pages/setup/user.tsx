/** A user of the account: for owners another role, a new link and removing. */
import { parseId } from '../../../domain/ids.ts';
import { roleCovers, type User } from '../../../domain/user.ts';
import { changeRole, inviteAgain, removeUser, requireUserOf, type UserOfAccount } from '../../../users/manage.ts';
import { UserRefused } from '../../../users/refused.ts';
import { DashboardFault } from '../../faults.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { Block, Facts, Notice, Time } from '../../views/parts.tsx';
import { SignInAgain } from '../../views/sign-in-again.tsx';
import type { Visit } from '../../visit.ts';
import { ChoiceField, FormFault, unsent } from './fields.tsx';
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

export const userObjectPages =
  (deps: UserPagesDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(`${LIST}/:id`, (visit) => showUser(deps, visit, null));
    guardedAction(`${LIST}/:id/link`, (visit) => makeLink(deps, visit));
    guardedAction(`${LIST}/:id/role`, (visit, fields) => takeRole(deps, visit, fields));
    page(`${LIST}/:id/remove`, (visit) => askToRemove(deps, visit, null));
    guardedAction(`${LIST}/:id/remove`, (visit) => remove(deps, visit));
  };

/** The user named in the address. @throws DashboardFault where the account has no such user */
async function findVisited({ database }: UserPagesDeps, visit: Visit): Promise<User> {
  return requireUserOf(database, orderOf(visit)).catch(missing);
}

function orderOf({ user: { accountId }, params }: Visit): UserOfAccount {
  const userId = parseId('User', params.id ?? '');
  if (userId === null) throw new DashboardFault('not_found');
  return { accountId, userId };
}

function missing(error: unknown): never {
  if (error instanceof UserRefused && error.reason === 'no_such_user') throw new DashboardFault('not_found');
  throw error;
}

async function showUser(deps: UserPagesDeps, visit: Visit, refusal: UserRefused | null): Promise<View> {
  const user = await findVisited(deps, visit);
  const { id, name, email, role, createdAt, signedInAt, hasPassword, passkeys, lockedUntil } = user;
  return setupView(visit, {
    tab: 'users',
    title: name,
    ...(refusal !== null && { status: 422 }),
    body: (
      <FormPage
        title={
          <>
            <bdi>{name}</bdi> <UserState of={user} />
          </>
        }
      >
        {visit.query.notice === 'role' && refusal === null && <Notice tone="good" title="The role is changed" />}
        <FormFault form={{ values: {}, error: refusal }} />
        <Facts
          facts={[
            ['User', <span class="id">{id}</span>],
            ['E-mail address', email],
            ['Role', ROLE_NAMES[role]],
            ['Made', <Time at={createdAt.toISOString()} full />],
            ['Signed in last', <Moment at={signedInAt} none="Never" />],
            ['Signs in with', meansOf(hasPassword, passkeys)],
            lockedUntil === null ? null : ['Locked until', <Time at={lockedUntil.toISOString()} full />],
          ]}
        />
        {isOwner(visit) && (visit.user.isRecent ? <UserForms visit={visit} user={user} /> : <Again visit={visit} />)}
      </FormPage>
    ),
  });
}

const Again = ({ visit }: { visit: Visit }) => <SignInAgain visit={visit} what="changing a user" />;

function meansOf(hasPassword: boolean, passkeys: number): string {
  const means = [
    ...(passkeys === 0 ? [] : [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`]),
    ...(hasPassword ? ['password and authenticator app'] : []),
  ];
  return means.length === 0 ? 'Nothing set up yet' : means.join(', ');
}

function UserForms({ visit, user: { id, name, role } }: { visit: Visit; user: User }) {
  const path = `${LIST}/${id}`;
  return (
    <>
      <Block title="Role">
        <p>
          It holds from the next page on. An account always keeps an owner who has signed in. API keys are not tied to
          who made them: roll those that a developer should no longer have.
        </p>
        <Form visit={visit} action={`${path}/role`} submit={`Change the role of ${name}`} tone="plain">
          <ChoiceField form={unsent({ role })} name="role" label="Role" choices={ROLE_CHOICES} />
        </Form>
      </Block>
      <Block title="New link">
        <p>
          For somebody who has lost the link, or every way to sign in. Once it is used, it replaces all that{' '}
          <bdi>{name}</bdi> signed in with.
        </p>
        <Form visit={visit} action={`${path}/link`} submit={`Make a new link for ${name}`} tone="plain" />
      </Block>
      <Block title="Remove">
        <p>Signed out everywhere at once. The audit trail keeps the name.</p>
        <p>
          <a class="button danger" href={`${visit.base}${path}/remove`}>
            Remove {name}
          </a>
        </p>
      </Block>
    </>
  );
}

async function makeLink(deps: UserPagesDeps, visit: Visit): Promise<Taken> {
  requireOwner(visit);
  const invited = await inviteAgain(deps.database, visit.actor, orderOf(visit)).catch(missing);
  return linkView(visit, deps.dashboardUrl, invited);
}

async function takeRole(deps: UserPagesDeps, visit: Visit, fields: FormFields): Promise<Taken> {
  requireOwner(visit);
  const order = { ...orderOf(visit), role: roleOf(fields) };
  const take = async () => {
    await changeRole(deps.database, visit.actor, order).catch(missing);
    return { to: `${LIST}/${order.userId}?notice=role` };
  };
  return unlessRefused(take, (refusal) => showUser(deps, visit, refusal));
}

async function askToRemove(deps: UserPagesDeps, visit: Visit, refusal: UserRefused | null): Promise<View> {
  requireOwner(visit);
  const { id, name, email, role } = await findVisited(deps, visit);
  const isOneself = id === visit.user.userId;
  const path = `${LIST}/${id}`;
  return setupView(visit, {
    tab: 'users',
    title: `Remove ${name}?`,
    ...(refusal !== null && { status: 422 }),
    body: (
      <FormPage title={`Remove ${name}?`} lead={email}>
        <FormFault form={{ values: {}, error: refusal }} />
        <p>
          {isOneself ? 'That is you: you are signed out, and cannot come back by yourself.' : `${name} is signed out.`}{' '}
          To undo it, invite the same address anew.
        </p>
        {roleCovers(role, 'developer') && (
          <p>
            API keys go on, also those that {isOneself ? 'you have' : 'this user has'} made or seen:{' '}
            <a href={`${visit.base}/setup/keys`}>roll them</a>.
          </p>
        )}
        {visit.user.isRecent ? (
          <Form visit={visit} action={`${path}/remove`} submit={`Remove ${name}`} tone="danger" cancel={path} />
        ) : (
          <Again visit={visit} />
        )}
      </FormPage>
    ),
  });
}

async function remove(deps: UserPagesDeps, visit: Visit): Promise<Taken> {
  requireOwner(visit);
  const take = async () => {
    await removeUser(deps.database, visit.actor, orderOf(visit)).catch(missing);
    return { to: `${LIST}?notice=removed` };
  };
  return unlessRefused(take, (refusal) => askToRemove(deps, visit, refusal));
}
