/**
 * The dashboard: `/dashboard/test/…` and `/dashboard/live/…`, server-rendered, for users of an account. Each feature has
 * a folder. What they share is in `page/`, `list/` and `form/`.
 *
 * To add a page: a file in the folder of its feature that exports an {@link AddPages}, and its name in `FEATURES` below.
 *
 *     export const eventPages: AddPages = (routes) => {
 *       eventList(routes);                                   // listPage<Event>(() => ({ at: { section: 'events' }, … }))
 *       routes.page('/events/:id', showEvent);               // (visit) => { title, section, body }
 *       routes.action('/events/:id/resend', resendEvent);    // (visit, fields) => { to: '/events/…?notice=resent' }
 *     };
 *
 * - A page reads its data with `visit.ask({ path: '/v1/refunds', query })`, like any client of REST. There is no other
 *   way. Errors become pages. `visit.params` has the parameters of the path.
 * - `listPage` (list/list-page.tsx) adds a list with its filters and CSV, `formPage` (form/form-page.tsx) a form that
 *   creates an object. `sendForm` sends any other form to REST and shows it again if REST rejects a value.
 * - The operation declares the required role (`Operation.role`), not the page.
 * - `page/parts.tsx` has the parts of pages, `form/form.tsx` the form with the CSRF token. All text is escaped.
 * - Its entry in the navigation is in `page/navigation.tsx`. It is shown if a page has its path.
 * - Every word is in the feature's `words/`, in each language: `const w = eventWords();` while a page is rendered.
 * - Styles: `styles/*.css`, listed in assets.ts; use the colors, sizes and gaps of `base.css`. No inline
 *   styles: the policy forbids them.
 * - Live parts use htmx attributes (`hx-get`, `hx-trigger`, `hx-select`), or server-sent events with `hx-ext="sse"`.
 */
import type { FastifyInstance } from 'fastify';
import { assetRoutes } from '../shared/static-assets.ts';
import { accountPages } from './account/account.tsx';
import { alertPages } from './alerts/alerts.tsx';
import { yourAlertPages } from './alerts/own.tsx';
import { dashboardAssets } from './assets.ts';
import { attentionPages } from './attention/attention.tsx';
import { auditPages } from './audit/audit.tsx';
import { callerPages } from './callers/callers.tsx';
import { callPages } from './calls/calls.tsx';
import { endCallPages } from './calls/end-call.tsx';
import { chargePages } from './charges/charges.tsx';
import { holdPages } from './charges/hold.tsx';
import { refundChargePages } from './charges/refund.tsx';
import { checkoutPages } from './checkouts/checkouts.tsx';
import { disputePages } from './disputes/disputes.tsx';
import { emailPages } from './emails/emails.tsx';
import { endpointPages } from './endpoints/endpoint.tsx';
import { endpointListPages } from './endpoints/endpoints.tsx';
import { eventPages } from './events/events.tsx';
import { settingsPages } from './form/settings.tsx';
import { goLivePages } from './go-live/go-live.tsx';
import { keyPages } from './keys/keys.tsx';
import { savedViewPages } from './list/saved-views.tsx';
import { greetingPages } from './merchants/greeting.tsx';
import { logoPages } from './merchants/logo.tsx';
import { merchantPages } from './merchants/merchants.tsx';
import { notificationPages } from './merchants/notifications.tsx';
import { merchantPreviewPages } from './merchants/preview-pages.tsx';
import { processorPages } from './merchants/processor.tsx';
import { proofPages } from './merchants/proof.tsx';
import { nowPages } from './now/now.tsx';
import { overviewPages } from './overview/overview.tsx';
import { sendFault } from './page/fault-page.tsx';
import { DashboardFault } from './page/faults.ts';
import { type AddPages, pageRoutes } from './page/page-routes.ts';
import { palettePages } from './palette/palette.tsx';
import { payoutPages } from './payouts/payouts.tsx';
import type { DashboardDeps } from './ports.ts';
import { refundPages } from './refunds/refunds.tsx';
import { reportPages } from './reports/reports.tsx';
import { requestLinkRoute, requestPages } from './requests/requests.tsx';
import { searchPages } from './search/search.tsx';
import { settlePages } from './settle/settle.tsx';
import { refuseForgedRequests, takeForms } from './sign-in/form-token.ts';
import { requireUser } from './sign-in/require-user.ts';
import { gettingStartedPages } from './start/getting-started.tsx';
import { tailPages, tailScript } from './tail/tail.tsx';
import { textPages } from './texts/texts.tsx';
import { tryItPages } from './try-it/try-it.tsx';
import { userObjectPages } from './users/user.tsx';
import { userPages } from './users/users.tsx';
import { wallPages } from './wall/wall.tsx';
import { useLanguage } from './words/language.ts';
import { yourAuthenticatorPages } from './your-sign-in/authenticator.tsx';
import { yourLanguagePages } from './your-sign-in/language.tsx';
import { yourPasswordPages } from './your-sign-in/password.tsx';
import { yourSignInPages } from './your-sign-in/your-sign-in.tsx';

