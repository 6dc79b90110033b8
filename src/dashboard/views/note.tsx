/** The pages of what goes wrong, in words: what it means, and what to do. */
import type { ComponentChildren } from 'preact';
import type { DashboardFault, FaultKind } from '../faults.ts';

const NOTES: Record<FaultKind, { title: string; text: string }> = {
  not_found: {
    title: 'There is nothing here',
    text: 'This account has nothing with this address in this mode. It may be of the other mode, or of another account.',
  },
  forbidden: {
    title: 'Your role does not cover this',
    text: 'Ask an owner of the account, who can do it or give you another role.',
  },
  stale_form: {
    title: 'This form is no longer good',
    text: 'Nothing was changed. Go back, load the page again, and send the form once more.',
  },
  refused: {
    title: 'That could not be asked for',
    text: 'A filter or a field has a value that is not taken. Nothing was changed.',
  },
  too_many: { title: 'Too many requests', text: 'Wait a moment, and load the page again.' },
  away: {
    title: 'The service cannot reach its database',
    text: 'Nothing is lost. Calls and payments go on as far as they can; load this page again in a moment.',
  },
  failed: {
    title: 'Something went wrong here',
    text: 'It was our fault, and it is in the log. Load the page again, or go back.',
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
