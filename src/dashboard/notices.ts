/** What a form has done, said by the page that it leads to: `?notice=changed`. */
import type { Visit } from './visit.ts';

/** @param notices by name. @returns null for every other name: `constructor` is in the address, and in no page's list */
export function noticeOf({ query: { notice = '' } }: Pick<Visit, 'query'>, notices: Readonly<Record<string, string>>) {
  return Object.hasOwn(notices, notice) ? (notices[notice] ?? null) : null;
}