const FEATURES: readonly AddPages[] = [
  gettingStartedPages,
  attentionPages,
  callPages,
  endCallPages,
  callerPages,
  checkoutPages,
  chargePages,
  refundPages,
  disputePages,
  payoutPages,
  reportPages,
  settlePages,
  eventPages,
  textPages,
  emailPages,
  requestPages,
  auditPages,
  searchPages,
  palettePages,
  settingsPages,
  processorPages,
  notificationPages,
  logoPages,
  keyPages,
  endpointListPages,
  endpointPages,
  alertPages,
  accountPages,
  overviewPages,
  holdPages,
  savedViewPages,
];

const MODES = ['test', 'live'] as const;

export function dashboardRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  const { style, scripts } = dashboardAssets();
  app.register((assets, _options, done) => {
    assetRoutes(assets, [style, ...scripts, tailScript()]);
    done();
  });
  const ofUsers = [userPages(deps), userObjectPages(deps)];
  const ofOneself = [
    yourSignInPages(deps),
    yourPasswordPages(deps),
    yourAuthenticatorPages(deps),
    yourLanguagePages(deps),
    yourAlertPages(deps),
  ];
  const withDeps = [
    tryItPages(deps),
    nowPages(deps),
    wallPages(deps),
    merchantPages(deps),
    merchantPreviewPages(deps),
    tailPages(deps),
    proofPages(deps),
    goLivePages(deps),
    greetingPages(deps),
    refundChargePages(deps),
  ];
  const features = [...FEATURES, ...ofUsers, ...ofOneself, ...withDeps];
  for (const mode of MODES) {
    app.register(
      (pages, _options, done) => {
        guardPages(pages, deps);
        const routes = pageRoutes(pages, mode, deps);
        for (const addPages of features) addPages(routes);
        pages.get('/', async (_request, reply) => reply.redirect(`/dashboard/${mode}${routes.first()}`, 303));
        done();
      },
      { prefix: `/dashboard/${mode}` },
    );
  }
  app.register(
    (pages, _options, done) => {
      guardPages(pages, deps);
      requestLinkRoute(pages);
      done();
    },
    { prefix: '/dashboard/requests' },
  );
  app.get('/dashboard', async (_request, reply) => reply.redirect('/dashboard/test', 303));
}

function guardPages(pages: FastifyInstance, deps: DashboardDeps): void {
  pages.removeAllContentTypeParsers();
  takeForms(pages);
  pages.setErrorHandler(sendFault);
  requireUser(pages, deps);
  useLanguage(pages);
  refuseForgedRequests(pages);
  pages.setNotFoundHandler(() => {
    throw new DashboardFault('not_found');
  });
}
