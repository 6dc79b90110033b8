/** The go-live checklist: what the account's live mode needs, judged from its real state. */
import type { KeyResource } from '../../../accounts/keys/resources.ts';
import type { AccountResource } from '../../../contract/accounts.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { MerchantStatusResource, NotificationsResource } from '../../api/routes/merchant-shapes.ts';
import { withoutRequest } from '../page/english.tsx';
import { goLiveWords } from './words/index.ts';

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
  /** `todo` has the API's messages, which are English. */
  isApis?: true;
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

function httpsCheck({ isHttps }: GoLiveFacts): Check {
  const { title, todo, docs } = goLiveWords().https;
  return { id: 'https', title, isDone: isHttps, todo: [todo], docs: ['/docs/operating', docs] };
}

function standbyCheck({ waitsForStandby }: GoLiveFacts): Check {
  const { title, todo, docs } = goLiveWords().standby;
  return { id: 'standby', title, isDone: waitsForStandby, todo: [todo], docs: ['/docs/operating', docs] };
}

function keysCheck({ keys }: GoLiveFacts, now: Date): Check {
  const { title, todo, page, docs } = goLiveWords().keys;
  const active = keys.filter(
    ({ revoked_at: revokedAt, expires_at: expiresAt }) =>
      revokedAt === null && (expiresAt === null || new Date(expiresAt) > now),
  );
  return {
    id: 'keys',
    title,
    isDone: active.some(({ scope }) => scope === 'agent'),
    todo: [todo],
    page: ['/setup/keys', page],
    docs: ['/docs/going-live#key', docs],
  };
}

function merchantsCheck({ merchants }: GoLiveFacts): Check {
  const { merchants: w, merchantsPage } = goLiveWords();
  const blocked = merchants.filter(({ status }) => !status.can_take_live_payments);
  return {
    id: 'merchants',
    title: w.title,
    isDone: merchants.length > 0 && blocked.length === 0,
    ...(merchants.length === 0 ? { todo: [w.todo] } : requirementsOf(blocked)),
    page: ['/setup/merchants', merchantsPage],
    docs: ['/docs/going-live#status', w.docs],
  };
}

/** What each merchant needs. @param codes only these requirements */
function requirementsOf(
  merchants: readonly MerchantFacts[],
  codes?: readonly string[],
): Pick<Check, 'todo' | 'isApis'> {
  const todo = merchants.map(({ merchant, status }) => {
    const required = status.requirements.filter(({ code }) => codes?.includes(code) ?? true);
    return goLiveWords().of(merchant.business_name, required.map(({ message }) => withoutRequest(message)).join(' '));
  });
  return { todo, isApis: true };
}

const KEYPAD = ['keypad_unavailable', 'moto_disabled', 'card_numbers_disabled'];

function keypadCheck({ merchants }: GoLiveFacts): Check {
  const { keypad: w, merchantsPage } = goLiveWords();
  const without = merchants.filter(({ status }) => status.requirements.some(({ code }) => KEYPAD.includes(code)));
  const isKnown = merchants.some(({ status }) => status.can_take_live_payments);
  return {
    id: 'keypad',
    title: w.title,
    isDone: isKnown && without.length === 0,
    ...(isKnown ? requirementsOf(without, KEYPAD) : { todo: [w.todo] }),
    page: ['/setup/merchants', merchantsPage],
    docs: ['/docs/going-live#processor', w.docs],
  };
}

function notificationsCheck({ merchants }: GoLiveFacts): Check {
  const { notifications: w, merchantsPage } = goLiveWords();
  const silent = merchants.filter(({ notifications }) => notifications.can_notify && !notifications.has_secret);
  return {
    id: 'notifications',
    title: w.title,
    isDone: merchants.length > 0 && silent.length === 0,
    todo: merchants.length === 0 ? [w.addMerchant] : silent.map(({ merchant }) => w.todo(merchant.business_name)),
    page:
      silent[0] === undefined
        ? ['/setup/merchants', merchantsPage]
        : [`/setup/merchants/${silent[0].merchant.merchant_id}/notifications`, w.page],
    docs: ['/docs/processors#notifications', w.docs],
  };
}

function returnsCheck({ account: { return_hosts: hosts, return_number_prefixes: prefixes } }: GoLiveFacts): Check {
  const w = goLiveWords().returns;
  const isAny = hosts?.includes('*') === true;
  const isAllowed = (hosts !== null && hosts.length > 0) || prefixes.length > 0;
  return {
    id: 'returns',
    title: w.title,
    isDone: isAllowed && !isAny,
    todo: [isAny ? w.anyHost : w.todo],
    page: ['/setup/account', w.page],
    docs: ['/docs/going-live#trunk', w.docs],
  };
}

function webhookCheck({ endpoints, hasDelivered }: GoLiveFacts): Check {
  const { webhook: w, endpointsPage } = goLiveWords();
  const enabled = endpoints.filter(({ disabled }) => !disabled);
  return {
    id: 'webhook',
    title: w.title,
    isDone: enabled.length > 0 && hasDelivered,
    todo: [enabled.length === 0 ? w.add : w.send],
    page: ['/setup/webhooks', endpointsPage],
    docs: ['/docs/events#verify', w.docs],
  };
}

function alertsCheck({ alertTargets }: GoLiveFacts): Check {
  const { title, todo, page, docs } = goLiveWords().alerts;
  return {
    id: 'alerts',
    title,
    isDone: alertTargets > 0,
    todo: [todo],
    page: ['/setup/alerts', page],
    docs: ['/docs/dashboard#alerts', docs],
  };
}

/** Numbers for fiction (NANPA 555-01XX), those of this documentation, and hosts for documentation (RFC 2606). */
const EXAMPLE_NUMBER = /^\+1(\d{3}55501\d{2}|5550100\d{3})$/;
const EXAMPLE_HOST = /(^|\.)example(\.(com|net|org))?$|\.(test|invalid|localhost)$/;

function testDataCheck({ merchants, endpoints }: GoLiveFacts): Check {
  const { testData: w, merchantsPage, endpointsPage } = goLiveWords();
  const named = merchants.filter(({ merchant }) => merchant.numbers.some((number) => EXAMPLE_NUMBER.test(number)));
  const hosts = endpoints.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).hostname] : []));
  const examples = hosts.filter((host) => EXAMPLE_HOST.test(host));
  const todo = [
    ...named.map(({ merchant }) => w.number(merchant.business_name)),
    ...examples.map((host) => w.host(host)),
  ];
  return {
    id: 'test_data',
    title: w.title,
    isDone: todo.length === 0,
    todo,
    page: named.length > 0 ? ['/setup/merchants', merchantsPage] : ['/setup/webhooks', endpointsPage],
    docs: ['/docs/going-live', w.docs],
  };
}
