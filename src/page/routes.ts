/** The pay page's HTTP surface: `GET` shows it and changes nothing, `POST` takes the payment and sends the payer back to it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type GuessLimit, limitGuesses } from '../api/guess-limit.ts';
import { rateLimitedAddress } from '../api/source-address.ts';
import { markOpened } from '../db/pay-links/pay-links.ts';
import { type PayPageReading, readPayPage } from '../db/pay-links/pay-page.ts';
import { findSessionCharge } from '../db/charges/charges.ts';
import { randomToken } from '../domain/ids.ts';
import { payCodeForm, type PayCodes } from '../domain/pay-codes.ts';
import { canText } from '../domain/text-promise.ts';
import type { CardAction } from '../payments/ports.ts';
import { NoSuchSession } from '../payments/take-payment.ts';
import { pageScriptRoutes, scriptsOf } from './assets.ts';
import { cspReportRoute } from './csp-reports.ts';
import { PageFault, placeOf, sendNote } from './errors.ts';
import { PageForm, parsePageForm } from './form.ts';
import { contentSecurityPolicy, isFromOurPage, NO_SOURCES, setPageHeaders } from './headers.ts';
import { rememberBrowser } from './known-browser.ts';
import { EventStreams, liveRoutes } from './live.ts';
import type { PageDeps } from './ports.ts';
import { processorAtPage } from './processor.ts';
import { returnLinkOf } from './return-link.ts';
import { pageStateOf } from './state.ts';
import {
  CODE_FAULTS,
  checkCode,
  type CodeFault,
  mayPaySaved,
  type SavedPart,
  savedPartOf,
  textCode,
} from './saved-cards.ts';
import { type NextPage, submitPayment, submitSavedCard, type Submitted } from './submit.ts';
import { renderPage } from './views/page.ts';
import { SAVED_ID } from './views/saved-cards.ts';
import { addressOf, NOTICES, type PageView } from './views/view.ts';
import { type Fault, FIELD_OF_FAULT } from './words/words.ts';

type CodeForm = keyof PayCodes;
type Request = FastifyRequest<{ Params: { code: string } }>;

/** `/p/<12 characters>` and `/pay/<26 characters>` are the same page, neither a redirect to the other. */
export function payPageRoutes(app: FastifyInstance, deps: PageDeps): void {
  pageScriptRoutes(app, deps.scripts);
  const wrongCodes = limitGuesses(deps.rateLimiter, 'link');
  const streams = new EventStreams();
  app.addHook('preClose', async () => streams.close());
  const prefixes: Record<CodeForm, string> = { short: '/p', long: '/pay' };
  for (const [form, prefix] of Object.entries(prefixes) as [CodeForm, string][]) {
    app.register(
      (page, _options, done) => {
        pageOfForm(page, { ...deps, wrongCodes, form, streams });
        done();
      },
      { prefix },
    );
  }
  app.register((reports, _options, done) => {
    cspReportRoute(reports, deps);
    done();
  });
}

/** @property form which of a link's two codes is in the path */
interface CodeDeps extends PageDeps {
  wrongCodes: GuessLimit;
  form: CodeForm;
  streams: EventStreams;
}

