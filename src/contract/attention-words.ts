/**
 * The words of attention items: what happened, what to do, and where in the dashboard. REST and the account's alerts have
 * them in English; the dashboard and a user's own alerts in the language of the user.
 */
import type { LimitName } from '../domain/account-limits.ts';
import type { AttentionFacts, AttentionItem, AttentionKind } from '../domain/attention.ts';
import { cached, currencyFormat, knownZone, minorDigits } from '../domain/cached-formats.ts';
import type { Money } from '../domain/money.ts';
import { intervalText, parseInterval, shownInterval } from '../domain/time-interval.ts';
import type { LanguageTag } from '../languages/index.ts';
import { de } from './attention-words/de.ts';
import { en } from './attention-words/en.ts';
import { es } from './attention-words/es.ts';
import { fr } from './attention-words/fr.ts';
import { type AttentionLanguage, type AttentionTexts, numbersIn, type ShownFacts } from './attention-words/language.ts';
import { declineWords } from './decline-words.ts';
import { deliveryFailureText } from './delivery-failures.ts';

export interface AttentionWords extends AttentionTexts {
  /** The page in the dashboard, within the mode. */
  path: string;
}

type Item = Pick<AttentionItem, 'subject' | 'merchantId' | 'businessName' | 'facts'>;

const LANGUAGES: Readonly<Record<LanguageTag, AttentionLanguage>> = { en, de, es, fr };

const PROCESSOR_NAMES: Readonly<Record<string, string>> = {
  adyen: 'Adyen',
  authorizenet: 'Authorize.net',
  checkoutcom: 'Checkout.com',
  braintree: 'Braintree',
  hyperswitch: 'Hyperswitch',
  sandbox: 'Sandbox',
  sandbox_page: 'Sandbox',
  square: 'Square',
  stripe: 'Stripe',
  worldpay: 'Worldpay',
};

/** The name of a processor. Undefined if it is not known. @param tag of the reader. Default: English */
export const processorName = (processor: string, tag: LanguageTag = 'en'): string | undefined =>
  processor === 'payconnector' ? LANGUAGES[tag].payConnector : PROCESSOR_NAMES[processor];

/** The page about each limit. */
const LIMIT_PATHS: Readonly<Record<LimitName, string>> = {
  calls: '/now',
  lookups_hour: '/checkouts?since=1h',
  lookups_day: '/checkouts?since=24h',
  keys: '/setup/keys',
  webhook_endpoints: '/setup/webhooks',
  alert_targets: '/setup/alerts',
  users: '/setup/users',
  process_calls: '/now',
  database_connections: '/now',
  process_load: '/now',
  speech: '/setup/merchants',
};

const limitOf = ({ subject }: Item): LimitName => (subject in LIMIT_PATHS ? (subject as LimitName) : 'calls');
/** The other limits are of an account. */
const OF_SERVICE = { process_calls: true, database_connections: true, process_load: true } satisfies Partial<
  Record<LimitName, true>
>;

/** The period of what was counted. An item that an earlier version has opened does not know it. */
const periodOf = ({ facts: { from, until } }: Item) =>
  from === undefined || until === undefined ? null : intervalText(from, until);
/** The filter of a list by the period. @param last otherwise */
const since = (item: Item, last: string) => `since=${periodOf(item) ?? last}`;
const merchantQuery = ({ merchantId }: Item) => (merchantId === null ? '' : `&merchant_id=${merchantId}`);
const daysOf = ({ hours = 7 * 24 }: AttentionFacts) => hours / 24;
const CERTIFICATES = '/now#certificates';
const chargePath = ({ subject }: Item) => `/charges/${subject}`;

