/** Error pages: what happened, and what to do. */
import type { ComponentChildren } from 'preact';
import type { DashboardFault, FaultKind } from './faults.ts';

const NOTES: Record<FaultKind, { title: string; text: string }> = {
  not_found: {
    title: 'Page not found',
    text: 'This account has nothing at this address in this mode. It may belong to the other mode or to another account.',
  },
  forbidden: {
    title: 'Your role does not allow this',
    text: 'Ask an owner of the account to do it or to change your role.',
  },
  stale_form: {
    title: 'This form has expired',
    text: 'Nothing was changed. Go back, reload the page and submit the form again.',
  },
  refused: {
    title: 'Invalid request',
    text: 'A filter or field has an invalid value. Nothing was changed.',
  },
  too_many: { title: 'Too many requests', text: 'Wait a moment, then reload the page.' },
  away: {
    title: 'The service cannot reach its database',
    text: 'No data is lost. Calls and payments continue as far as possible. Reload this page in a moment.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'An internal error occurred and was logged. Reload the page, or go back.',
  },
};

export const titleOf = ({ kind }: DashboardFault) => NOTES[kind].title;

export function Note({
  fault,
  requestId,
  back,
}: {
  fault: DashboardFault;
  requestId: string;
  back?: ComponentChildren;
}) {
  const { title, text } = NOTES[fault.kind];
  return (
    <div class="note" data-fault={fault.kind}>
      <h1 tabindex={-1}>{title}</h1>
      <p>{text}</p>
      {fault.detail !== null && fault.kind !== 'not_found' && <p>{fault.detail}</p>}
      <p class="small">
        Request <code>{requestId}</code>
      </p>
      {back}
    </div>
  );
}
