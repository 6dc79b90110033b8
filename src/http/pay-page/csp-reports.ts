/** `POST /pay/csp-reports`: browsers report what the page's Content-Security-Policy blocked. Only counted. */
import type { FastifyInstance } from 'fastify';
import { CSP_REPORTS_PATH } from './headers.ts';
import type { PageDeps } from './ports.ts';

/** The directives of the policy. Anything else is counted as `other`, because a metric's label must have few values. */
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

/** Register it in its own plugin: it replaces the parsers. */
export function cspReportRoute(app: FastifyInstance, { metrics }: Pick<PageDeps, 'metrics'>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.post(CSP_REPORTS_PATH, async (request, reply) => {
    const directive = directiveOf(String(request.body ?? ''));
    metrics?.cspReport(directive);
    // Anyone can send reports, so they are not logged. Operators watch the metric.
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
