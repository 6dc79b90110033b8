/** English words of attention items. */
import type { LimitName } from '../../domain/account-limits.ts';
import {
  type AttentionLanguage,
  type AttentionTexts,
  type LimitTexts,
  numbersIn,
  type ShownFacts,
} from './language.ts';

const number = numbersIn('en-US');
const sum = ({ amount }: ShownFacts) => amount ?? 'A payment';
const at = ({ merchant }: ShownFacts) => (merchant === null ? '' : ` at ${merchant}`);
const charges = (count: number) => (count === 1 ? '1 charge' : `${number(count)} charges`);
const inPeriod = ({ period }: ShownFacts) => (period === null ? '' : `${period}: `);
const reasons = (facts: ShownFacts) => (facts.reasons === null ? '' : `. Most frequent reasons: ${facts.reasons}`);

const CHECK_FAILURES = 'Check why charges fail. Many attempts with one card or from one number can mean card testing.';
const RAISE = 'If you need more, ask the operator to raise the limit.';

const LIMITS: Readonly<Record<LimitName, LimitTexts>> = {
  calls: {
    what: 'Live calls',
    atLimit: 'At the limit, further calls to the payment line are refused.',
    advice: `${RAISE} Otherwise, check whether an agent transfers calls repeatedly.`,
  },
  lookups_hour: {
    what: 'Number lookups of the last hour',
    atLimit: 'At the limit, callers’ numbers are not looked up.',
    advice: RAISE,
  },
  lookups_day: {
    what: 'Number lookups of the last 24 hours',
    atLimit: 'At the limit, callers’ numbers are not looked up.',
    advice: RAISE,
  },
  keys: {
    what: 'API keys',
    atLimit: 'At the limit, no key can be created.',
    advice: 'Revoke the keys that are no longer used.',
  },
  webhook_endpoints: {
    what: 'Webhook endpoints',
    atLimit: 'At the limit, no endpoint can be added.',
    advice: 'Delete the endpoints that are no longer used.',
  },
  alert_targets: {
    what: 'Alert targets',
    atLimit: 'At the limit, no alert can be added.',
    advice: 'Remove the alerts that are no longer read.',
  },
  users: {
    what: 'Users',
    atLimit: 'At the limit, no user can be invited.',
    advice: 'Remove the users who have left.',
  },
  process_calls: {
    what: 'Live calls of a process',
    atLimit: 'At the limit, it refuses further calls.',
    advice: 'Ask the operator of the service to start another process with the role phone, or to raise the limit.',
  },
  database_connections: {
    what: 'Connections to the database',
    atLimit: 'At the limit, processes fail to connect, and requests and calls with them.',
    advice:
      'Ask the operator of the service to raise the limit of PostgreSQL (`max_connections`), of the database or of the role, or to put a pooler before it.',
  },
  process_load: {
    what: 'Load of a phone process',
    title: 'A phone process is near its load limit',
    used: (count) => `In the last minute, its load was ${number(count)}% of the limit.`,
    atLimit: 'Above the limit, it refuses new calls.',
    advice:
      'Ask the operator of the service to start another process with the role phone, and to check whether media servers and PostgreSQL answer slowly.',
  },
  speech: {
    what: 'Rendered speech',
    title: 'Rendered speech is near the account’s limit',
    used: () => 'In the last hour, a process rendered at least 80% of the speech that an hour allows.',
    atLimit: 'At the limit, recordings play instead of the merchants’ own sentences and names.',
    advice:
      'If your callers need more, ask the operator to raise the limit. If not, check whether a program keeps creating checkouts with new texts.',
  },
};

function certificate({ name, isOver, ...facts }: ShownFacts, ends: (day: string) => string): AttentionTexts {
  const day = facts.day ?? 'an unknown day';
  return {
    title: `Certificate of ${name} ${isOver ? `expired on ${day}` : ends(day)}`,
    detail: `${isOver ? 'Browsers' : 'After that, browsers'}, voice platforms and trunks refuse to connect.`,
    advice:
      'Ask the operator of the service to renew it, and to reload the server that presents it. Ringkey reads it every hour.',
  };
}

const lastFailure = ({ statusCode, failure }: ShownFacts) => {
  if (statusCode !== null) return `, the last one with status ${statusCode}`;
  return failure === null ? '' : `: ${failure}`;
};

