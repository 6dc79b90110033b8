/**
 * Saved cards on the page. They are offered if the account has saved cards and a code can be texted to the session's
 * number. The cards are shown once the payer has entered the code. Until then, the page does not reveal whether the
 * number has any.
 */
import { randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ProcessorAtPage } from '../../accounts/merchants/page-processor.ts';
import { listChargeableCards } from '../../db/cards/chargeable.ts';
import { queueCodeText, tryPageCode } from '../../db/pay-links/page-codes.ts';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import { type CheckoutSessionId, newId } from '../../domain/ids.ts';
import type { SavedCard } from '../../domain/instrument.ts';
import { languageOf } from '../../domain/language.ts';
import { Secret } from '../../domain/secret.ts';
import { canText } from '../../domain/texts.ts';
import type { CodeFault } from '../../languages/page.ts';
import type { Fingerprint } from '../../lib/vault/fingerprint.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import { sealBody } from '../../notifications/sms/sealed-body.ts';
import { countSegments } from '../../notifications/sms/segments.ts';
import { isTextRefusal, withTextTurn } from '../../notifications/sms/text-limits.ts';
import { codeTextOf } from '../../notifications/sms/words.ts';
import type { PageDeps } from './ports.ts';
import { isKnownBrowser } from './session-cookie.ts';
import { canBePaid, type PageState } from './state.ts';

/** Why a code was not sent or not accepted. In the page's URL. */
export const CODE_FAULTS: readonly CodeFault[] = ['wrong', 'over', 'limit'];

/** `ask`: a code can be requested. `code`: one was texted. `cards`: it was correct; the list may be empty. */
export type SavedPart =
  | { kind: 'ask' | 'code'; lastTwo: string; fault: CodeFault | null }
  | { kind: 'cards'; cards: readonly SavedCard[] };

interface CardPageRequest {
  reading: PayPageReading;
  state: PageState;
  processor: ProcessorAtPage | null;
  request: Pick<FastifyRequest, 'headers' | 'protocol' | 'log'>;
}

/** What saved cards need. Null if they are not offered on this page. */
interface Offer {
  phone: string;
  vault: Vault;
  fingerprint: Fingerprint;
  /** The host name of the page, for the last line of the text. */
  host: string;
  isKnown: boolean;
}

function offerOf(deps: PageDeps, { reading, state, processor, request }: CardPageRequest): Offer | null {
  const { session, isSteppedUp, accountHasCards } = reading;
  const { vault, fingerprint = null, linkBase = () => null, savedCards = true } = deps;
  const base = linkBase(session.mode);
  const phone = session.callerPhone;
  if (!savedCards || !accountHasCards || isSteppedUp || !canBePaid(state)) return null;
  if (processor?.keepsCards !== true) return null;
  if (phone === null || vault === null || fingerprint === null || base === null) return null;
  const isKnown = isKnownBrowser(request, vault, session, deps.now());
  return { phone, vault, fingerprint, host: new URL(base).hostname, isKnown };
}

function canTextCode({ hasSmsCarrier }: PageDeps, reading: PayPageReading) {
  return canText({ ...reading, mode: reading.session.mode }, hasSmsCarrier);
}

export async function savedPartOf(
  deps: PageDeps,
  page: CardPageRequest,
  fault: CodeFault | null,
): Promise<SavedPart | null> {
  const offer = offerOf(deps, page);
  if (offer === null) return null;
  const { reading } = page;
  if (offer.isKnown) {
    return { kind: 'cards', cards: await listChargeableCards(deps.database, reading.session.id, deps.now()) };
  }
  const lastTwo = offer.phone.slice(-2);
  // A code that was sent can be entered even if no other can be sent.
  if (reading.hasCode) return { kind: 'code', lastTwo, fault };
  return canTextCode(deps, reading) ? { kind: 'ask', lastTwo, fault } : null;
}

/** Texts a code to the session's number. @returns why it was not sent, or null */
export async function textCode(deps: PageDeps, page: CardPageRequest): Promise<CodeFault | null> {
  const offer = offerOf(deps, page);
  const { reading } = page;
  const { session, merchant } = reading;
  if (offer === null || offer.isKnown || merchant === null || !canTextCode(deps, reading)) return null;
  const { vault, host, phone: recipient } = offer;
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const { businessName } = merchant;
  const language = languageOf(session, merchant);
  const body = codeTextOf({ businessName, language, host, code });
  const id = newId('Text');
  const text = { id, recipient, sealedBody: sealBody(vault, id, body), segments: countSegments(body).segments };
  const { id: sessionId, accountId, mode } = session;
  const newCode = { sessionId, codeHash: hashOf(offer, session, code) };
  const queued = await withTextTurn({ ...deps, log: page.request.log }, { accountId, mode, recipient }, (sql) =>
    queueCodeText(sql, newCode, text),
  ).catch((error: unknown) => {
    if (isTextRefusal(error)) return 'too_many';
    throw error;
  });
  if (queued === 'queued') deps.onTextQueued?.();
  return queued === 'too_many' ? 'limit' : null;
}

const CODE_DIGITS = 6;

function hashOf({ fingerprint }: Offer, { id, accountId }: PayPageReading['session'], code: string): Buffer {
  const secret = Secret.of(`${id satisfies CheckoutSessionId} ${code}`);
  const hash = fingerprint(accountId, 'page_code', secret);
  secret.wipe();
  return hash;
}

/** @param typed as entered: people put spaces into codes. @returns `right` if the caller should remember the browser */
export async function checkCode(
  deps: PageDeps,
  page: CardPageRequest,
  typed: string,
): Promise<'right' | CodeFault | null> {
  const offer = offerOf(deps, page);
  if (offer === null) return null;
  const { session } = page.reading;
  const code = typed.replaceAll(/[\s-]/g, '');
  // Malformed codes do not count as tries.
  if (!/^\d{6}$/.test(code)) return 'wrong';
  const tried = await tryPageCode(deps.database, { sessionId: session.id, codeHash: hashOf(offer, session, code) });
  return tried === 'none' ? 'over' : tried;
}

/** Whether a form with a saved card may be taken from this browser. */
export function mayPaySaved(deps: PageDeps, page: CardPageRequest): boolean {
  const { reading, request } = page;
  const { savedCards = true, vault } = deps;
  return (
    savedCards && !reading.isSteppedUp && vault !== null && isKnownBrowser(request, vault, reading.session, deps.now())
  );
}
