/** The page of a merchant's logo: upload and removal. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { MerchantLogo } from '../../api/routes/merchant-logo.ts';
import { FileField, FormFault, type FormState, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { settingsPage } from '../form/settings.tsx';
import type { SentFile } from '../page/files.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Block, Notice, noticeOf } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { CurrentLogo, logoPath, readLogo } from './logo-parts.tsx';
import { merchantPath } from './merchants.tsx';
import { logoWords } from './words/logo/index.ts';

export const logoPages: AddPages = ({ page, liveGuardedAction, liveGuardedUpload }) => {
  page('/setup/merchants/:id/logo', (visit) => showLogo(visit, unsent()));
  // Payers trust the page by its look.
  liveGuardedUpload('/setup/merchants/:id/logo', upload);
  liveGuardedAction('/setup/merchants/:id/logo/remove', (visit, fields) =>
    send(visit, fields, { method: 'DELETE', path: logoPath(visit) }),
  );
};

async function showLogo(visit: Visit<'id'>, form: FormState): Promise<View> {
  const [merchant, logo] = await Promise.all([
    visit.ask<MerchantResource>({ path: merchantPath(visit) }),
    readLogo(visit),
  ]);
  const address = `/setup/merchants/${merchant.merchant_id}`;
  const w = logoWords();
  const notice = noticeOf(visit, w.notices);
  return settingsPage(visit, {
    tab: 'merchants',
    title: w.title,
    lead: merchant.business_name,
    forms: [form],
    children: (
      <>
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <Block title={w.current}>
          <CurrentLogo logo={logo} />
          {logo !== null && (
            <GuardedForm visit={visit} action={`${address}/logo/remove`} submit={w.remove} tone="danger" />
          )}
        </Block>
        <Block title={logo === null ? w.upload : w.replace}>
          <FormFault form={form} />
          <GuardedForm visit={visit} action={`${address}/logo`} submit={w.send} takesFile>
            <FileField form={form} name="file" label={w.file} hint={w.hint} accept="image/png,image/svg+xml" />
          </GuardedForm>
        </Block>
        <p class="block">
          <a class="button" href={visit.base + address}>
            {w.back}
          </a>
        </p>
      </>
    ),
  });
}

const upload = (visit: Visit<'id'>, fields: FormFields, file: SentFile | null) =>
  send(visit, fields, {
    method: 'PUT',
    path: logoPath(visit),
    upload: file ?? { type: 'application/octet-stream', bytes: Buffer.alloc(0) },
  });

/** Without an address of pay links, there are no pay pages that show it. */
const noticeName = (logo: MerchantLogo['logo']) => (logo === null ? 'removed' : logo.url === null ? 'saved' : 'set');

function send(visit: Visit<'id'>, fields: FormFields, request: Parameters<typeof visit.ask>[0]): Promise<Taken> {
  return sendForm<MerchantLogo>(visit, fields, {
    request,
    done: ({ merchant_id, logo }) => ({
      to: `/setup/merchants/${merchant_id}/logo?notice=${noticeName(logo)}`,
    }),
    again: ({ error }) => showLogo(visit, { values: {}, error: error && { ...error, param: 'file' } }),
  });
}