const PATHS: Readonly<Record<AttentionKind, (item: Item) => string>> = {
  charge_to_settle: chargePath,
  refund_to_settle: ({ subject }) => `/refunds/${subject}`,
  hold_change_to_settle: chargePath,
  late_charge: chargePath,
  refund_failed_late: ({ subject }) => `/refunds/${subject}`,
  capture_failed: chargePath,
  debit_returned: chargePath,
  processor_differs: chargePath,
  dispute_to_answer: ({ subject }) => `/disputes/${subject}`,
  processor_refusing: ({ merchantId }) => `/setup/merchants/${merchantId}`,
  processor_slow: (item) => `/charges?${since(item, '1h')}${merchantQuery(item)}`,
  success_rate_low: (item) =>
    `/charges?${since(item, `${item.facts.hours ?? 1}h`)}&counted_as=failed${merchantQuery(item)}`,
  success_rate_low_for_days: (item) => `/charges?${since(item, '7d')}&counted_as=failed${merchantQuery(item)}`,
  endpoint_failing: ({ subject }) => `/setup/webhooks/${subject}`,
  event_unsent: ({ subject }) => `/events/${subject}`,
  texts_undelivered: (item) => `/texts?${since(item, '24h')}&undelivered=true`,
  texts_near_limit: () => '/texts?since=1h',
  emails_undelivered: (item) => `/emails?${since(item, '24h')}&undelivered=true`,
  alerts_undelivered: () => '/setup/alerts',
  key_expiring: ({ subject }) => `/setup/keys/${subject}`,
  limit_near: (item) => LIMIT_PATHS[limitOf(item)],
  key_near_limit: ({ subject }) => `/setup/keys/${subject}`,
  certificate_expiring: () => CERTIFICATES,
  certificate_ending: () => CERTIFICATES,
  media_server_missing: () => '/now',
  sip_server_missing: () => '/now',
  phone_missing: () => '/now',
  worker_missing: () => '/events?delivery=waiting',
};

const MOST_OF_A_NAME = 60;
/** Without control characters, which could turn the text after the name around. */
const plainName = (name: string) => name.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, MOST_OF_A_NAME);

const percentFormat = cached(
  (locale, digits) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: Number(digits) }),
);
/** Lower shares are shown with a decimal, because 0.6% and 1.4% would both be 1%. */
const LOW_SHARE = 0.1;
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const dayFormat = cached((locale, timeZone) => new Intl.DateTimeFormat(locale, { ...DAY, timeZone }));

function shownFacts(item: Item, tag: LanguageTag, timeZone: string): ShownFacts {
  const { numbers, days, someProcessor } = LANGUAGES[tag];
  const {
    amount,
    processor = '',
    name = '',
    endsAt,
    usualUntil,
    rate = 1,
    usualRate = 1,
    of = 0,
    ...facts
  } = item.facts;
  const percent = (share: number) => percentFormat(numbers, share < LOW_SHARE ? '1' : '0').format(share);
  const period = parseInterval(periodOf(item) ?? '');
  return {
    amount: amount == null ? null : amountText(amount, numbers),
    merchant: item.businessName === null ? null : plainName(item.businessName),
    processor: processorName(processor, tag) ?? someProcessor,
    name: plainName(name),
    day: endsAt ? dayFormat(days, timeZone).format(new Date(endsAt)) : null,
    isOver: facts.isOver ?? false,
    count: facts.count ?? Math.round((1 - rate) * of),
    of,
    seconds: facts.seconds ?? 0,
    failed: percent(1 - rate),
    usuallyFailed: percent(1 - usualRate),
    days: daysOf(item.facts),
    // The days of the statistics are in UTC.
    usualUntil: usualUntil ? dayFormat(days, 'UTC').format(new Date(usualUntil)) : null,
    period: period && shownInterval(period, days, timeZone),
    reasons: reasonsText(facts.reasons ?? [], tag),
    isDuplicate: Boolean(facts.duplicateOf),
    returnCode: facts.returnCode ?? null,
    statusCode: facts.statusCode ?? null,
    failure: facts.failure == null ? null : deliveryFailureText(facts.failure, tag),
    wasRefunded: (facts.refundedCents ?? 0) > 0,
    limit: limitOf(item),
    isOfService: limitOf(item) in OF_SERVICE,
  };
}

function reasonsText(reasons: NonNullable<AttentionFacts['reasons']>, tag: LanguageTag): string | null {
  if (reasons.length === 0) return null;
  const words = declineWords(tag);
  const number = numbersIn(LANGUAGES[tag].numbers);
  // An earlier version does not know the codes of a later one.
  const text = (code: string) => (code in words ? words[code as keyof typeof words] : code);
  return reasons.map(({ code, count }) => `${text(code ?? 'none')} (${number(count)})`).join(', ');
}

const amountText = ({ amountCents, currency }: Money, locale: string) =>
  currencyFormat(locale, currency).format(amountCents / 10 ** minorDigits(currency));

/** Who reads the words. */
export interface Reader {
  /** Default: English. */
  language?: LanguageTag | undefined;
  /** IANA name of the time zone of days. Default: UTC. */
  timeZone?: string | undefined;
}

export function attentionWords(item: Item & Pick<AttentionItem, 'kind'>, reader: Reader = {}): AttentionWords {
  const { language = 'en', timeZone = 'UTC' } = reader;
  const facts = shownFacts(item, language, knownZone(timeZone));
  return { ...LANGUAGES[language].items[item.kind](facts), path: PATHS[item.kind](item) };
}
