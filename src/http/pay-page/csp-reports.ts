/** `POST /pay/csp-reports`: browsers tell what the page's Content-Security-Policy kept out. Counted, never believed. */
import type { FastifyInstance } from 'fastify';
import { CSP_REPORTS_PATH } from './headers.ts';
import type { PageDeps } from './ports.ts';

/** Those of the policy; whatever else a report names is `other`: a label's values are few. */
const DIRECTIVES = new Set([
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'connect-src',
  'frame-src',
  'form-action',
  'base-uri',
  'frame-ancestors',
]);
const BODY_LIMIT_BYTES = 8 * 1024;

/** For a plugin of its own, with a parser of its own. */
export function cspReportRoute(app: FastifyInstance, { metrics }: Pick<PageDeps, 'metrics'>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.post(CSP_REPORTS_PATH, async (request, reply) => {
    const directive = directiveOf(String(request.body ?? ''));
    metrics?.cspReport(directive);
    // Anybody may send these: the metric is what an operator watches, and the log is not to be filled by strangers.
    request.log.debug({ directive }, 'browser blocked something on the pay page');
    return reply.code(204).send();
  });
}

/** `report-uri` of CSP 2: `{"csp-report": {"effective-directive": …}}`. */
function directiveOf(text: string): string {
  try {
    const report = (JSON.parse(text) as Record<string, Record<string, unknown> | undefined>)['csp-report'];
    const named =
      String(report?.['effective-directive'] ?? report?.['violated-directive'] ?? '').split(' ', 1)[0] ?? '';
    return DIRECTIVES.has(named) ? named : 'other';
  } catch {
    return 'other';
  }
}
