/** The go-live checklist: what the account's live mode needs, judged from its real state. */
import type { KeyResource } from '../../../accounts/keys/resources.ts';
import type { AccountResource } from '../../../contract/accounts.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { MerchantStatusResource, NotificationsResource } from '../../api/routes/merchant-shapes.ts';

/** A live merchant with what the processor says about it. */
export interface MerchantFacts {
  merchant: Pick<MerchantResource, 'merchant_id' | 'business_name' | 'numbers'>;
  status: Pick<MerchantStatusResource, 'can_take_live_payments' | 'requirements'>;
  notifications: Pick<NotificationsResource, 'can_notify' | 'has_secret'>;
}

export interface GoLiveFacts {
  /** The browser reached this page by https. */
  isHttps: boolean;
  /** PostgreSQL's commits wait for a standby. */
  waitsForStandby: boolean;
  account: Pick<AccountResource, 'return_hosts' | 'return_number_prefixes'>;
  keys: readonly Pick<KeyResource, 'scope' | 'revoked_at' | 'expires_at'>[];
  merchants: readonly MerchantFacts[];
  endpoints: readonly { url: string; disabled: boolean }[];
  /** An endpoint has acknowledged a live event. */
  hasDelivered: boolean;
  alertTargets: number;
}

export interface Check {
  id: string;
  title: string;
  isDone: boolean;
  /** What to do, if it is not done. A sentence or two each. */
  todo: readonly string[];
  /** Within the mode, if the dashboard has it. */
  page?: readonly [path: string, text: string];
  docs: readonly [path: string, text: string];
}

/** In the order in which one does them. @param now to see which keys have expired */
export function goLiveChecks(facts: GoLiveFacts, now: Date): Check[] {
  return [
    httpsCheck(facts),
    standbyCheck(facts),
    keysCheck(facts, now),
    merchantsCheck(facts),
    keypadCheck(facts),
    notificationsCheck(facts),
    returnsCheck(facts),
    webhookCheck(facts),
    alertsCheck(facts),
    testDataCheck(facts),
  ];
}

const httpsCheck = ({ isHttps }: GoLiveFacts): Check => ({
  id: 'https',
  title: 'The service is reached over HTTPS',
  isDone: isHttps,
  todo: ['Put a proxy with a certificate in front of the service, and set RINGKEY_PUBLIC_URL to its https address.'],
  docs: ['/docs/operating', 'Operating Ringkey'],
});

const standbyCheck = ({ waitsForStandby }: GoLiveFacts): Check => ({
  id: 'standby',
  title: 'PostgreSQL commits to a synchronous standby',
  isDone: waitsForStandby,
  todo: [
    'Set synchronous_standby_names, so that a failover loses no payment. If your managed PostgreSQL replicates synchronously by itself, this is done: SQL cannot see it.',
  ],
  docs: ['/docs/operating', 'Operating Ringkey'],
});

function keysCheck({ keys }: GoLiveFacts, now: Date): Check {
  const active = keys.filter(
    ({ revoked_at: revokedAt, expires_at: expiresAt }) =>
      revokedAt === null && (expiresAt === null || new Date(expiresAt) > now),
  );
  return {
    id: 'keys',
    title: 'The voice agent has a live key of its own, with the scope “agent”',
    isDone: active.some(({ scope }) => scope === 'agent'),
    todo: ['Create a live key with the scope “agent”. It takes payments, and cannot refund or change settings.'],
    page: ['/setup/keys', 'API keys'],
    docs: ['/docs/going-live#key', 'Live keys'],
  };
}

function merchantsCheck({ merchants }: GoLiveFacts): Check {
  const blocked = merchants.filter(({ status }) => !status.can_take_live_payments);
  return {
    id: 'merchants',
    title: 'Every live merchant can take payments',
    isDone: merchants.length > 0 && blocked.length === 0,
    todo:
      merchants.length === 0
        ? ['Add a live merchant, and connect its processor.']
        : blocked.map(({ merchant, status }) => `${merchant.business_name}: ${requirementsOf(status)}`),
    page: ['/setup/merchants', 'Merchants'],
    docs: ['/docs/going-live#status', 'What is missing'],
  };
}

const requirementsOf = ({ requirements }: MerchantFacts['status'], codes?: readonly string[]) =>
  requirements
    .filter(({ code }) => codes?.includes(code) ?? true)
    .map(({ message }) => message)
    .join(' ');

const KEYPAD = ['keypad_unavailable', 'moto_disabled', 'card_numbers_disabled'];

