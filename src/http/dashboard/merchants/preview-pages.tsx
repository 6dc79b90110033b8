/** The routes of the preview of a merchant's settings. */
import type { FastifyReply } from 'fastify';
import type { AccountResource } from '../../../contract/accounts.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { isFromOurPage } from '../../api/plugins/local-requests.ts';
import { sendPreview } from '../../pay-page/preview.ts';
import { brandingOf, pageFormOf } from '../account/page-branding.tsx';
import { Suggestions, unsent } from '../form/fields.tsx';
import type { AddPages, FormFields } from '../page/page-routes.ts';
import { requireDeveloper, type Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { readLogo, shownLogo } from './logo-parts.tsx';
import { VOICE_LIST, voiceChoices } from './merchant-fields.tsx';
import { merchantForm } from './merchant-form.ts';
import { merchantPath, merchantView } from './merchants.tsx';
import { following, MerchantPreview, PAGE_PREVIEW_FIELDS, withFields } from './preview.tsx';
import { merchantWords } from './words/index.ts';

export function merchantPreviewPages({ speech }: Pick<DashboardDeps, 'speech'>): AddPages {
  return ({ action, download }) => {
    action('/setup/merchants/:id/preview', async (visit, fields) => {
      requireDeveloper(visit);
      return merchantView(visit, speech, { merchant: await readMerchant(visit), form: unsent(fields) });
    });
    // For the page's script: without asking the processor for its state at each change.
    action('/setup/merchants/:id/preview/parts', async (visit, fields) => {
      requireDeveloper(visit);
      const merchant = await readMerchant(visit);
      const follows = following(visit, merchant, VOICE_LIST, ['language', 'second_language']);
      const body = (
        <>
          <MerchantPreview visit={visit} merchant={merchant} fields={fields} />
          <Suggestions id={VOICE_LIST} suggestions={voiceChoices(fields, speech.voices())} follows={follows} />
        </>
      );
      return { title: merchantWords().preview.title, section: 'setup', body };
    });
    download('/setup/merchants/:id/pay-page', showPayPage);
  };
}

const readMerchant = (visit: Visit<'id'>) => visit.ask<MerchantResource>({ path: merchantPath(visit) });

/** Without the empty fields. */
const given = (fields: FormFields): FormFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** A sample pay page. Uses unsaved values from the URL if the request comes from our page, otherwise the merchant's. */
async function showPayPage(visit: Visit<'id'>, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const [account, merchant, logo] = await Promise.all([
    visit.ask<AccountResource>({ path: '/v1/account' }),
    readMerchant(visit),
    readLogo(visit),
  ]);
  const unsaved = PAGE_PREVIEW_FIELDS.flatMap((name) => {
    const value = visit.query[name];
    return value !== undefined && isFromOurPage(request) ? [[name, value] as const] : [];
  });
  const settings = withFields(merchant, { ...merchantForm(merchant), ...Object.fromEntries(unsaved) });
  return sendPreview(request, reply, {
    branding: brandingOf({ ...pageFormOf(account), ...given(pageFormOf(settings)) }),
    logo: shownLogo(logo),
    merchant: {
      businessName: settings.business_name,
      currency: settings.currency,
      language: settings.language,
      tipPercentages: settings.tip_percentages,
      partialMinimumCents: settings.partial_minimum_cents,
    },
    now: new Date(),
  });
}
