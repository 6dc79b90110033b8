/** Forms that REST carries out: one that creates an object, on a page of its own, and sending any form. */
import type { ComponentChildren } from 'preact';
import type { ErrorObject } from '../../../contract/error-object.ts';
import type { ApiQuestion } from '../../api/in-process.ts';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { requireDeveloper, type Visit } from '../page/visit.ts';
import { API_CALL_FORM, ApiCall } from './api-call.tsx';
import { FormFault, type FormState, unsent } from './fields.tsx';
import { GuardedForm } from './form.tsx';
import { type SettingsTab, settingsPage, settingsPath } from './settings.tsx';

/** @typeParam T the created object, as REST returns it */
interface NewObjectForm<T> {
  /** The page is at `/new` below the tab's list. */
  tab: SettingsTab;
  title: string;
  lead?: (visit: Visit) => string;
  /** What the user wants to do, if a sign-in is required: "create a live key". */
  what: string;
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

/** Adds the page of a form that creates an object, in live mode only after a recent sign-in. */
export function formPage<T>({ tab, title, lead, what, submit, values, fields, ...form }: NewObjectForm<T>): AddPages {
  const list = settingsPath(tab);
  const path = `${list}/new`;
  const show = (visit: Visit, state: FormState): View =>
    settingsPage(visit, {
      tab,
      title,
      lead: lead?.(visit),
      forms: [state],
      children: (
        <>
          <FormFault form={state} />
          <GuardedForm visit={visit} id={API_CALL_FORM} what={what} action={path} submit={submit} cancel={list} isOnce>
            {fields(state)}
          </GuardedForm>
          <ApiCall visit={visit} action={`${path}/api-call`} question={(form.shown ?? form.request)(state.values)} />
        </>
      ),
    });
  return ({ action, attemptPage, liveGuardedAction }) => {
    attemptPage(path, async (visit) => show(visit, unsent(values)));
    action(`${path}/api-call`, async (visit, given) => {
      requireDeveloper(visit);
      return show(visit, unsent(given));
    });
    liveGuardedAction(path, (visit, given) =>
      sendForm<T>(visit, given, {
        request: form.request(given),
        done: (object) => form.created(visit, object),
        again: (state) => show(visit, state),
      }),
    );
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
  return again({ values, error: error.param === 'Idempotency-Key' ? SENT_BEFORE : error });
}

/** If the form was submitted before and its result cannot be shown again. */
const SENT_BEFORE: Pick<ErrorObject, 'message'> = {
  message:
    'This form was already submitted. Check the list for the result. To create another one, open the form again.',
};
