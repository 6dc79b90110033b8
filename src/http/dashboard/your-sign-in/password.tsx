/** Changing the password of a user who has one. */
import { changeOwnPassword, type NewPasswordFaults } from '../../../accounts/users/own-password.ts';
import { GuardedForm } from '../form/form.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { CurrentPasswordField, EmailShown, NewPasswordField } from '../sign-in/fields.tsx';
import { HERE, type OwnDeps, ownOf, ownView, tooBusy } from './parts.tsx';
import { yourSignInWords } from './words/index.ts';

export const NEW_PASSWORD = `${HERE}/new-password`;

export const yourPasswordPages =
  (deps: OwnDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(NEW_PASSWORD, (visit) => showForm(deps, visit, null));
    guardedAction(NEW_PASSWORD, (visit, fields) => takePassword(deps, visit, fields));
  };

async function showForm(deps: OwnDeps, visit: Visit, faults: NewPasswordFaults | null): Promise<View> {
  const { user } = await ownOf(deps, visit);
  if (!user.hasPassword) throw new DashboardFault('not_found');
  const w = yourSignInWords().password;
  return ownView(
    w.change,
    <GuardedForm visit={visit} modes="both" action={NEW_PASSWORD} submit={w.change} cancel={HERE}>
      <p>{w.changing}</p>
      <EmailShown email={user.email} />
      <CurrentPasswordField fault={faults?.current} />
      <NewPasswordField fault={faults?.password} />
    </GuardedForm>,
    faults !== null,
  );
}

async function takePassword(deps: OwnDeps, visit: Visit, { current = '', password = '' }: FormFields): Promise<Taken> {
  if (visit.user.isDemo) throw new DashboardFault('not_found');
  const change = await changeOwnPassword(deps.database, visit.actor, visit.user, { current, password }).catch(tooBusy);
  if (change.kind === 'missing') throw new DashboardFault('not_found');
  if (change.kind === 'faults') return showForm(deps, visit, change.faults);
  return { to: `${HERE}?notice=password`, signedIn: change.signedIn };
}
