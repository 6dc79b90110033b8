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
import { listValidKeysCreatedBy } from '../../../db/keys/keys.ts';
import { parseId } from '../../../domain/ids.ts';
import type { ApiKey } from '../../../domain/key.ts';
import { roleCovers, type User } from '../../../domain/user.ts';
import { ChoiceField, type Choices, FormFault, type FormState, unsent } from '../form/fields.tsx';
import { Form, GuardedForm, SignInAgain } from '../form/form.tsx';
import { type FormMerchants, isMerchantSearch } from '../form/merchants.tsx';
import { settingsPage } from '../form/settings.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Block, Facts, Notice, noticeOf, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { CreatedKeys } from './created-keys.tsx';
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

async function showUser(
  deps: UserPagesDeps,
  visit: Visit<'id'>,
  refusal: UserRefused | null,
  fields: FormFields | null = null,
): Promise<View> {
  const user = await findVisited(deps, visit);
  const w = userWords();
  const notice = noticeOf(visit, { role: w.notices.role, merchants: w.notices.merchants });
  const merchants = await merchantChoices(deps.database, user, fields ?? {});
  const keys = await listValidKeysCreatedBy(deps.database, user.accountId, user.id);
  const merchantForm = unsent(fields ?? merchantFormOf(user.merchants));
  const { id, name, email, createdAt, hasPassword, passkeys, lockedUntil } = user;
  const form = { values: {}, error: refusal && refusedForm(refusal) };
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
            [w.facts.user, <span class="id">{id}</span>],
            [w.heads.email, email],
            [w.heads.role, accessText(user)],
            user.merchants === null ? null : [w.access.merchants, namesOf(user.merchants, merchants.choices)],
            [w.facts.created, <Time at={createdAt.toISOString()} full />],
            [w.heads.signedIn, <LastSignIn of={user} />],
            [w.facts.methods, methodsOf(hasPassword, passkeys)],
            lockedUntil === null ? null : [w.facts.lockedUntil, <Time at={lockedUntil.toISOString()} full />],
          ]}
        />
        {isOwner(visit) &&
          (visit.user.isRecent ? (
            <UserForms visit={visit} user={user} form={merchantForm} merchants={merchants} keys={keys} />
          ) : (
            <SignInAgain visit={visit} />
          ))}
      </>
    ),
  });
}

function methodsOf(hasPassword: boolean, passkeys: number): string {
  const w = userWords().methods;
  if (passkeys === 0) return hasPassword ? w.password : w.none;
  return hasPassword ? w.both(passkeys) : w.passkeys(passkeys);
}

const namesOf = (merchants: readonly string[], choices: Choices) =>
  choices
    .filter(([id]) => merchants.includes(id))
    .map(([, name]) => name)
    .join(', ') || userWords().access.none;

interface UserFormsProps {
  visit: Visit;
  user: User;
  /** Of the user's merchants. */
  form: FormState;
  merchants: FormMerchants;
  /** The valid ones that the user created. */
  keys: readonly ApiKey[];
}

function UserForms({ visit, user: { id, name, role }, form, merchants, keys }: UserFormsProps) {
  const path = `${LIST}/${id}`;
  const w = userWords();
  return (
    <>
      <Block title={w.heads.role}>
        <p>{w.roleAbout}</p>
        <Form visit={visit} action={`${path}/role`} submit={w.changeRole(name)} tone="plain">
          <ChoiceField form={unsent({ role })} name="role" label={w.heads.role} choices={roleChoices()} />
        </Form>
      </Block>
      {(merchants.choices.length > 0 || merchants.hasSearch) && (
        <Block title={w.access.merchants}>
          <p>{w.merchantsAbout}</p>
          {keys.length > 0 && <p>{w.createdKeys.notLimited}</p>}
          <CreatedKeys keys={keys} />
          <Form visit={visit} action={`${path}/merchants`} submit={w.changeMerchants(name)} tone="plain">
            <MerchantFields form={form} merchants={merchants} />
          </Form>
        </Block>
      )}
      <Block title={w.link.title}>
        <p>{w.link.about(<bdi>{name}</bdi>)}</p>
        <Form visit={visit} action={`${path}/link`} submit={w.link.create(name)} tone="plain" />
      </Block>
      <Block title={w.remove.title}>
        <p>{w.remove.about}</p>
        <p>
          <a class="button danger" href={`${visit.base}${path}/remove`}>
            {w.remove.submit(name)}
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
  if (isMerchantSearch(fields)) return showUser(deps, visit, null, fields);
  const order = { ...orderOf(visit), merchants: merchantsIn(fields) };
  const take = async () => {
    await changeMerchants(deps.database, visit.actor, order).catch(missing);
    return { to: `${LIST}/${order.userId}?notice=merchants` };
  };
  return unlessRefused(take, (refusal) => showUser(deps, visit, refusal, fields));
}

async function askToRemove(deps: UserPagesDeps, visit: Visit<'id'>, refusal: UserRefused | null): Promise<View> {
  requireOwner(visit);
  const { id, name, email, role, accountId } = await findVisited(deps, visit);
  const keys = await listValidKeysCreatedBy(deps.database, accountId, id);
  const isOneself = id === visit.user.userId;
  const w = userWords().remove;
  const toKeys = (text: string) => <a href={`${visit.base}/setup/keys`}>{text}</a>;
  const path = `${LIST}/${id}`;
  const form = { values: {}, error: refusal && refusedForm(refusal) };
  return settingsPage(visit, {
    tab: 'users',
    title: w.sure(name),
    lead: email,
    forms: [form],
    children: (
      <>
        <FormFault form={form} />
        <p>{isOneself ? w.oneself : w.other(name)}</p>
        {(roleCovers(role, 'developer') || keys.length > 0) && <p>{isOneself ? w.ownKeys(toKeys) : w.keys(toKeys)}</p>}
        <CreatedKeys keys={keys} />
        <GuardedForm
          visit={visit}
          modes="both"
          action={`${path}/remove`}
          submit={w.submit(name)}
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
