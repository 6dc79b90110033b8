/** The words of attention items: what happened, what to do, and where in the dashboard. */
import type { LimitName } from '../domain/account-limits.ts';
import type { AttentionItem, AttentionKind } from '../domain/attention.ts';
import { currencyFormat, minorDigits } from '../domain/cached-formats.ts';

export interface AttentionWords {
  title: string;
  detail: string;
  /** What to do. */
  advice: string;
  /** The page in the dashboard, within the mode. */
  path: string;
}

const MOST_OF_A_NAME = 60;

type Item = Pick<AttentionItem, 'subject' | 'merchantId' | 'businessName' | 'facts'>;

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

const amountText = ({ facts: { amount } }: Item) =>
  amount == null
    ? 'A payment'
    : currencyFormat('en-US', amount.currency).format(amount.amountCents / 10 ** minorDigits(amount.currency));
const percent = (share = 0) => `${Math.round(share * 100)}%`;
/** Without control characters, which could turn the text after the name around. */
const plainName = (name: string) => name.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, MOST_OF_A_NAME);
const at = ({ businessName }: Item) => (businessName === null ? '' : ` at ${plainName(businessName)}`);
export const PROCESSOR_NAMES: Readonly<Record<string, string>> = {
  adyen: 'Adyen',
  authorizenet: 'Authorize.net',
  checkoutcom: 'Checkout.com',
  braintree: 'Braintree',
  hyperswitch: 'Hyperswitch',
  payconnector: 'The pay connector',
  sandbox: 'Sandbox',
  sandbox_page: 'Sandbox',
  square: 'Square',
  stripe: 'Stripe',
  worldpay: 'Worldpay',
};
const processorName = ({ facts: { processor = '' } }: Item) => PROCESSOR_NAMES[processor] ?? 'The processor';
const charges = (count = 0) => (count === 1 ? '1 charge' : `${count} charges`);
const merchantQuery = ({ merchantId }: Item) => (merchantId === null ? '' : `&merchant_id=${merchantId}`);

/** The other limits are of an account. */
const OF_SERVICE = { process_calls: true, database_connections: true } satisfies Partial<Record<LimitName, true>>;

const RAISE = 'If you need more, ask the operator to raise the limit.';

/** `atLimit`: what happens at the limit. */
const LIMITS: Readonly<Record<LimitName, { what: string; atLimit: string; advice: string; path: string }>> = {
  calls: {
    what: 'Live calls',
    atLimit: 'At the limit, further calls to the payment line are refused.',
    advice: `${RAISE} Otherwise, check whether an agent transfers calls repeatedly.`,
    path: '/now',
  },
  lookups_hour: {
    what: 'Number lookups of the last hour',
    atLimit: 'At the limit, callers’ numbers are not looked up.',
    advice: RAISE,
    path: '/checkouts?since=1h',
  },
  lookups_day: {
    what: 'Number lookups of the last 24 hours',
    atLimit: 'At the limit, callers’ numbers are not looked up.',
    advice: RAISE,
    path: '/checkouts?since=24h',
  },
  keys: {
    what: 'API keys',
    atLimit: 'At the limit, no key can be created.',
    advice: 'Revoke the keys that are no longer used.',
    path: '/setup/keys',
  },
  webhook_endpoints: {
    what: 'Webhook endpoints',
    atLimit: 'At the limit, no endpoint can be added.',
    advice: 'Delete the endpoints that are no longer used.',
    path: '/setup/webhooks',
  },
  alert_targets: {
    what: 'Alert targets',
    atLimit: 'At the limit, no alert can be added.',
    advice: 'Remove the alerts that are no longer read.',
    path: '/setup/alerts',
  },
  users: {
    what: 'Users',
    atLimit: 'At the limit, no user can be invited.',
    advice: 'Remove the users who have left.',
    path: '/setup/users',
  },
  process_calls: {
    what: 'Live calls of a process',
    atLimit: 'At the limit, it refuses further calls.',
    advice: 'Ask the operator of the service to start another process with the role phone, or to raise the limit.',
    path: '/now',
  },
  database_connections: {
    what: 'Connections to the database',
    atLimit: 'At the limit, processes fail to connect, and requests and calls with them.',
    advice: 'Ask the operator of the service to raise `max_connections` of PostgreSQL, or to put a pooler before it.',
    path: '/now',
  },
};