const items: AttentionLanguage['items'] = {
  charge_to_settle: (facts) => ({
    title: `Charge of ${sum(facts)}${at(facts)} has no outcome`,
    detail: 'The processor never reported the outcome, and Ringkey no longer checks.',
    advice: 'Look the charge up in the processor’s dashboard, and settle it.',
  }),
  refund_to_settle: (facts) => ({
    title: `Refund of ${sum(facts)}${at(facts)} has no outcome`,
    detail: 'The processor never reported the outcome, and Ringkey no longer checks.',
    advice: 'Look the refund up in the processor’s dashboard, and settle it.',
  }),
  hold_change_to_settle: (facts) => {
    const isVoid = facts.name === 'void';
    return {
      title: `${isVoid ? 'Void' : 'Capture'} of ${sum(facts)}${at(facts)} has no outcome`,
      detail: `The processor never reported whether it ${isVoid ? 'released' : 'captured'} the hold, and Ringkey no longer checks. Until then, the hold can’t be changed here.`,
      advice: `${isVoid ? 'Void' : 'Capture'} the charge again: Ringkey then looks it up first. If it still has no outcome, compare the processor’s dashboard.`,
    };
  },
  late_charge: (facts) => {
    if (facts.isDuplicate) {
      return {
        title: `${sum(facts)}${at(facts)} may have been charged twice`,
        detail:
          'The charge was reported as failed, but the processor charged the card. Another charge paid for the same order.',
        advice: 'Compare the two charges, and refund one of them.',
      };
    }
    return {
      title: `${sum(facts)}${at(facts)} was paid late`,
      detail:
        'The charge was reported as failed, but the processor charged the card. The caller may have heard that nothing was charged.',
      advice: 'Deliver the order, or refund the charge.',
    };
  },
  refund_failed_late: (facts) => ({
    title: `Refund of ${sum(facts)}${at(facts)} has failed`,
    detail: `It had succeeded, but ${facts.processor} reports that the payer’s bank did not accept it. The payer did not get the money back.`,
    advice: 'Refund the charge again, or ask the payer for another way.',
  }),
  capture_failed: (facts) => ({
    title: `${sum(facts)}${at(facts)} could not be collected`,
    detail: `The charge had succeeded, but ${facts.processor} reports that its capture has failed. No money was taken.`,
    advice: 'Hold back the order, and take the payment again.',
  }),
  debit_returned: (facts) => {
    const code = facts.returnCode === null ? '' : ` (${facts.returnCode})`;
    return {
      title: `Bank debit of ${sum(facts)}${at(facts)} was returned`,
      detail: facts.wasRefunded
        ? `The bank returned it${code} after it was paid, and you had refunded it. The payer may have got the money twice.`
        : `The bank returned it${code} after it was paid. Its order counts as unpaid again.`,
      advice:
        'Ask the payer for another payment. Do not debit the account again without a new authorization, and never after the payer has disputed the debit (R05, R07, R10, R29).',
    };
  },
  processor_differs: (facts) => {
    const advice = 'Compare the charge with the processor’s dashboard.';
    if (facts.name === 'capture') {
      return {
        title: `${sum(facts)}${at(facts)} was refunded, but could not be collected`,
        detail: `${facts.processor} reports that the capture of the charge has failed. You had refunded the charge, so the payer may have received money that was never taken. The charge stays as it is.`,
        advice,
      };
    }
    const what = facts.amount === null ? 'A refund' : `A refund of ${sum(facts)}`;
    return {
      title: `${what}${at(facts)} is not recorded`,
      detail: `${facts.processor} reports a refund that does not fit the charge: it is more than is left, in another currency, or its ID is taken. It is not counted here.`,
      advice,
    };
  },
  dispute_to_answer: (facts) => {
    const isInquiry = facts.name === 'inquiry';
    const until = facts.day === null ? '' : ` by ${facts.day}`;
    return {
      title: `Answer the ${isInquiry ? 'inquiry about' : 'dispute of'} ${sum(facts)}${at(facts)}${until}`,
      detail: isInquiry
        ? 'The payer’s bank asks about the payment. Without an answer, it can take the amount back.'
        : 'The payer’s bank disputes the payment. Without an answer, the amount stays with the payer.',
      advice: 'Send evidence in the processor’s dashboard, or accept the dispute there.',
    };
  },
  processor_refusing: (facts) => ({
    title: `${facts.processor} refuses charges${at(facts)}`,
    detail: `${inPeriod(facts)}${number(facts.count)} of ${charges(facts.of)} failed for a reason other than the card, or have no answer yet.`,
    advice: 'Check the status page of the processor, and the merchant’s credentials and account there.',
  }),
  processor_slow: (facts) => ({
    title: `${facts.processor} is slow${at(facts)}`,
    detail: `${inPeriod(facts)}${number(facts.seconds)} seconds or longer for half of the charges. Callers wait on the line.`,
    advice: 'Check the status page of the processor.',
  }),
  success_rate_low: (facts) => ({
    title: `${facts.failed} of charges${at(facts)} fail, usually ${facts.usuallyFailed}`,
    detail: `${inPeriod(facts)}${number(facts.count)} of ${charges(facts.of)} failed${reasons(facts)}. In the seven days before today, ${facts.usuallyFailed} failed.`,
    advice: CHECK_FAILURES,
  }),
  success_rate_low_for_days: (facts) => ({
    title: `${facts.failed} of charges${at(facts)} failed in ${facts.days === 1 ? 'a day' : `${facts.days} days`}, usually ${facts.usuallyFailed}`,
    detail: `${inPeriod(facts)}${number(facts.count)} of ${charges(facts.of)} failed${reasons(facts)}. In the four weeks before${facts.usualUntil === null ? '' : ` ${facts.usualUntil} (UTC)`}, ${facts.usuallyFailed} failed.`,
    advice: CHECK_FAILURES,
  }),
  endpoint_failing: (facts) => ({
    title: `Webhook endpoint ${facts.name} is failing`,
    detail: `At least the last ${number(facts.count)} attempts failed${lastFailure(facts)}. Ringkey retries each event for three days.`,
    advice: 'Check the endpoint’s responses and fix it. You can resend the events that it missed.',
  }),
  event_unsent: (facts) => ({
    title: `Event ${facts.name} was not sent`,
    detail: 'Its body could not be created, so no endpoint has received it.',
    advice: 'Resend the event. If it fails again, report it with the event’s ID.',
  }),
  texts_undelivered: (facts) => ({
    title: facts.count === 1 ? '1 text was not delivered' : `${number(facts.count)} texts were not delivered`,
    detail: `${inPeriod(facts)}${number(facts.count)} of ${number(facts.of)} not delivered. Callers may lack a pay link or receipt.`,
    advice: 'Check the carrier’s error code of each text in the list.',
  }),
  texts_near_limit: () => ({
    title: 'Texts are near the account’s limit',
    detail: 'At least 80% of the hourly or daily limit is used. At the limit, no pay links are texted.',
    advice: 'If your callers asked for these texts, ask the operator to raise the limit. If not, roll your API keys.',
  }),
  emails_undelivered: (facts) => ({
    title:
      facts.count === 1
        ? '1 receipt by email was not delivered'
        : `${number(facts.count)} receipts by email were not delivered`,
    detail: `${inPeriod(facts)}${number(facts.count)} of ${number(facts.of)} not delivered. The mail server refused them, or none is set.`,
    advice: 'Check the settings of the mail server, and the error code of each email in the list.',
  }),
  alerts_undelivered: ({ name, count }) => ({
    title: `Alerts to ${name} are not delivered`,
    detail: `The last ${number(count)} attempts failed.`,
    advice: 'Check the address or the Slack app, and send a test message.',
  }),
  key_expiring: ({ name, isOver, ...facts }) => {
    const day = facts.day ?? 'an unknown day';
    if (isOver) {
      return {
        title: `API key ${name} has expired`,
        detail: `Since ${day}, requests with this key are rejected.`,
        advice: 'Create another key if this one was still used. Otherwise revoke it.',
      };
    }
    return {
      title: `API key ${name} expires on ${day}`,
      detail: 'After that, requests with this key are rejected.',
      advice: 'Create another key, and replace this one wherever it is used.',
    };
  },
  limit_near: ({ limit, isOfService, count, of }) => {
    const { what, title, used, atLimit, advice } = LIMITS[limit];
    return {
      title: title ?? `${what} are near the ${isOfService ? 'service' : 'account'}’s limit`,
      detail: `${used?.(count) ?? `${number(count)} of ${number(of)} are used.`} ${atLimit}`,
      advice,
    };
  },
  key_near_limit: ({ name }) => ({
    title: `API key ${name} is near its limit of requests`,
    detail: 'In the last 15 minutes, it has used at least 80% of the requests of two seconds. Further ones return 429.',
    advice: 'Spread the requests, use a key for each program, and wait for webhooks instead of polling.',
  }),
  certificate_expiring: (facts) => certificate(facts, (day) => `expires on ${day}`),
  certificate_ending: (facts) => certificate(facts, (day) => `must be renewed before ${day}`),
  media_server_missing: ({ count, of }) => ({
    title: count === 1 ? '1 media server is missing' : `${number(count)} media servers are missing`,
    detail:
      count < of
        ? `There should be ${number(of)}. Calls use the others. If none is left, calls are refused.`
        : `There should be ${number(of)}. Without any, calls are refused.`,
    advice:
      'Ask the operator of the service to restart the server or to drain it. “ringkey media list” shows the servers.',
  }),
  sip_server_missing: ({ count }) => ({
    title: count === 1 ? '1 SIP server is missing' : `${number(count)} SIP servers are missing`,
    detail:
      'A phone process has had no connection to it for a minute. Calls use the others, if there are any. Otherwise, calls fail.',
    advice: 'Ask the operator of the service to restart the server, or to check the network.',
  }),
  phone_missing: () => ({
    title: 'No process takes calls',
    detail: 'No process with the role phone is running, so calls to the payment line fail.',
    advice: 'Ask the operator of the service to start one, and to find out why it ended.',
  }),
  worker_missing: () => ({
    title: 'No worker is running',
    detail: 'Webhooks, texts and the settlement of pending charges wait until one runs.',
    advice: 'Ask the operator of the service to start a process with the role worker.',
  }),
};

export const en: AttentionLanguage = {
  numbers: 'en-US',
  days: 'en-GB',
  payConnector: 'The pay connector',
  someProcessor: 'The processor',
  items,
};