function pageOfForm(page: FastifyInstance, deps: CodeDeps): void {
  page.removeAllContentTypeParsers();
  page.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, parsePageForm(body as Buffer)),
  );
  page.setErrorHandler(sendNote);
  page.setNotFoundHandler(() => {
    throw new PageFault('notFound');
  });

  page.get('/:code', async (request: Request, reply) => {
    const reading = await openPage(deps, request);
    const view = viewOf(deps, request, reading);
    return sendPage(request, reply, {
      ...view,
      action: await actionAt(deps, view),
      saved: await savedAt(deps, request, view),
    });
  });

  const takers = {
    '/:code': takeForm,
    '/:code/action': takeAnswer,
    '/:code/text-code': takeCodeRequest,
    '/:code/check-code': takeCode,
    '/:code/saved-card': takeSavedCard,
  };
  for (const [path, take] of Object.entries(takers)) {
    page.post(path, async (request: Request, reply) => {
      const form = request.body instanceof PageForm ? request.body : parsePageForm(Buffer.alloc(0));
      try {
        requireOurPage(request);
        return await take(deps, request, reply, form);
      } finally {
        form.wipe();
      }
    });
  }

  // A payer asks for these by hand only, where the form was answered with a fault.
  for (const path of Object.keys(takers).filter((each) => each !== '/:code')) {
    page.get(path, async (request: Request, reply) => reply.redirect(addressOf(placeOf(request)), 303));
  }

  liveRoutes(page, {
    progress: deps.progress,
    streams: deps.streams,
    sessionOf: async (request) => (await openPage(deps, request)).session.id,
    viewOf: async (request) => viewOf(deps, request, await openPage(deps, request)),
  });

  // By the page's script, because messaging apps and scanners open links, too.
  page.post('/:code/opened', async (request: Request, reply) => {
    requireOurPage(request);
    const { session } = await openPage(deps, request);
    await markOpened(deps.database, session.id);
    deps.progress.publish(session.id, 'page_opened');
    return reply.code(204).send();
  });
}

function requireOurPage(request: FastifyRequest): void {
  if (!isFromOurPage(request)) throw new PageFault('notOurs');
}

/** Asks for both side by side: a source that has guessed too often learns nothing. @throws PageFault */
async function openPage({ database, wrongCodes, form }: CodeDeps, request: Request): Promise<PayPageReading> {
  const source = rateLimitedAddress(request);
  const { code } = request.params;
  const [refusal, reading] = await Promise.all([
    wrongCodes.refusal(source),
    payCodeForm(code) === form ? readPayPage(database, form, code) : null,
  ]);
  if (refusal !== null) throw new PageFault('tooMany', refusal.resetSeconds);
  if (reading !== null) return reading;
  await wrongCodes.count(source);
  throw new PageFault('notFound');
}

function sendPage(request: Request, reply: FastifyReply, view: PageView): FastifyReply {
  const way = view.processor?.way;
  const sources = way?.kind === 'token' ? way.page.sources : NO_SOURCES;
  setPageHeaders(request, reply, contentSecurityPolicy(view.nonce, sources));
  return reply.type('text/html; charset=utf-8').send(renderPage(view));
}

/** Without what the bank asks, and without saved cards: only the page shows them, and they are asked for elsewhere. */
function viewOf(deps: PageDeps, request: Request, reading: PayPageReading): PageView {
  const { session, merchant, textsTo, hasOptedOut } = reading;
  const { notice, fix } = request.query as { notice?: unknown; fix?: unknown };
  const { state, processor } = judged(deps, reading);
  const module = processor?.way.kind === 'token' ? processor.way.page.module : null;
  return {
    ...placeOf(request, merchant?.language ?? null),
    ...{ state, processor, scripts: scriptsOf(deps.scripts, module) },
    action: null,
    reading,
    notice: NOTICES.find((each) => each === notice) ?? null,
    faults: typeof fix === 'string' ? fix.split(',').filter(isFault) : [],
    saved: null,
    attempt: randomToken(),
    returnLink: returnLinkOf(session, deps.isPublicDemo ?? false),
    promisesText: canText({ mode: session.mode, textsTo, hasOptedOut }, deps.hasSmsCarrier),
    now: deps.now(),
  };
}

/** @param view of the request */
function savedAt(deps: PageDeps, request: Request, view: PageView): Promise<SavedPart | null> {
  const { code } = request.query as { code?: unknown };
  return savedPartOf(deps, { ...view, request }, CODE_FAULTS.find((each) => each === code) ?? null);
}

const isFault = (text: string): text is Fault => Object.hasOwn(FIELD_OF_FAULT, text);

async function actionAt(deps: PageDeps, { state, reading: { session } }: PageView): Promise<CardAction | null> {
  if (state.kind !== 'action') return null;
  const found = await findSessionCharge(deps.database, session, session.id, state.charge.id);
  return found === null ? null : deps.actionOf(found.charge);
}

