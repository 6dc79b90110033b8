/**
 * Whether a request may have come from a page of ours, by what browsers say themselves: a page of another site cannot
 * change it.
 */
import type { FastifyRequest } from 'fastify';

type Request = Pick<FastifyRequest, 'headers' | 'host'>;

/**
 * `Sec-Fetch-Site` is the browser's own word; an older one sends the origin at least. A request with neither is let in:
 * it comes from a program, or from a browser that cannot be asked.
 */
export function isFromOurPage(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined ? !isOfOtherOrigin(request) : site === 'same-origin' || site === 'none';
}

/** {@link isFromOurPage}, and the origin says nothing else: a proxy or an extension may have changed either header. */
export function isStrictlyFromOurPage(request: Request): boolean {
  return isFromOurPage(request) && !isOfOtherOrigin(request);
}

function isOfOtherOrigin({ headers: { origin }, host }: Request): boolean {
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}
