/** The way back to the integrator's site: `return_to`, where it is a web address. */

import { parseReturnTo } from '../../domain/return-target.ts';
import type { CheckoutSession } from '../../domain/session.ts';

export interface ReturnLink {
  url: string;
  /**
   * Shown on the button, so that nobody is sent anywhere without being told: an international name as its ASCII form.
   */
  host: string;
}

/**
 * In live mode https only. Never in a demo that strangers can reach: anybody could have its page lead anywhere.
 * @returns null where there is no such way
 */
export function returnLinkOf(
  { returnTo, mode }: Pick<CheckoutSession, 'returnTo' | 'mode'>,
  isPublicDemo: boolean,
): ReturnLink | null {
  const target = returnTo === null ? null : parseReturnTo(returnTo);
  if (target?.kind !== 'web' || isPublicDemo) return null;
  const url = new URL(target.url);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && mode === 'test');
  // `https://bank.example@evil.example` reads like another host.
  return isAllowed && url.username === '' && url.password === '' ? { url: url.href, host: url.host } : null;
}
