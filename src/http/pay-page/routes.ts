/**
 * The pay page's routes: `GET` shows the page and changes nothing. `POST` takes the payment and redirects to the page.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findSessionCharge } from '../../db/charges/charges.ts';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import { randomToken } from '../../domain/ids.ts';
import { languageOf } from '../../domain/language.ts';
import { canText } from '../../domain/texts.ts';
import { languageFor } from '../../languages/index.ts';
import type { Fault } from '../../languages/page.ts';
import { wordsWhenSaving } from '../../languages/saving.ts';
import type { CardAction } from '../../payments/port/answers.ts';
import { ANSWERED_CHARGE } from '../../payments/port/return-url.ts';
import { limitGuesses } from '../api/rate-limiter.ts';
import { assetRoutes } from '../shared/static-assets.ts';
import { scriptsOf } from './assets.ts';
import { FIELD_OF_FAULT } from './card-fields.ts';
import { type ChoiceName, chosenAmount, wholeAmount } from './chosen-amount.ts';
import { cspReportRoute } from './csp-reports.ts';
import { PageFault, placeOf, sendNote, sendNotFound } from './errors.ts';
import { PageForm, parsePageForm } from './form.ts';
import { contentSecurityPolicy, NO_SOURCES, sendHtml, setPageHeaders } from './headers.ts';
import { createPayPageStreams, limitBeacons, liveRoutes, openedRoute } from './live.ts';
import { logoRoute } from './logos.ts';
import {
  backToPage,
  type CodeDeps,
  type CodeForm,
  judged,
  nullIfGone,
  openPage,
  type PageRequest,
  requireOurPage,
  submittedTo,
} from './open-page.ts';
import type { PageDeps } from './ports.ts';
import { NO_FIELDS, rememberFields, takeRememberedFields } from './remembered-fields.ts';
import { returnLinkOf } from './return-link.ts';
import { takeCode, takeCodeRequest, takeSavedCard } from './saved-card-forms.ts';
import { CODE_FAULTS, type SavedPart, savedPartOf } from './saved-cards.ts';
import { canBePaid } from './state.ts';
import { submitPayment } from './submit.ts';
import { renderPage } from './views/page.ts';
import { addressOf, NOTICES, type PageView } from './views/view.ts';

/** `/p/<12 characters>` and `/pay/<26 characters>` serve the same page. Neither redirects to the other. */
export function payPageRoutes(app: FastifyInstance, deps: PageDeps): void {
  assetRoutes(app, deps.scripts.values());
  logoRoute(app, deps);
  const wrongCodes = limitGuesses(deps.rateLimiter, 'link');
  const streams = createPayPageStreams();
  app.addHook('preClose', async () => streams.close());
  const prefixes: Record<CodeForm, string> = { short: '/p', long: '/pay' };
  const beacons = limitBeacons();
  for (const [form, prefix] of Object.entries(prefixes) as [CodeForm, string][]) {
    app.brokenPaths.set(`${prefix}/`, sendNotFound);
    app.register(
      (page, _options, done) => {
        pageOfForm(page, { ...deps, wrongCodes, form, streams, beacons });
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

function pageOfForm(page: FastifyInstance, deps: CodeDeps): void {
  page.removeAllContentTypeParsers();
  page.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, parsePageForm(body as Buffer)),
  );
  page.setErrorHandler(sendNote);
  page.setNotFoundHandler(() => {
    throw new PageFault('notFound');
  });

  page.get('/:code', async (request: PageRequest, reply) => {
    const reading = await openPage(deps, request);
    const view = viewOf(deps, request, reading);
    return sendPage(request, reply, {
      ...view,
      remembered: rememberedFields(deps, request, reply, view),
      action: await actionAt(deps, view),
      result: resultOf(request, view),
      saved: await savedCardsPart(deps, request, view),
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
    page.post(path, async (request: PageRequest, reply) => {
      const form = request.body instanceof PageForm ? request.body : parsePageForm(Buffer.alloc(0));
      try {
        requireOurPage(request);
        return await take(deps, request, reply, form);
      } finally {
        form.wipe();
      }
    });
  }

  // Browsers only request these with GET if the payer reloads an error page.
  for (const path of Object.keys(takers).filter((each) => each !== '/:code')) {
    page.get(path, async (request: PageRequest, reply) => reply.redirect(addressOf(placeOf(request)), 303));
  }

  liveRoutes(page, {
    progress: deps.progress,
    streams: deps.streams,
    sessionOf: async (request) => (await openPage(deps, request)).session.id,
    viewOf: async (request) => viewOf(deps, request, await openPage(deps, request)),
  });

  openedRoute(page, deps);
}

function sendPage(request: PageRequest, reply: FastifyReply, view: PageView): Promise<FastifyReply> {
  const way = view.processor?.way;
  const sources = way?.kind === 'token' ? way.page.sources : NO_SOURCES;
  setPageHeaders(request, reply, contentSecurityPolicy(view.nonce, sources));
  return sendHtml(request, reply, renderPage(view));
}

/**
 * Without the bank's challenge, saved cards and kept fields, which only the page itself shows and reads separately.
 */
function viewOf(deps: PageDeps, request: PageRequest, reading: PayPageReading): PageView {
  const { session, merchant } = reading;
  const { notice, fix } = request.query as { notice?: unknown; fix?: unknown };
  const { state, processor } = judged(deps, reading);
  const module = processor?.way.kind === 'token' ? processor.way.page.module : null;
  const place = placeOf(request, languageOf(session, merchant));
  const saving = session.purpose === 'save_card' ? languageFor(place.language).saving : null;
  return {
    ...place,
    words: saving === null ? place.words : wordsWhenSaving(place.words, saving),
    saving,
    state,
    processor,
    scripts: scriptsOf(deps.scripts, module),
    action: null,
    result: null,
    reading,
    ...chosenOf(request, reading),
    notice: NOTICES.find((each) => each === notice) ?? null,
    faults: typeof fix === 'string' ? fix.split(',').filter(isFault) : [],
    saved: null,
    remembered: NO_FIELDS,
    attempt: randomToken(),
    returnLink: returnLinkOf(session, deps.isPublicDemo ?? false),
    promisesText: canText({ ...reading, mode: session.mode }, deps.hasSmsCarrier),
    now: deps.now(),
  };
}

/** By the URL. What is not on offer counts as not chosen: the page shows the amount that it charges. */
function chosenOf({ query }: PageRequest, reading: PayPageReading): Pick<PageView, 'chosen' | 'isWrongPart'> {
  const fields = query as Partial<Record<ChoiceName, unknown>>;
  const requested = (name: ChoiceName) => {
    const value = fields[name];
    return typeof value === 'string' ? value : undefined;
  };
  const chosen = chosenAmount(reading, requested);
  if (chosen !== null) return { chosen, isWrongPart: false };
  const withoutTip = chosenAmount(reading, (name) => (name === 'tip' ? undefined : requested(name)));
  return { chosen: withoutTip ?? wholeAmount(reading), isWrongPart: withoutTip === null };
}

/** The values the payer entered before, if our own fields are shown again. */
function rememberedFields(
  deps: PageDeps,
  request: PageRequest,
  reply: FastifyReply,
  { state, processor, reading }: PageView,
) {
  if (!canBePaid(state) || processor?.way.kind !== 'own_fields') return NO_FIELDS;
  return takeRememberedFields(request, reply, { session: reading.session, vault: deps.vault, now: deps.now() });
}

/** @param view of the request */
function savedCardsPart(deps: PageDeps, request: PageRequest, view: PageView): Promise<SavedPart | null> {
  const { code } = request.query as { code?: unknown };
  return savedPartOf(deps, { ...view, request }, CODE_FAULTS.find((each) => each === code) ?? null);
}

/** What the processor's page has appended to our URL, if it is about the waiting charge. Adyen: `redirectResult`. */
function resultOf({ query }: PageRequest, { state }: PageView): string | null {
  const { redirectResult, [ANSWERED_CHARGE]: of } = query as Record<string, unknown>;
  if (state.kind !== 'action' || of !== state.charge.id) return null;
  return typeof redirectResult === 'string' && redirectResult !== '' ? redirectResult : null;
}

const isFault = (text: string): text is Fault => Object.hasOwn(FIELD_OF_FAULT, text);

async function actionAt(deps: PageDeps, { state, reading: { session } }: PageView): Promise<CardAction | null> {
  if (state.kind !== 'action') return null;
  const found = await findSessionCharge(deps.database, session, session.id, state.charge.id);
  return found === null ? null : deps.actionOf(found.charge);
}

async function takeForm(
  deps: CodeDeps,
  request: PageRequest,
  reply: FastifyReply,
  form: PageForm,
): Promise<FastifyReply> {
  const submitted = await submittedTo(deps, request, form);
  const next = await submitPayment(deps, submitted).catch(nullIfGone);
  if (next === null) throw new PageFault('notFound');
  const { session } = submitted.reading;
  if (next.isWrong === true) rememberFields(request, reply, { session, vault: deps.vault, now: deps.now() }, form.card);
  return backToPage(request, reply, submitted.reading, next);
}

/** Each answer is a request to the processor. @throws PageFault */
async function limitAnswers({ rateLimiter }: PageDeps, { session, merchant }: PayPageReading): Promise<void> {
  const usage = await rateLimiter.count('answer', session.id);
  if (usage?.isAllowed === false) throw new PageFault('tooMany', usage.resetSeconds, languageOf(session, merchant));
}

/**
 * The payer has finished the bank's challenge, or says so. The form of another charge does nothing, and a result without its
 * charge does not count.
 */
async function takeAnswer(
  deps: CodeDeps,
  request: PageRequest,
  reply: FastifyReply,
  form: PageForm,
): Promise<FastifyReply> {
  const reading = await openPage(deps, request);
  const { state } = judged(deps, reading);
  const of = form.fields.get(ANSWERED_CHARGE) ?? null;
  const isOfAnother = state.kind === 'action' && of !== null && of !== state.charge.id;
  if (state.kind !== 'action' || isOfAnother) return backToPage(request, reply, reading, {});
  await limitAnswers(deps, reading);
  const { id: sessionId, accountId, mode } = reading.session;
  const result = form.fields.get('result');
  const given = result === undefined || of === null ? {} : { result };
  const charge = { sessionId, scope: { accountId, mode }, chargeId: state.charge.id, ...given, log: request.log };
  const isCanceled = form.fields.get('answer') === 'cancel';
  const outcome = await (isCanceled ? deps.abandon(charge) : deps.confirm(charge));
  return backToPage(request, reply, reading, outcome?.type === 'refused' ? { notice: 'not_started' } : {});
}
