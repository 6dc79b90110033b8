/** Renders any error of a page as an error page: what happened, and what to do. Logs internal errors. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { DashboardRefusal } from '../sign-in/errors.ts';
import { inLanguage, languageOfRequest } from '../words/language.ts';
import { InEnglish } from './english.tsx';
import { type DashboardFault, FAULTS, faultOf } from './faults.ts';
import { setPageHeaders } from './headers.ts';
import { renderBarePage, renderPage } from './layout.tsx';
import { themeOf } from './theme.tsx';
import { pageWords } from './words/index.ts';

const RETRY_AFTER_SECONDS = 5;

export function sendFault(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = faultOf(error);
  const { status } = FAULTS[fault.kind];
  if (fault.kind === 'failed') request.log.error({ error }, 'dashboard page failed');
  if (status === 503 || status === 429) reply.header('retry-after', RETRY_AFTER_SECONDS);
  setPageHeaders(request, reply);
  const page = inLanguage(languageOfRequest(request), () => {
    const { title } = pageWords().faults[fault.kind];
    const note = <Note fault={fault} detail={detailOf(error, fault)} requestId={request.id} />;
    if (request.visit == null) return renderBarePage(title, themeOf(request.headers.cookie), note);
    return renderPage(request.visit, { title, section: null, body: note });
  });
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

/** Null if the fault says it all. */
function detailOf(error: Error, { kind, detail, isOwn }: DashboardFault): ComponentChildren | null {
  if (kind === 'forbidden' && error instanceof DashboardRefusal) return error.words().text;
  if (detail === null || kind === 'not_found') return null;
  return isOwn ? detail : <InEnglish text={detail} />;
}

interface NoteProps {
  fault: DashboardFault;
  detail: ComponentChildren | null;
  requestId: string;
}

function Note({ fault: { kind }, detail, requestId }: NoteProps) {
  const w = pageWords();
  const { title, text } = w.faults[kind];
  return (
    <div class="note" data-fault={kind}>
      <h1 tabindex={-1}>{title}</h1>
      <p>{text}</p>
      {detail !== null && <p>{detail}</p>}
      <p class="small">{w.request(<code>{requestId}</code>)}</p>
    </div>
  );
}
