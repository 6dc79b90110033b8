/** The link back to the integrator's site: `return_to`, if it is a web URL. */

import { parseReturnTo } from '../../domain/return-target.ts';
import type { CheckoutSession } from '../../domain/session.ts';

export interface ReturnLink {
  url: string;
  /** Shown on the button, so that payers see where it leads. International names are in ASCII form. */
  host: string;
}

/**
 * In live mode, https only. Never in a demo that strangers can reach: they could make its page link anywhere.
 * @returns null if there is no such link
 */
export function returnLinkOf(
  { returnTo, mode }: Pick<CheckoutSession, 'returnTo' | 'mode'>,
  isPublicDemo: boolean,
): ReturnLink | null {
  const target = returnTo === null ? null : parseReturnTo(returnTo);
  if (target?.kind !== 'web' || isPublicDemo) return null;
  const url = new URL(target.url);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && mode === 'test');
  // `https://bank.example@evil.example` looks like another host.
  return isAllowed && url.username === '' && url.password === '' ? { url: url.href, host: url.host } : null;
}