function judged(deps: PageDeps, reading: PayPageReading): Pick<PageView, 'state' | 'processor'> {
  const processor = processorAtPage(deps, reading);
  const facts = { hasMerchant: reading.merchant !== null, canPay: processor !== null };
  return { processor, state: pageStateOf({ ...reading, ...facts }) };
}

/** 303: the payer's browser asks for the page, and a reload sends nothing again. */
async function takeForm(deps: CodeDeps, request: Request, reply: FastifyReply, form: PageForm): Promise<FastifyReply> {
  const submitted = await submittedTo(deps, request, form);
  const next = await submitPayment(deps, submitted).catch(nullWhereGone);
  if (next === null) throw new PageFault('notFound');
  return backToPage(request, reply, submitted.reading, next);
}

async function submittedTo(deps: CodeDeps, request: Request, form: PageForm): Promise<Submitted> {
  const reading = await openPage(deps, request);
  const place = placeOf(request, reading.merchant?.language ?? null);
  return { form, reading, ...judged(deps, reading), place, origin: rateLimitedAddress(request), log: request.log };
}

/** The session was erased meanwhile. */
function nullWhereGone(error: unknown): null {
  if (error instanceof NoSuchSession) return null;
  throw error;
}

async function takeSavedCard(deps: CodeDeps, request: Request, reply: FastifyReply, form: PageForm) {
  const submitted = await submittedTo(deps, request, form);
  const { reading } = submitted;
  if (!mayPaySaved(deps, { ...submitted, request })) return backToPage(request, reply, reading, {}, SAVED_ID);
  const next = await submitSavedCard(deps, submitted).catch(nullWhereGone);
  if (next === null) throw new PageFault('notFound');
  return backToPage(request, reply, reading, next);
}

async function takeCodeRequest(deps: CodeDeps, request: Request, reply: FastifyReply) {
  const reading = await openPage(deps, request);
  const fault = await textCode(deps, { reading, ...judged(deps, reading), request });
  return backToPage(request, reply, reading, { code: fault }, SAVED_ID);
}

/** The right code makes the browser known, for this session. */
async function takeCode(deps: CodeDeps, request: Request, reply: FastifyReply, form: PageForm) {
  const reading = await openPage(deps, request);
  const checked = await checkCode(deps, { reading, ...judged(deps, reading), request }, form.fields.get('code') ?? '');
  if (checked !== 'right') return backToPage(request, reply, reading, { code: checked }, SAVED_ID);
  if (deps.vault !== null) rememberBrowser(request, reply, deps.vault, reading.session, deps.now());
  return backToPage(request, reply, reading, {}, SAVED_ID);
}

/** The payer is done with what the bank asks, or says so; which charge it is about is the session's to say. */
async function takeAnswer(
  deps: CodeDeps,
  request: Request,
  reply: FastifyReply,
  form: PageForm,
): Promise<FastifyReply> {
  const reading = await openPage(deps, request);
  const { state } = judged(deps, reading);
  if (state.kind !== 'action') return backToPage(request, reply, reading, {});
  const { id: sessionId, accountId, mode } = reading.session;
  const asked = { sessionId, scope: { accountId, mode }, chargeId: state.charge.id, log: request.log };
  const isCanceled = form.fields.get('answer') === 'cancel';
  const result = await (isCanceled ? deps.abandon(asked) : deps.confirm(asked));
  return backToPage(request, reply, reading, result?.type === 'refused' ? { notice: 'not_started' } : {});
}

interface Next extends NextPage {
  code?: CodeFault | null;
}

/** @param part of the page that is shown; null: its top */
function backToPage(
  request: Request,
  reply: FastifyReply,
  reading: PayPageReading,
  next: Next,
  part: string | null = null,
): FastifyReply {
  const place = placeOf(request, reading.merchant?.language ?? null);
  return reply.redirect(addressOf(place, queryOf(next)) + (part === null ? '' : `#${part}`), 303);
}

function queryOf({ notice, faults = [], code = null }: Next): Record<string, string> {
  const fix = faults.length > 0 && { fix: faults.join(',') };
  return { ...(notice !== undefined && { notice }), ...fix, ...(code !== null && { code }) };
}
