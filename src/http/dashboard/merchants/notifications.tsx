/** The notifications of a merchant's processor: the address to enter there, and the secret that it signs them with. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { NotificationsResource } from '../../api/routes/merchant-shapes.ts';
import { FormFault, type FormState, SecretField, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { settingsPage } from '../form/settings.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, CopyText, Facts, Notice, noticeOf, Time, words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { merchantPath } from './merchants.tsx';

export const notificationPages: AddPages = ({ page, liveGuardedAction }) => {
  page('/setup/merchants/:id/notifications', (visit) => showNotifications(visit, unsent()));
  // Anyone with the secret could claim payments that were never made (Adyen).
  liveGuardedAction('/setup/merchants/:id/notifications', setSecret);
  liveGuardedAction('/setup/merchants/:id/notifications/remove', (visit, fields) => send(visit, fields, null));
};

interface Place {
  /** Where at the processor the address is entered. */
  where: string;
  events: string;
  secret: string;
}

/** As in the docs: the page Processors, "Notifications". */
const PLACES: Readonly<Record<string, Place>> = {
  stripe: {
    where: 'Developers, Webhooks',
    events: 'payment_intent.*, charge.*, refund.*, payout.*',
    secret: 'The endpoint’s signing secret (whsec_…).',
  },
  square: {
    where: 'Developer Console, Webhooks, Subscriptions',
    events: 'payment.*, refund.*, dispute.*, payout.*',
    secret: 'The subscription’s signature key.',
  },
  authorizenet: {
    where: 'Account, Webhooks',
    events: 'All of net.authorize.payment',
    secret: 'The account’s signature key, 128 hexadecimal digits.',
  },
  checkoutcom: {
    where: 'A workflow with a webhook action',
    events: 'All payment and dispute events',
    secret: 'The signature key that you enter there.',
  },
  hyperswitch: {
    where: 'Control Center, Developers, Payment settings',
    events: 'All',
    secret: 'The profile’s payment response hash key.',
  },
  adyen: {
    where: 'Developers, Webhooks, Standard webhook',
    events:
      'The default events, EXPIRE, TECHNICAL_CANCEL, REFUNDED_REVERSED, REPORT_AVAILABLE (payouts), and all dispute events',
    secret: 'The HMAC key, 64 hexadecimal digits.',
  },
  braintree: {
    where: 'Control Panel, Settings, API, Webhooks',
    events: 'All dispute events, and refund failed',
    secret: 'The private key with which Braintree is connected, 32 hexadecimal digits.',
  },
  worldpay: {
    where: 'Ask your implementation manager to add the URL and to enable the header Event-Signature',
    events: 'All payment events',
    secret: 'The shared secret that the manager gives you.',
  },
};

const NOTICES: Record<string, string> = {
  set: 'Secret saved. Notifications are accepted',
  removed: 'Secret removed. No more notifications are accepted',
};

async function showNotifications(visit: Visit<'id'>, form: FormState): Promise<View> {
  const [merchant, settings] = await Promise.all([
    visit.ask<MerchantResource>({ path: merchantPath(visit) }),
    visit.ask<NotificationsResource>({ path: `${merchantPath(visit)}/processor/notifications` }),
  ]);
  const notice = noticeOf(visit, NOTICES);
  return settingsPage(visit, {
    tab: 'merchants',
    title: 'Notifications of the processor',
    lead: merchant.business_name,
    forms: [form],
    children: (
      <>
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <div class="block">
          <p>
            The processor notifies Ringkey of pending payments, of disputes, and of refunds, captures and voids in its
            own dashboard. <a href="/docs/processors#notifications">Notifications in the docs</a>
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
            Back to the merchant
          </a>
        </p>
      </>
    ),
  });
}

const withoutNotifications = ({ processor }: NotificationsResource) =>
  processor === null ? 'Connect a processor first' : `${words(processor)} sends no notifications that can be verified`;

function Settings({ visit, settings, form }: { visit: Visit; settings: NotificationsResource; form: FormState }) {
  const { merchant_id, processor, url, has_secret: hasSecret, previous_secret_until: until } = settings;
  const place = PLACES[processor ?? ''];
  const address = `/setup/merchants/${merchant_id}/notifications`;
  const hint = place?.secret ?? '';
  return (
    <>
      <Block title="At the processor">
        <Facts
          facts={[
            ['Processor', processor === null ? null : words(processor)],
            ['Where', place?.where ?? null],
            ['URL', url === null ? 'Set RINGKEY_PUBLIC_URL first.' : <CopyText text={url} label="Copy the URL" />],
            ['Events', place?.events ?? null],
          ]}
        />
      </Block>
      <Block title="Secret">
        <Facts
          facts={[
            ['Status', hasSecret ? <Badge status="set" tone="good" /> : <Badge status="not set" tone="wait" />],
            ['Former secret accepted until', until === null ? null : <Time at={until} full />],
          ]}
        />
        <FormFault form={form} />
        <GuardedForm visit={visit} action={address} submit={hasSecret ? 'Replace secret' : 'Save secret'}>
          <SecretField
            form={form}
            name="notification_secret"
            label="Secret from the processor"
            hint={hasSecret ? `${hint} The current one is accepted for 24 more hours.`.trim() : hint}
            required
          />
        </GuardedForm>
        {hasSecret && <GuardedForm visit={visit} action={`${address}/remove`} submit="Remove secret" tone="danger" />}
      </Block>
    </>
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
