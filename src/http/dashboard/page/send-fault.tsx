/** Renders any error of a page as an error page, and logs internal errors. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FAULTS, faultOf } from './faults.ts';
import { setPageHeaders } from './headers.ts';
import { renderBarePage, renderPage } from './layout.tsx';
import { Note, titleOf } from './note.tsx';

const RETRY_AFTER_SECONDS = 5;

export function sendFault(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = faultOf(error);
  const { status } = FAULTS[fault.kind];
  if (fault.kind === 'failed') request.log.error({ error }, 'dashboard page failed');
  if (status === 503 || status === 429) reply.header('retry-after', RETRY_AFTER_SECONDS);
  setPageHeaders(request, reply);
  const title = titleOf(fault);
  const note = <Note fault={fault} requestId={request.id} />;
  const page =
    request.visit == null
      ? renderBarePage(title, note)
      : renderPage(request.visit, { title, section: null, body: note });
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}
