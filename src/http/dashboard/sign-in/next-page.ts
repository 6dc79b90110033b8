/** The page after sign-in: always a page of the dashboard, whatever the URL says. */
import { containsCardData } from '../../api/card-data.ts';

export const FRONT_PAGE = '/dashboard';
export const SIGN_IN = '/dashboard/sign-in';
const MAX_LENGTH = 2_000;
/**
 * A path of ours in plain characters: no second slash, no backslash, no dots, nothing that a browser would drop or
 * decode.
 */
const PAGE = /^\/dashboard(?:\/[A-Za-z0-9_-]+)*(?:\?[A-Za-z0-9_~!$&'()*+,;=:@/?.%-]*)?$/;

/** The page, if it is a dashboard page other than sign-in; otherwise the front page. Without a query that has card data. */
export function nextPage(text: unknown): string {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !PAGE.test(text)) return FRONT_PAGE;
  if (/^\/dashboard\/(sign-in|sign-out|invitation)\b/.test(text)) return FRONT_PAGE;
  const path = text.replace(/\?.*/, '');
  const query = new URLSearchParams(text.slice(path.length));
  // All values of each name, as the page itself reads them.
  const values = Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
  // The sign-in page repeats it in its URL and its forms.
  return containsCardData(values) ? path : text;
}

/** The sign-in page that leads back to this page. @param again whether the user is signed in and must sign in again */
export function signInPage(next: string, again = false): string {
  const page = nextPage(next);
  const query = new URLSearchParams({ ...(page !== FRONT_PAGE && { next: page }), ...(again && { again: '1' }) });
  return query.size === 0 ? SIGN_IN : `${SIGN_IN}?${query}`;
}
