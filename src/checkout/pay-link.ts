/** The pay link of a session: created on first use, and never changed. */
import { ApiError, type CanSendLinks } from '../contract/errors.ts';
import { findSealedCodes, insertPayLink, type NewPayLink } from '../db/pay-links/pay-links.ts';
import type { Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import { type CheckoutSessionId, newPayCodes, type PayCodes } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { openOrNull, type Vault } from '../lib/vault/vault.ts';

export interface PayLinkDeps {
  database: Sql;
  /** Encrypts the codes; null without encryption keys. */
  vault: Vault | null;
  /** The base address of links, without a slash at the end; null if the mode has no links. */
  linkBase: (mode: Mode) => string | null;
}

/**
 * Whether texts with links can be sent in a mode: links are possible, and there is a carrier. Test mode needs no
 * carrier: its texts go to the log and count as sent.
 */
export function canSendLinksWith(deps: Omit<PayLinkDeps, 'database'> & { hasSmsCarrier: boolean }): CanSendLinks {
  return (mode) => linkMakerFor(deps, mode) !== null && (mode === 'test' || deps.hasSmsCarrier);
}

/** Both URLs open the same page. */
export interface PayLinkUrls {
  /** For texts: `<base>/p/<12 characters>`. */
  shortUrl: string;
  /** `<base>/pay/<26 characters>`. */
  payUrl: string;
}

/** What is needed to create links of a mode. */
export interface LinkMaker {
  vault: Vault;
  base: string;
}

/** @returns null if the mode has no links: no encryption key, or no address that a browser can open */
export function linkMakerFor({ vault, linkBase }: Omit<PayLinkDeps, 'database'>, mode: Mode): LinkMaker | null {
  const base = linkBase(mode);
  return vault === null || base === null ? null : { vault, base };
}

/**
 * The session's link, whose row is created if needed. The page checks whether the session can still be paid.
 * @throws ApiError `not_configured` if links are not possible
 */
export async function payLinkOf(deps: PayLinkDeps, session: { id: CheckoutSessionId } & Scope): Promise<PayLinkUrls> {
  const maker = linkMakerFor(deps, session.mode);
  if (maker === null) throw cannotMakeLinks();
  return urlsOf(maker.base, await payCodesOf(deps.database, maker.vault, session));
}

/** Creates the session's link if it has none. */
export async function payCodesOf(
  database: Sql,
  vault: Vault,
  { id, accountId, mode }: { id: CheckoutSessionId } & Scope,
): Promise<PayCodes> {
  const stored = await findSealedCodes(database, id);
  if (stored !== null) return openCodes(vault, id, stored);
  const link = newPayLink(vault, id, { accountId, mode });
  if (await insertPayLink(database, link)) return link.codes;
  // Another request has created it meanwhile.
  return payCodesOf(database, vault, { id, accountId, mode });
}

export function newPayLink(vault: Vault, sessionId: CheckoutSessionId, scope: Scope): NewPayLink {
  const codes = newPayCodes();
  const codesSealed = vault.seal(`${codes.short} ${codes.long}`, payCodesContext(sessionId));
  return { sessionId, scope, codes, codesSealed };
}

/**
 * @throws ApiError `not_configured` if the key that encrypted them is missing: a second link would invalidate the first
 */
export function openCodes(vault: Vault, sessionId: CheckoutSessionId, sealed: string): PayCodes {
  const [short, long] = openOrNull(vault, sealed, payCodesContext(sessionId))?.split(' ') ?? [];
  if (short !== undefined && long !== undefined) return { short, long };
  throw new ApiError('not_configured', {
    message: "The session's pay link is encrypted with a key that is not among RINGKEY_ENCRYPTION_KEYS.",
  });
}

export function urlsOf(base: string, { short, long }: PayCodes): PayLinkUrls {
  return { shortUrl: `${base}/p/${short}`, payUrl: `${base}/pay/${long}` };
}

/** The encryption context of a link's codes. */
export const payCodesContext = (sessionId: string) => `pay_link:${sessionId}`;

export function cannotMakeLinks(): ApiError {
  return new ApiError('not_configured', {
    message: 'This service cannot create pay links. They require RINGKEY_LINK_URL and RINGKEY_ENCRYPTION_KEYS.',
  });
}
