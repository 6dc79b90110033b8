/** The settings pages: their tabs, heading, secrets shown once, and refused forms. */
import type { ComponentChildren } from 'preact';
import type { ErrorObject } from '../../../contract/error-object.ts';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, View } from '../page/page-routes.ts';
import { CopyButton, Notice } from '../page/parts.tsx';
import type { Answer, Visit } from '../page/visit.ts';

const TABS = {
  merchants: { title: 'Merchants', path: '/setup/merchants' },
  keys: { title: 'API keys', path: '/setup/keys' },
  webhooks: { title: 'Webhook endpoints', path: '/setup/webhooks' },
  account: { title: 'Account', path: '/setup/account' },
  users: { title: 'Users', path: '/setup/users' },
} as const;
export type SetupTab = keyof typeof TABS;

/** A page of the settings. @param status 422 if a form is shown again with errors */
export function setupView(
  visit: Visit,
  { tab, title, body, status }: { tab: SetupTab; title: string; body: ComponentChildren; status?: number },
): View {
  return {
    title,
    section: 'setup',
    ...(status !== undefined && { status }),
    body: (
      <>
        <nav class="tabs" aria-label="Settings">
          {Object.entries(TABS).map(([id, { title: name, path }]) => (
            <a key={id} href={visit.base + path} aria-current={id === tab ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        {body}
      </>
    ),
  };
}

/** The heading of a page that is a form. */
export function FormPage({
  title,
  lead,
  children,
}: {
  title: ComponentChildren;
  lead?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <>
      <div class="head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
      </div>
      {children}
    </>
  );
}

/** A value that is shown only once: a key, a signing secret. */
export function Secret({ name, value, what }: { name: string; value: string; what: ComponentChildren }) {
  return (
    <Notice tone="wait" title={`Copy the ${name} now`}>
      <p>{what} You won’t be able to see it again.</p>
      <p class="with-copy secret">
        <code>{value}</code> <CopyButton text={value} what={`the ${name}`} />
      </p>
    </Notice>
  );
}

/** `/setup` redirects to the first tab. */
export const settingsPages: AddPages = ({ page }) => page('/setup', async () => ({ to: TABS.merchants.path }));

/**
 * Shows the form again with the error from REST.
 * @throws DashboardFault if the form is not the cause: role, account, database unavailable
 */
export function refusedView(
  { status, error }: Extract<Answer<unknown>, { ok: false }>,
  show: (error: Pick<ErrorObject, 'message' | 'param'>) => View,
): View {
  const isFormError = status === 400 || status === 409 || status === 422 || status === 424;
  if (!isFormError) throw new DashboardFault(faultOfStatus(status), error.message);
  return show(error.param === 'Idempotency-Key' ? SENT_BEFORE : error);
}

/** When the form was submitted before and its result cannot be shown again. */
const SENT_BEFORE: Pick<ErrorObject, 'message'> = {
  message:
    'This form was already submitted. Check the list for the result. To create another one, open the form again.',
};
