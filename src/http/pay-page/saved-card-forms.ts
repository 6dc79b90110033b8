/** The forms for saved cards: request a code, enter it, pay with a card. */
import type { FastifyReply } from 'fastify';
import { PageFault } from './errors.ts';
import type { PageForm } from './form.ts';
import { backToPage, type CodeDeps, judged, nullIfGone, openPage, type PageRequest, submittedTo } from './open-page.ts';
import { checkCode, mayPaySaved, textCode } from './saved-cards.ts';
import { rememberBrowser } from './session-cookie.ts';
import { submitSavedCard } from './submit.ts';
import { SAVED_ID } from './views/saved-cards.ts';

/** @throws PageFault */
export async function takeSavedCard(deps: CodeDeps, request: PageRequest, reply: FastifyReply, form: PageForm) {
  const submitted = await submittedTo(deps, request, form);
  const { reading } = submitted;
  if (!mayPaySaved(deps, { ...submitted, request })) return backToPage(request, reply, reading, {}, SAVED_ID);
  const next = await submitSavedCard(deps, submitted).catch(nullIfGone);
  if (next === null) throw new PageFault('notFound');
  return backToPage(request, reply, reading, next);
}

/** @throws PageFault */
export async function takeCodeRequest(deps: CodeDeps, request: PageRequest, reply: FastifyReply) {
  const reading = await openPage(deps, request);
  const fault = await textCode(deps, { reading, ...judged(deps, reading), request });
  return backToPage(request, reply, reading, { code: fault }, SAVED_ID);
}

/** Remembers the browser for this session if the code is correct. @throws PageFault */
export async function takeCode(deps: CodeDeps, request: PageRequest, reply: FastifyReply, form: PageForm) {
  const reading = await openPage(deps, request);
  const checked = await checkCode(deps, { reading, ...judged(deps, reading), request }, form.fields.get('code') ?? '');
  if (checked !== 'right') return backToPage(request, reply, reading, { code: checked }, SAVED_ID);
  if (deps.vault !== null) rememberBrowser(request, reply, deps.vault, reading.session, deps.now());
  return backToPage(request, reply, reading, {}, SAVED_ID);
}