function keypadCheck({ merchants }: GoLiveFacts): Check {
  const without = merchants.filter(({ status }) => status.requirements.some(({ code }) => KEYPAD.includes(code)));
  const isKnown = merchants.some(({ status }) => status.can_take_live_payments);
  return {
    id: 'keypad',
    title: 'The processors accept telephone payments (MOTO) and keyed cards',
    isDone: isKnown && without.length === 0,
    todo: isKnown
      ? without.map(({ merchant, status }) => `${merchant.business_name}: ${requirementsOf(status, KEYPAD)}`)
      : ['Connect a live merchant’s processor. Ringkey then checks it.'],
    page: ['/setup/merchants', 'Merchants'],
    docs: ['/docs/going-live#processor', 'Connect its processor'],
  };
}

function notificationsCheck({ merchants }: GoLiveFacts): Check {
  const silent = merchants.filter(({ notifications }) => notifications.can_notify && !notifications.has_secret);
  return {
    id: 'notifications',
    title: 'The processors notify Ringkey',
    isDone: merchants.length > 0 && silent.length === 0,
    todo:
      merchants.length === 0
        ? ['Add a live merchant first.']
        : silent.map(
            ({ merchant }) =>
              `${merchant.business_name}: enter the address of the notifications at the processor, and their secret here. Pending payments are then settled at once.`,
          ),
    page:
      silent[0] === undefined
        ? ['/setup/merchants', 'Merchants']
        : [`/setup/merchants/${silent[0].merchant.merchant_id}/notifications`, 'Notifications'],
    docs: ['/docs/processors#notifications', 'Notifications'],
  };
}

function returnsCheck({ account: { return_hosts: hosts, return_number_prefixes: prefixes } }: GoLiveFacts): Check {
  const isAny = hosts?.includes('*') === true;
  const isAllowed = (hosts !== null && hosts.length > 0) || prefixes.length > 0;
  return {
    id: 'returns',
    title: 'Calls can return to your agent, and only there',
    isDone: isAllowed && !isAny,
    todo: isAny
      ? ['The list of hosts allows every public host (*). Name the hosts of your voice platform instead.']
      : ['List the SIP hosts or number prefixes of your voice platform. Without them, live calls cannot return.'],
    page: ['/setup/account', 'Account'],
    docs: ['/docs/going-live#trunk', 'Connect the phone line'],
  };
}

function webhookCheck({ endpoints, hasDelivered }: GoLiveFacts): Check {
  const enabled = endpoints.filter(({ disabled }) => !disabled);
  return {
    id: 'webhook',
    title: 'A webhook endpoint has acknowledged a live event',
    isDone: enabled.length > 0 && hasDelivered,
    todo: [
      enabled.length === 0
        ? 'Add a live webhook endpoint, and send it a test event.'
        : 'Send the endpoint a test event, from its page. It must verify the signature and answer with 2xx.',
    ],
    page: ['/setup/webhooks', 'Webhook endpoints'],
    docs: ['/docs/events#verify', 'Verify signatures'],
  };
}

const alertsCheck = ({ alertTargets }: GoLiveFacts): Check => ({
  id: 'alerts',
  title: 'Alerts reach your team',
  isDone: alertTargets > 0,
  todo: ['Add an email address or a Slack channel for alerts of live mode.'],
  page: ['/setup/alerts', 'Alerts'],
  docs: ['/docs/dashboard#alerts', 'Alerts'],
});

/** Numbers for fiction (NANPA 555-01XX), those of this documentation, and hosts for documentation (RFC 2606). */
const EXAMPLE_NUMBER = /^\+1(\d{3}55501\d{2}|5550100\d{3})$/;
const EXAMPLE_HOST = /(^|\.)example(\.(com|net|org))?$|\.(test|invalid|localhost)$/;

function testDataCheck({ merchants, endpoints }: GoLiveFacts): Check {
  const named = merchants.filter(({ merchant }) => merchant.numbers.some((number) => EXAMPLE_NUMBER.test(number)));
  const hosts = endpoints.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).hostname] : []));
  const examples = hosts.filter((host) => EXAMPLE_HOST.test(host));
  const todo = [
    ...named.map(({ merchant }) => `${merchant.business_name} has an example phone number. Replace it.`),
    ...examples.map((host) => `A webhook endpoint is at ${host}, an example host. Delete it.`),
  ];
  return {
    id: 'test_data',
    title: 'Live mode has no test data',
    isDone: todo.length === 0,
    todo,
    page: named.length > 0 ? ['/setup/merchants', 'Merchants'] : ['/setup/webhooks', 'Webhook endpoints'],
    docs: ['/docs/going-live', 'Going live'],
  };
}
