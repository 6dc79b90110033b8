/**
 * The security headers of every page: only the service's own scripts and styles, no inline code, no caching,
 * no frames.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const POLICY = Object.entries({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'media-src': "'self'",
  'connect-src': "'self'",
  // The sample pay page.
  'frame-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
})
  .map(([name, value]) => `${name} ${value}`)
  .join('; ');

const A_YEAR = 31_536_000;

/** `same-origin`, because with `no-referrer` Chromium sends `Origin: null` with the page's own forms. */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
    ...(request.protocol === 'https' && { 'strict-transport-security': `max-age=${A_YEAR}` }),
  });
}
