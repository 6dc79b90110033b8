/** Finds the session of a link and its state, and redirects the payer to the page after a form. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { processorAtPage } from '../../accounts/merchants/page-processor.ts';
import { type PayPageReading, readPayPage } from '../../db/pay-links/pay-page.ts';
import { type PayCodes, payCodeForm } from '../../domain/ids.ts';
import { languageOf } from '../../domain/language.ts';
import type { CodeFault } from '../../languages/page.ts';
import { NoSuchSession } from '../../payments/charges/take-payment.ts';
import { isFromOurPage } from '../api/plugins/local-requests.ts';
import { type GuessLimit, rateLimitedAddress } from '../api/rate-limiter.ts';
import { requestedIn } from './chosen-amount.ts';
import { PageFault, placeOf } from './errors.ts';
import { PageForm } from './form.ts';
import type { BeaconLimit, PayPageStreams } from './live.ts';
import { payerAt } from './payer.ts';
import type { PageDeps } from './ports.ts';
import { pageStateOf } from './state.ts';
import type { NextPage, Submitted } from './submit.ts';
import { addressOf, type PageView } from './views/view.ts';

export type CodeForm = keyof PayCodes;
export type PageRequest = FastifyRequest<{ Params: { code: string } }>;

/** @property form which of a link's two codes the path has */
export interface CodeDeps extends PageDeps {
  wrongCodes: GuessLimit;
  form: CodeForm;
  streams: PayPageStreams;
  beacons: BeaconLimit;
}

/** @throws PageFault */
export function requireOurPage(request: FastifyRequest): void {
  if (!isFromOurPage(request)) throw new PageFault('notOurs');
}

/**
 * A valid code opens its page even if its source has used up its tries, because an office may share one address. The
 * codes have at least 60 random bits, so guessing them is hopeless. Wrong codes count. @throws PageFault
 */
export async function openPage(
  { database, wrongCodes, form }: CodeDeps,
  request: PageRequest,
): Promise<PayPageReading> {
  const { code } = request.params;
  const reading = payCodeForm(code) === form ? await readPayPage(database, form, code) : null;
  if (reading !== null) return reading;
  const source = rateLimitedAddress(request);
  const refusal = await wrongCodes.refusal(source);
  await wrongCodes.count(source);
  throw refusal === null ? new PageFault('notFound') : new PageFault('tooMany', refusal.resetSeconds);
}

export function judged(deps: PageDeps, reading: PayPageReading): Pick<PageView, 'state' | 'processor'> {
  const processor = processorAtPage(deps, reading);
  const facts = { hasMerchant: reading.merchant !== null, canPay: processor !== null };
  return { processor, state: pageStateOf({ ...reading, ...facts }) };
}

/** The page that a form was sent to. @throws PageFault */
export async function submittedTo(deps: CodeDeps, request: PageRequest, form: PageForm): Promise<Submitted> {
  const reading = await openPage(deps, request);
  const place = placeOf(request, languageOf(reading.session, reading.merchant));
  const base = deps.linkBase?.(reading.session.mode) ?? null;
  const pageUrl = base === null ? null : base + addressOf(place);
  return {
    form,
    reading,
    ...judged(deps, reading),
    place,
    origin: rateLimitedAddress(request),
    payer: payerAt(pageUrl, request.ip),
    log: request.log,
  };
}

/** If the session was erased in the meantime. */
export function nullIfGone(error: unknown): null {
  if (error instanceof NoSuchSession) return null;
  throw error;
}

interface Next extends NextPage {
  code?: CodeFault | null;
}

/**
 * Redirects with 303, so that a reload does not send the form again. The page's script, which sends the form itself, gets
 * the URL as JSON.
 * @param part the anchor, or null for the top of the page
 */
export function backToPage(
  request: PageRequest,
  reply: FastifyReply,
  reading: PayPageReading,
  next: Next,
  part: string | null = null,
): FastifyReply {
  const place = placeOf(request, languageOf(reading.session, reading.merchant));
  const chosen = request.body instanceof PageForm ? requestedIn(request.body.fields) : {};
  const address = addressOf(place, { ...chosen, ...queryOf(next) }) + (part === null ? '' : `#${part}`);
  if (request.headers.accept !== 'application/json') return reply.redirect(address, 303);
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ next: next.away ?? address }));
}

function queryOf({ notice, faults = [], code = null }: Next): Record<string, string> {
  const fix = faults.length > 0 && { fix: faults.join(',') };
  return { ...(notice !== undefined && { notice }), ...fix, ...(code !== null && { code }) };
}
