/** Renders any error of a page as an error page: what happened, and what to do. Logs internal errors. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DashboardFault, FAULTS, type FaultKind, faultOf } from './faults.ts';
import { setPageHeaders } from './headers.ts';
import { renderBarePage, renderPage } from './layout.tsx';

const NOTES: Record<FaultKind, { title: string; text: string }> = {
  not_found: {
    title: 'Page not found',
    text: 'This account has no such page in this mode. The page may exist in the other mode or in another account.',
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

const RETRY_AFTER_SECONDS = 5;

export function sendFault(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = faultOf(error);
  const { status } = FAULTS[fault.kind];
  if (fault.kind === 'failed') request.log.error({ error }, 'dashboard page failed');
  if (status === 503 || status === 429) reply.header('retry-after', RETRY_AFTER_SECONDS);
  setPageHeaders(request, reply);
  const { title } = NOTES[fault.kind];
  const note = <Note fault={fault} requestId={request.id} />;
  const page =
    request.visit == null
      ? renderBarePage(title, note)
      : renderPage(request.visit, { title, section: null, body: note });
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

function Note({ fault, requestId }: { fault: DashboardFault; requestId: string }) {
  const { title, text } = NOTES[fault.kind];
  return (
    <div class="note" data-fault={fault.kind}>
      <h1 tabindex={-1}>{title}</h1>
      <p>{text}</p>
      {fault.detail !== null && fault.kind !== 'not_found' && <p>{fault.detail}</p>}
      <p class="small">
        Request <code>{requestId}</code>
      </p>
    </div>
  );
}
