/** `/your-alerts`: the user's own alerts, by email to the address of the sign-in. */
import { sendTestAlert, setOwnAlerts } from '../../../alerts/manage.ts';
import { alertTargetResource } from '../../../contract/alerts.ts';
import { ApiError } from '../../../contract/errors.ts';
import { findOwnAlertTarget } from '../../../db/alerts/alert-targets.ts';
import { findUser } from '../../../db/users/users.ts';
import { type AlertTarget, DEFAULT_ALERTS } from '../../../domain/alerts.ts';
import type { User } from '../../../domain/user.ts';
import { AlertSettingsRequest, alertSettingsOf } from '../../api/routes/alert-target-shapes.ts';
import { parseBody } from '../../api/validation.ts';
import { FormFault, type FormState, unsent } from '../form/fields.tsx';
import { Form } from '../form/form.tsx';
import { isMerchantSearch } from '../form/merchants.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Block, Facts, Notice, noticeOf, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { timeZone } from '../words/time-zone.ts';
import { AlertFields, alertFormOf, alertSettingsIn, DEFAULTS, reportMerchants } from './fields.tsx';
import { LastMessage, TestBlock } from './parts.tsx';
import { alertWords } from './words/index.ts';

const PATH = '/your-alerts';
type Deps = Pick<DashboardDeps, 'database' | 'vault'>;

/** For every role: the messages have nothing that a viewer cannot see. */
export const yourAlertPages =
  (deps: Deps): AddPages =>
  ({ attemptPage, action }) => {
    attemptPage(PATH, (visit) => showOwn(deps, visit));
    action(PATH, (visit, fields) => changeOwn(deps, visit, fields));
    action(`${PATH}/test`, (visit) => testOwn(deps, visit));
    action(`${PATH}/delete`, (visit) => removeOwn(deps, visit));
  };

const scopeOf = ({ user: { accountId, userId }, mode }: Visit) => ({ accountId, mode, userId });

interface Own {
  user: User;
  target: AlertTarget | null;
}

/** @throws DashboardFault for the demo, which has no user */
async function readOwn({ database }: Deps, visit: Visit): Promise<Own> {
  const user = visit.user.isDemo ? null : await findUser(database, visit.user.userId);
  if (user === null) throw new DashboardFault('not_found');
  return { user, target: await findOwnAlertTarget(database, scopeOf(visit), user.id) };
}

async function showOwn(deps: Deps, visit: Visit): Promise<View> {
  const own = await readOwn(deps, visit);
  const settings = own.target === null ? { ...DEFAULTS, time_zone: timeZone() } : alertTargetResource(own.target);
  return ownView(deps, visit, own, unsent(alertFormOf(settings)));
}

async function ownView({ database }: Deps, visit: Visit, { user, target }: Own, form: FormState): Promise<View> {
  const merchants = await reportMerchants(database, visit, form);
  const { own: w, notices, heads, settings, save } = alertWords();
  const notice = noticeOf(visit, { changed: notices.changed, tested: notices.tested, removed: notices.removed });
  return {
    title: w.title,
    section: null,
    ...(form.error !== null && { status: 422 }),
    body: (
      <>
        <PageHead title={w.title} lead={w.lead(<bdi>{user.email}</bdi>, visit.mode)} />
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        {target !== null && (
          <>
            <Facts facts={[[heads.last, <LastMessage of={alertTargetResource(target).last_message} />]]} />
            <TestBlock visit={visit} action={`${PATH}/test`} />
          </>
        )}
        <Block title={settings}>
          <FormFault form={form} />
          <Form visit={visit} action={PATH} submit={target === null ? w.turnOn : save}>
            <AlertFields form={form} merchants={merchants} />
          </Form>
        </Block>
        {target !== null && (
          <Block title={w.off}>
            <p>{w.offAbout(visit.mode)}</p>
            <Form visit={visit} action={`${PATH}/delete`} submit={w.turnOff} tone="danger" />
          </Block>
        )}
      </>
    ),
  };
}

async function changeOwn(deps: Deps, visit: Visit, fields: FormFields): Promise<Taken> {
  const own = await readOwn(deps, visit);
  if (isMerchantSearch(fields)) return ownView(deps, visit, own, unsent(fields));
  try {
    const request = parseBody(AlertSettingsRequest, alertSettingsIn(fields));
    const settings = alertSettingsOf(request, own.target ?? { ...DEFAULT_ALERTS, name: '' });
    await setOwnAlerts(deps, visit.actor, scopeOf(visit), settings);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { param } = error.facts;
    return ownView(deps, visit, own, { values: fields, error: { message: error.message, ...(param && { param }) } });
  }
  return { to: `${PATH}?notice=changed` };
}

async function testOwn(deps: Deps, visit: Visit): Promise<Taken> {
  const { target } = await readOwn(deps, visit);
  if (target === null) throw new DashboardFault('not_found');
  await sendTestAlert(deps.database, target);
  return { to: `${PATH}?notice=tested` };
}

async function removeOwn(deps: Deps, visit: Visit): Promise<Taken> {
  await readOwn(deps, visit);
  await setOwnAlerts(deps, visit.actor, scopeOf(visit), null);
  return { to: `${PATH}?notice=removed` };
}
