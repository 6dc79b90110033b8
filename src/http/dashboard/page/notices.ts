/** Confirmation of a submitted form, shown by the page it redirects to: `?notice=changed`. */
import type { Visit } from './visit.ts';

/**
 * @param notices by name. @returns null for any other name, including `constructor`
 */
export function noticeOf({ query: { notice = '' } }: Pick<Visit, 'query'>, notices: Readonly<Record<string, string>>) {
  return Object.hasOwn(notices, notice) ? (notices[notice] ?? null) : null;
}
