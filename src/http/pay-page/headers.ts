/** The page's security headers, and its compression. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageSources } from '../../payments/port/page.ts';

export const NO_SOURCES: PageSources = { script: [], frame: [], connect: [], img: [], style: [], font: [] };

export const CSP_REPORTS_PATH = '/pay/csp-reports';

/** @param nonce for the page's own scripts and styles */
export function contentSecurityPolicy(
  nonce: string,
  { script, frame, connect, img, style, font }: PageSources,
): string {
  const own = `'nonce-${nonce}'`;
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", own, ...script],
    // With a nonce, browsers ignore `unsafe-inline`.
    'style-src': style.includes("'unsafe-inline'") ? style : [own, ...style],
    'img-src': ["'self'", 'data:', ...img],
    'connect-src': ["'self'", ...connect],
    'font-src': font.length === 0 ? ["'none'"] : font,
    'frame-src': frame.length === 0 ? ["'none'"] : frame,
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'report-uri': [CSP_REPORTS_PATH],
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}

const A_YEAR = 31_536_000;

/**
 * `same-origin`, because with `no-referrer` Chromium sends `Origin: null` with the page's own forms. HSTS, because the
 * link is a bearer secret.
 */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply, policy: string): void {
  reply.headers({
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
    ...(request.protocol === 'https' && { 'strict-transport-security': `max-age=${A_YEAR}` }),
  });
}

const compress = promisify(gzip);

/**
 * Compressing is safe from BREACH: apart from the link's secrets, the page holds only the merchant's texts, which another
 * site cannot choose.
 */
export async function sendHtml(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8');
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) return reply.send(text);
  const bytes = await compress(text);
  return reply.header('content-encoding', 'gzip').send(bytes);
}
