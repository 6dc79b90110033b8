/** The pay page's HTTP surface: `GET` shows it and changes nothing, `POST` takes the payment and sends the payer back to it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type GuessLimit, limitGuesses } from '../api/guess-limit.ts';
import { rateLimitedAddress } from '../api/source-address.ts';
import { markOpened } from '../db/pay-links/pay-links.ts';
import { type PayPageReading, readPayPage } from '../db/pay-links/pay-page.ts';
import { randomToken } from '../domain/ids.ts';
import { payCodeForm, type PayCodes } from '../domain/pay-codes.ts';
import { canText } from '../domain/text-promise.ts';
import { NoSuchSession } from '../payments/take-payment.ts';
import { cspReportRoute } from './csp-reports.ts';
import { PageFault, placeOf, sendNote } from './errors.ts';
import { PageForm, parsePageForm } from './form.ts';
import { contentSecurityPolicy, isFromOurPage, NO_SOURCES, setPageHeaders } from './headers.ts';
import type { PageDeps } from './ports.ts';
import { processorAtPage } from './processor.ts';
import { returnLinkOf } from './return-link.ts';
import { pageStateOf } from './state.ts';
import { type NextPage, submitPayment } from './submit.ts';
import { renderPage } from './views/page.ts';
import { addressOf, NOTICES, type PageView } from './views/view.ts';
import { type Fault, FIELD_OF_FAULT } from './words/words.ts';

type CodeForm = keyof PayCodes;
type Request = FastifyRequest<{ Params: { code: string } }>;

/** `/p/<12 characters>` and `/pay/<26 characters>` are the same page, neither a redirect to the other. */
export function payPageRoutes(app: FastifyInstance, deps: PageDeps): void {
  const wrongCodes = limitGuesses(deps.rateLimiter, 'link');
  const prefixes: Record<CodeForm, string> = { short: '/p', long: '/pay' };
  for (const [form, prefix] of Object.entries(prefixes) as [CodeForm, string][]) {
    app.register(
      (page, _options, done) => {
        pageOfForm(page, { ...deps, wrongCodes, form });
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
    return sendPage(deps, request, reply, reading);
  });

  page.post('/:code', async (request: Request, reply) => {
    const form = request.body instanceof PageForm ? request.body : parsePageForm(Buffer.alloc(0));
    try {
      requireOurPage(request);
      return await takeForm(deps, request, reply, form);
    } finally {
      form.wipe();
    }
  });

  // By the page's script, because messaging apps and scanners open links, too.
  page.post('/:code/opened', async (request: Request, reply) => {
    requireOurPage(request);
    const { session } = await openPage(deps, request);
    if (await markOpened(deps.database, session.id)) deps.onOpened?.(session.id);
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

function sendPage(deps: PageDeps, request: Request, reply: FastifyReply, reading: PayPageReading): FastifyReply {
  const view = viewOf(deps, request, reading);
  setPageHeaders(request, reply, contentSecurityPolicy(view.nonce, view.processor?.page?.sources ?? NO_SOURCES));
  return reply.type('text/html; charset=utf-8').send(renderPage(view));
}

function viewOf(deps: PageDeps, request: Request, reading: PayPageReading): PageView {
  const { session, merchant, textsTo, hasOptedOut } = reading;
  const { notice, fix } = request.query as { notice?: unknown; fix?: unknown };
  return {
    ...placeOf(request, merchant?.language ?? null),
    ...judged(deps, reading),
    reading,
    notice: NOTICES.find((each) => each === notice) ?? null,
    faults: typeof fix === 'string' ? fix.split(',').filter(isFault) : [],
    attempt: randomToken(),
    returnLink: returnLinkOf(session, deps.isPublicDemo ?? false),
    promisesText: canText({ mode: session.mode, textsTo, hasOptedOut }, deps.hasSmsCarrier),
    now: deps.now(),
  };
}

const isFault = (text: string): text is Fault => Object.hasOwn(FIELD_OF_FAULT, text);

function judged({ processors }: PageDeps, reading: PayPageReading): Pick<PageView, 'state' | 'processor'> {
  const { session, merchant } = reading;
  const processor = processorAtPage(processors, session.mode, merchant?.processor ?? null);
  const facts = { hasMerchant: merchant !== null, canPay: processor !== null, awaitsPayer: false };
  return { processor, state: pageStateOf({ ...reading, ...facts }) };
}

/** 303: the payer's browser asks for the page, and a reload sends nothing again. */
async function takeForm(deps: CodeDeps, request: Request, reply: FastifyReply, form: PageForm): Promise<FastifyReply> {
  const reading = await openPage(deps, request);
  const submitted = { form, reading, ...judged(deps, reading), origin: rateLimitedAddress(request), log: request.log };
  const next = await submitPayment(deps, submitted).catch((error: unknown) => {
    if (error instanceof NoSuchSession) return null;
    throw error;
  });
  if (next === null) throw new PageFault('notFound');
  const place = placeOf(request, reading.merchant?.language ?? null);
  return reply.redirect(addressOf(place, queryOf(next)), 303);
}

function queryOf({ notice, faults = [] }: NextPage): Record<string, string> {
  return { ...(notice !== undefined && { notice }), ...(faults.length > 0 && { fix: faults.join(',') }) };
}