function certificateWords({ facts }: Item, ends: (day: string) => string): AttentionWords {
  const { name = '', endsAt = '', isOver = false } = facts;
  const day = DATE.format(new Date(endsAt));
  return {
    title: `Certificate of ${plainName(name)} ${isOver ? `expired on ${day}` : ends(day)}`,
    detail: `${isOver ? 'Browsers' : 'After that, browsers'}, voice platforms and trunks refuse to connect.`,
    advice:
      'Ask the operator of the service to renew it, and to reload the server that presents it. Ringkey reads it every hour.',
    path: '/now',
  };
}

const WORDS: Readonly<Record<AttentionKind, (item: Item) => AttentionWords>> = {
  charge_to_settle: (item) => ({
    title: `Charge of ${amountText(item)}${at(item)} has no outcome`,
    detail: 'The processor never reported the outcome, and Ringkey no longer checks.',
    advice: 'Look the charge up in the processor’s dashboard, and settle it.',
    path: `/charges/${item.subject}`,
  }),
  refund_to_settle: (item) => ({
    title: `Refund of ${amountText(item)}${at(item)} has no outcome`,
    detail: 'The processor never reported the outcome, and Ringkey no longer checks.',
    advice: 'Look the refund up in the processor’s dashboard, and settle it.',
    path: `/refunds/${item.subject}`,
  }),
  hold_change_to_settle: (item) => {
    const isVoid = item.facts.name === 'void';
    return {
      title: `${isVoid ? 'Void' : 'Capture'} of ${amountText(item)}${at(item)} has no outcome`,
      detail: `The processor never reported whether it ${isVoid ? 'released' : 'captured'} the hold, and Ringkey no longer checks. Until then, the hold can’t be changed here.`,
      advice: `${isVoid ? 'Void' : 'Capture'} the charge again: Ringkey then looks it up first. If it still has no outcome, compare the processor’s dashboard.`,
      path: `/charges/${item.subject}`,
    };
  },
  late_charge: (item) => {
    const path = `/charges/${item.subject}`;
    if (item.facts.duplicateOf) {
      return {
        title: `${amountText(item)}${at(item)} may have been charged twice`,
        detail:
          'The charge was reported as failed, but the processor charged the card. Another charge paid for the same order.',
        advice: 'Compare the two charges, and refund one of them.',
        path,
      };
    }
    return {
      title: `${amountText(item)}${at(item)} was paid late`,
      detail:
        'The charge was reported as failed, but the processor charged the card. The caller may have heard that nothing was charged.',
      advice: 'Deliver the order, or refund the charge.',
      path,
    };
  },
  refund_failed_late: (item) => ({
    title: `Refund of ${amountText(item)}${at(item)} has failed`,
    detail: `It had succeeded, but ${processorName(item)} reports that the payer’s bank did not accept it. The payer did not get the money back.`,
    advice: 'Refund the charge again, or ask the payer for another way.',
    path: `/refunds/${item.subject}`,
  }),
  capture_failed: (item) => ({
    title: `${amountText(item)}${at(item)} could not be collected`,
    detail: `The charge had succeeded, but ${processorName(item)} reports that its capture has failed. No money was taken.`,
    advice: 'Hold back the order, and take the payment again.',
    path: `/charges/${item.subject}`,
  }),
  debit_returned: (item) => {
    const { returnCode, refundedCents = 0 } = item.facts;
    const code = returnCode == null ? '' : ` (${returnCode})`;
    return {
      title: `Bank debit of ${amountText(item)}${at(item)} was returned`,
      detail:
        refundedCents > 0
          ? `The bank returned it${code} after it was paid, and you had refunded it. The payer may have got the money twice.`
          : `The bank returned it${code} after it was paid. Its order counts as unpaid again.`,
      advice:
        'Ask the payer for another payment. Do not debit the account again without a new authorization, and never after the payer has disputed the debit (R05, R07, R10, R29).',
      path: `/charges/${item.subject}`,
    };
  },
  processor_differs: (item) => {
    const path = `/charges/${item.subject}`;
    const advice = 'Compare the charge with the processor’s dashboard.';
    if (item.facts.name === 'capture') {
      return {
        title: `${amountText(item)}${at(item)} was refunded, but could not be collected`,
        detail: `${processorName(item)} reports that the capture of the charge has failed. You had refunded the charge, so the payer may have received money that was never taken. The charge stays as it is.`,
        advice,
        path,
      };
    }
    const what = item.facts.amount == null ? 'A refund' : `A refund of ${amountText(item)}`;
    return {
      title: `${what}${at(item)} is not recorded`,
      detail: `${processorName(item)} reports a refund that does not fit the charge: it is more than is left, in another currency, or its ID is taken. It is not counted here.`,
      advice,
      path,
    };
  },
  dispute_to_answer: (item) => {
    const { name, endsAt } = item.facts;
    const isInquiry = name === 'inquiry';
    const until = endsAt == null ? '' : ` by ${DATE.format(new Date(endsAt))}`;
    return {
      title: `Answer the ${isInquiry ? 'inquiry about' : 'dispute of'} ${amountText(item)}${at(item)}${until}`,
      detail: isInquiry
        ? 'The payer’s bank asks about the payment. Without an answer, it can take the amount back.'
        : 'The payer’s bank disputes the payment. Without an answer, the amount stays with the payer.',
      advice: 'Send evidence in the processor’s dashboard, or accept the dispute there.',
      path: `/disputes/${item.subject}`,
    };
  },
  processor_refusing: (item) => ({
    title: `${processorName(item)} refuses charges${at(item)}`,
    detail: `In the last 30 minutes, ${item.facts.count ?? 0} of ${charges(item.facts.of)} failed for a reason other than the card, or have no answer yet.`,
    advice: 'Check the status page of the processor, and the merchant’s credentials and account there.',
    path: `/setup/merchants/${item.merchantId}`,
  }),
  processor_slow: (item) => ({
    title: `${processorName(item)} is slow${at(item)}`,
    detail: `Half of the charges of the last 30 minutes took ${item.facts.seconds ?? 0} seconds or longer. Callers wait on the line.`,
    advice: 'Check the status page of the processor.',
    path: `/charges?since=1h${merchantQuery(item)}`,
  }),
  success_rate_low: (item) => ({
    title: `Only ${percent(item.facts.rate)} of charges${at(item)} succeed`,
    detail: `That is the rate of ${charges(item.facts.of)} in the last hour. In the last week it was ${percent(item.facts.usualRate)}.`,
    advice: 'Check why charges fail. Many attempts with one card or from one number can mean card testing.',
    path: `/charges?since=1h&status=failed${merchantQuery(item)}`,
  }),
  endpoint_failing: (item) => ({
    title: `Webhook endpoint ${plainName(item.facts.name ?? '')} is failing`,
    detail: `The last ${item.facts.count ?? 0} attempts failed. Ringkey retries each event for three days.`,
    advice: 'Check the endpoint’s responses and fix it. You can resend the events that it missed.',
    path: `/setup/webhooks/${item.subject}`,
  }),
  event_unsent: (item) => ({
    title: `Event ${item.facts.name ?? ''} was not sent`,
    detail: 'Its body could not be created, so no endpoint has received it.',
    advice: 'Resend the event. If it fails again, report it with the event’s ID.',
    path: `/events/${item.subject}`,
  }),
  texts_undelivered: ({ facts: { count = 0, of = 0 } }) => ({
    title: count === 1 ? '1 text was not delivered' : `${count} texts were not delivered`,
    detail: `That is out of ${of} in the last 24 hours. Callers may lack a pay link or receipt.`,
    advice: 'Check the carrier’s error code of each text in the list.',
    path: '/texts?since=24h',
  }),
  texts_near_limit: () => ({
    title: 'Texts are near the account’s limit',
    detail: 'At least 80% of the hourly or daily limit is used. At the limit, no pay links are texted.',
    advice: 'If your callers asked for these texts, ask the operator to raise the limit. If not, roll your API keys.',
    path: '/texts?since=1h',
  }),
  emails_undelivered: ({ facts: { count = 0, of = 0 } }) => ({
    title: count === 1 ? '1 receipt by email was not delivered' : `${count} receipts by email were not delivered`,
    detail: `That is out of ${of} in the last 24 hours. The mail server refused them, or none is set.`,
    advice: 'Check the settings of the mail server. “list_emails” in the API has the error code of each email.',
    path: '/charges?since=24h',
  }),
  alerts_undelivered: ({ facts: { name = '', count = 0 } }) => ({
    title: `Alerts to ${plainName(name)} are not delivered`,
    detail: `The last ${count} attempts failed.`,
    advice: 'Check the address or the Slack app, and send a test message.',
    path: '/setup/alerts',
  }),
  key_expiring: ({ subject, facts: { name = '', endsAt = '', isOver = false } }) => {
    const day = endsAt === '' ? 'an unknown day' : DATE.format(new Date(endsAt));
    const path = `/setup/keys/${subject}`;
    if (isOver) {
      return {
        title: `API key ${plainName(name)} has expired`,
        detail: `Since ${day}, requests with this key are rejected.`,
        advice: 'Create another key if this one was still used. Otherwise revoke it.',
        path,
      };
    }
    return {
      title: `API key ${plainName(name)} expires on ${day}`,
      detail: 'After that, requests with this key are rejected.',
      advice: 'Create another key, and replace this one wherever it is used.',
      path,
    };
  },
  limit_near: ({ subject, facts: { count = 0, of = 0 } }) => {
    const { what, atLimit, advice, path } = LIMITS[subject as LimitName] ?? LIMITS.calls;
    return {
      title: `${what} are near the ${subject in OF_SERVICE ? 'service' : 'account'}’s limit`,
      detail: `${count} of ${of} are used. ${atLimit}`,
      advice,
      path,
    };
  },
  key_near_limit: ({ subject, facts: { name = '' } }) => ({
    title: `API key ${plainName(name)} is near its limit of requests`,
    detail: 'In the last 15 minutes, it has used at least 80% of the requests of two seconds. Further ones return 429.',
    advice: 'Spread the requests, use a key for each program, and wait for webhooks instead of polling.',
    path: `/setup/keys/${subject}`,
  }),
  certificate_expiring: (item) => certificateWords(item, (day) => `expires on ${day}`),
  certificate_ending: (item) => certificateWords(item, (day) => `must be renewed before ${day}`),
  media_server_missing: ({ facts: { count = 0, of = 0 } }) => ({
    title: count === 1 ? '1 media server is missing' : `${count} media servers are missing`,
    detail: `There should be ${of}. Calls use the others. If none is left, calls are refused.`,
    advice:
      'Ask the operator of the service to restart the server or to drain it. “ringkey media list” shows the servers.',
    path: '/now',
  }),
  sip_server_missing: ({ facts: { count = 0 } }) => ({
    title: count === 1 ? '1 SIP server is missing' : `${count} SIP servers are missing`,
    detail:
      'A phone process has had no connection to it for a minute. Calls use the others. If none is left, calls fail.',
    advice: 'Ask the operator of the service to restart the server, or to check the network.',
    path: '/now',
  }),
  phone_missing: () => ({
    title: 'No process takes calls',
    detail: 'No process with the role phone is running, so calls to the payment line fail.',
    advice: 'Ask the operator of the service to start one, and to find out why it ended.',
    path: '/now',
  }),
  worker_missing: () => ({
    title: 'No worker is running',
    detail: 'Webhooks, texts and the settlement of pending charges wait until one runs.',
    advice: 'Ask the operator of the service to start a process with the role worker.',
    path: '/events',
  }),
};

export const attentionWords = (item: Item & Pick<AttentionItem, 'kind'>): AttentionWords => WORDS[item.kind](item);
