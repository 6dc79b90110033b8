/** The notifications of a merchant's processor: the address to enter there, and the secret that it signs them with. */

import type { MerchantResource } from '../../../contract/merchants.ts';
import type { NotificationsResource } from '../../api/routes/merchant-shapes.ts';
import { FormFault, type FormState, SecretField, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { settingsPage } from '../form/settings.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, CopyText, Facts, Notice, noticeOf, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { processorText } from '../words/names/processors.ts';
import { merchantPath } from './merchants.tsx';
import { processorWords } from './words/processor/index.ts';

export const notificationPages: AddPages = ({ page, liveGuardedAction }) => {
  page('/setup/merchants/:id/notifications', (visit) => showNotifications(visit, unsent()));
  // Anyone with the secret could claim payments that were never made (Adyen).
  liveGuardedAction('/setup/merchants/:id/notifications', setSecret);
  liveGuardedAction('/setup/merchants/:id/notifications/remove', (visit, fields) => send(visit, fields, null));
};

async function showNotifications(visit: Visit<'id'>, form: FormState): Promise<View> {
  const [merchant, settings] = await Promise.all([
    visit.ask<MerchantResource>({ path: merchantPath(visit) }),
    visit.ask<NotificationsResource>({ path: `${merchantPath(visit)}/processor/notifications` }),
  ]);
  const w = processorWords().notifications;
  const notice = noticeOf(visit, w.notices);
  return settingsPage(visit, {
    tab: 'merchants',
    title: w.title,
    lead: merchant.business_name,
    forms: [form],
    children: (
      <>
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <div class="block">
          <p>
            {w.about((text) => (
              <a href="/docs/processors#notifications">{text}</a>
            ))}
          </p>
        </div>
        {settings.can_notify ? (
          <Settings visit={visit} settings={settings} form={form} />
        ) : (
          <div class="block">
            <Notice tone="calm" title={withoutNotifications(settings)} />
          </div>
        )}
        <p class="block">
          <a class="button" href={`${visit.base}/setup/merchants/${merchant.merchant_id}`}>
            {w.back}
          </a>
        </p>
      </>
    ),
  });
}

function withoutNotifications({ processor }: NotificationsResource): string {
  const w = processorWords().notifications;
  return processor === null ? w.connectFirst : w.cannot(processorText(processor));
}

/** Where at the processor the address is entered, as in the docs: the page Processors, "Notifications". */
function placeOf({ processor }: NotificationsResource) {
  const { places } = processorWords().notifications;
  return Object.entries(places).find(([name]) => name === processor)?.[1];
}

function Settings({ visit, settings, form }: { visit: Visit; settings: NotificationsResource; form: FormState }) {
  const { merchant_id, processor, url, has_secret: hasSecret, previous_secret_until: until } = settings;
  const w = processorWords().notifications;
  const place = placeOf(settings);
  const address = `/setup/merchants/${merchant_id}/notifications`;
  const hint = place?.secret ?? '';
  return (
    <>
      <Block title={w.atProcessor}>
        <Facts
          facts={[
            [w.facts.processor, processor === null ? null : processorText(processor)],
            [w.facts.where, place?.where ?? null],
            [w.facts.url, url === null ? w.noUrl : <CopyText text={url} label={w.copyUrl} />],
            [w.facts.events, place?.events ?? null],
          ]}
        />
      </Block>
      <Block title={w.secret}>
        <Facts
          facts={[
            [w.facts.status, <SecretState isSet={hasSecret} />],
            [w.facts.former, until === null ? null : <Time at={until} full />],
          ]}
        />
        <FormFault form={form} />
        <GuardedForm visit={visit} action={address} submit={hasSecret ? w.replace : w.save}>
          <SecretField
            form={form}
            name="notification_secret"
            label={w.label}
            hint={hasSecret ? `${hint} ${w.currentStays}`.trim() : hint}
            required
          />
        </GuardedForm>
        {hasSecret && <GuardedForm visit={visit} action={`${address}/remove`} submit={w.remove} tone="danger" />}
      </Block>
    </>
  );
}

function SecretState({ isSet }: { isSet: boolean }) {
  const w = processorWords().notifications;
  return isSet ? (
    <Badge status="set" name={w.set} tone="good" />
  ) : (
    <Badge status="not set" name={w.notSet} tone="wait" />
  );
}

const setSecret = (visit: Visit<'id'>, fields: FormFields) =>
  send(visit, fields, fields.notification_secret?.trim() ?? '');

function send(visit: Visit<'id'>, fields: FormFields, secret: string | null): Promise<Taken> {
  return sendForm<NotificationsResource>(visit, fields, {
    request: {
      method: 'POST',
      path: `${merchantPath(visit)}/processor/notification_secret`,
      body: { notification_secret: secret },
    },
    done: ({ merchant_id }) => ({
      to: `/setup/merchants/${merchant_id}/notifications?notice=${secret === null ? 'removed' : 'set'}`,
    }),
    // The user enters the secret again, because no page ever contains it.
    again: ({ error }) => showNotifications(visit, { values: {}, error }),
  });
}
