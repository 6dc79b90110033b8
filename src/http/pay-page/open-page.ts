/** Finds the session of the link in a request's path and judges it; leads the payer back to its page after a form. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PayPageReading, readPayPage } from '../../db/pay-links/pay-page.ts';
import { languageOf } from '../../domain/language.ts';
import { type PayCodes, payCodeForm } from '../../domain/pay-codes.ts';
import type { CodeFault } from '../../languages/page.ts';
import { NoSuchSession } from '../../payments/take-payment.ts';
import { isFromOurPage } from '../api/plugins/local-requests.ts';
import { type GuessLimit, rateLimitedAddress } from '../api/rate-limiter.ts';
import { PageFault, placeOf } from './errors.ts';
import type { PageForm } from './form.ts';
import type { BeaconLimit, PayPageStreams } from './live.ts';
import type { PageDeps } from './ports.ts';
import { processorAtPage } from './processor.ts';
import { pageStateOf } from './state.ts';
import type { NextPage, Submitted } from './submit.ts';
import { addressOf, type PageView } from './views/view.ts';

export type CodeForm = keyof PayCodes;
export type PageRequest = FastifyRequest<{ Params: { code: string } }>;

/** @property form which of a link's two codes is in the path */
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
 * A right code opens its page whatever its source has tried before, for an office full of people has one address: the
 * codes have 60 random bits or more, which no source guesses. A wrong one costs its source. @throws PageFault
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
  return { form, reading, ...judged(deps, reading), place, origin: rateLimitedAddress(request), log: request.log };
}

/** The session was erased meanwhile. */
export function nullWhereGone(error: unknown): null {
  if (error instanceof NoSuchSession) return null;
  throw error;
}

interface Next extends NextPage {
  code?: CodeFault | null;
}

/**
 * 303: the payer's browser asks for the page, and a reload sends nothing again. The page's script, which sent the form
 * itself, is told the address.
 * @param part of the page that is shown; null: its top
 */
export function backToPage(
  request: PageRequest,
  reply: FastifyReply,
  reading: PayPageReading,
  next: Next,
  part: string | null = null,
): FastifyReply {
  const place = placeOf(request, languageOf(reading.session, reading.merchant));
  const address = addressOf(place, queryOf(next)) + (part === null ? '' : `#${part}`);
  if (request.headers.accept !== 'application/json') return reply.redirect(address, 303);
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ next: address }));
}

function queryOf({ notice, faults = [], code = null }: Next): Record<string, string> {
  const fix = faults.length > 0 && { fix: faults.join(',') };
  return { ...(notice !== undefined && { notice }), ...fix, ...(code !== null && { code }) };
}
