/** Forms that REST carries out: one that creates an object, on a page of its own, and sending any form. */
import type { ComponentChildren } from 'preact';
import type { ApiQuestion } from '../../api/in-process.ts';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { requireDeveloper, type Visit } from '../page/visit.ts';
import { API_CALL_FORM, ApiCall } from './api-call.tsx';
import { FormFault, type FormState, unsent } from './fields.tsx';
import { GuardedForm } from './form.tsx';
import { type SettingsTab, settingsPage, settingsPath } from './settings.tsx';
import { formWords } from './words/index.ts';

/** @typeParam T the created object, as REST returns it */
interface NewObjectForm<T> {
  /** The page is at `/new` below the tab's list. */
  tab: SettingsTab;
  title: string;
  lead?: (visit: Visit) => string;
  submit: string;
  /** The values of the fields when the page is opened. */
  values?: FormFields;
  fields: (form: FormState) => ComponentChildren;
  /** The request that creates the object. */
  request: (fields: FormFields) => ApiQuestion;
  /** The same as an API call shows it, if a value may be secret. */
  shown?: (fields: FormFields) => ApiQuestion;
  created: (visit: Visit, object: T) => Taken;
}

/**
 * Adds the page of a form that creates an object, in live mode only after a recent sign-in.
 * @param describe called for each request, in its language
 */
export function formPage<T>(describe: () => NewObjectForm<T>): AddPages {
  const show = (visit: Visit, state: FormState): View => {
    const { tab, title, lead, submit, fields, ...form } = describe();
    const list = settingsPath(tab);
    return settingsPage(visit, {
      tab,
      title,
      lead: lead?.(visit),
      forms: [state],
      children: (
        <>
          <FormFault form={state} />
          <GuardedForm visit={visit} id={API_CALL_FORM} action={`${list}/new`} submit={submit} cancel={list} isOnce>
            {fields(state)}
          </GuardedForm>
          <ApiCall
            visit={visit}
            action={`${list}/new/api-call`}
            question={(form.shown ?? form.request)(state.values)}
          />
        </>
      ),
    });
  };
  return ({ action, attemptPage, liveGuardedAction }) => {
    const path = `${settingsPath(describe().tab)}/new`;
    attemptPage(path, async (visit) => show(visit, unsent(describe().values)));
    action(`${path}/api-call`, async (visit, given) => {
      requireDeveloper(visit);
      return show(visit, unsent(given));
    });
    liveGuardedAction(path, (visit, given) => {
      const { request, created } = describe();
      return sendForm<T>(visit, given, {
        request: request(given),
        done: (object) => created(visit, object),
        again: (state) => show(visit, state),
      });
    });
  };
}

interface SentForm<T> {
  request: ApiQuestion;
  done: (body: T) => Taken;
  /** The page with the form, its values and its error. */
  again: (form: FormState) => View | Promise<View>;
  /** Statuses that are errors of this form, beside those of any form. */
  errors?: readonly number[];
}

const FORM_ERRORS = [400, 409, 422, 424];

/**
 * Sends a form to REST. If REST rejects a value, shows the form again with the error.
 * @throws DashboardFault if the form is not the cause: role, account, database unavailable
 */
export async function sendForm<T>(
  visit: Visit,
  values: FormFields,
  { request, done, again, errors = [] }: SentForm<T>,
): Promise<Taken> {
  const answer = await visit.tryAsk<T>(request);
  if (answer.ok) return done(answer.body);
  const { status, error } = answer;
  if (![...FORM_ERRORS, ...errors].includes(status)) throw new DashboardFault(faultOfStatus(status), error.message);
  return again({ values, error: error.param === 'Idempotency-Key' ? sentBefore() : error });
}

/** If the form was submitted before and its result cannot be shown again. */
const sentBefore = (): NonNullable<FormState['error']> => ({ message: formWords().sentBefore, isOwn: true });
