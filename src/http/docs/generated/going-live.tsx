/**
 * The generated parts of the page on going live: requests, a merchant's requirements, the limits against card testing.
 */

import { REQUIREMENTS } from '../../../accounts/merchants/status.ts';
import {
  MAX_DECLINES_A_SESSION,
  type ShareRule,
  VELOCITY,
  type VelocityRule,
} from '../../../payments/rules/velocity.ts';
import { curlCommand } from '../../api/reference/curl.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { Markdown, Table } from '../markdown.tsx';

/** The requests of the page. A test sends them. */
export const LIVE_REQUESTS = {
  merchant: {
    business_name: 'Corner Bakery',
    numbers: ['+15550100201'],
    payment_policy: 'always',
    time_zone: 'America/New_York',
  },
  processor: { processor: 'stripe', credentials: { secret_key: 'sk_live_YourSecretKey' } },
  webhook: {
    url: 'https://agents.example.com/ringkey',
    events: ['checkout.completed', 'checkout.failed', 'checkout.pending'],
  },
};

/** A POST with the live key, for a shell. */
const liveCurl = (path: string, body: object) => curlCommand(`curl -s "$RINGKEY${path}"`, '$LIVE_KEY', body);

export const LiveMerchant = () => <CodeBlock text={liveCurl('/v1/merchants', LIVE_REQUESTS.merchant)} />;

export const LiveProcessor = () => (
  <CodeBlock text={liveCurl('/v1/merchants/$MERCHANT/processor', LIVE_REQUESTS.processor)} />
);

export const LiveWebhook = () => (
  <CodeBlock
    text={`${liveCurl('/v1/webhook_endpoints', LIVE_REQUESTS.webhook)}
curl -s -X POST "$RINGKEY/v1/webhook_endpoints/$ENDPOINT/test" -H "Authorization: Bearer $LIVE_KEY"`}
  />
);

export const Requirements = () => (
  <Table
    head={['Requirement', 'What to do']}
    rows={Object.entries(REQUIREMENTS).map(([requirement, what]) => [<code>{requirement}</code>, what])}
  />
);

export function VelocityLimits() {
  const { live } = VELOCITY;
  const limits = [
    `A session: ${MAX_DECLINES_A_SESSION} declines, in test mode too.`,
    `A caller's number: ${attempts(live.caller)}.`,
    `A card: ${attempts(live.card)}. Ringkey recognizes a card by a fingerprint (an HMAC with the first of \`RINGKEY_ENCRYPTION_KEYS\`), never by its number. A new first key resets the count.`,
    `The address of a payer on the pay page: ${attempts(live.origin)}.`,
    `Different cards, paid or not: ${live.callerCards.cards} of one caller in ${hours(live.callerCards)}, and ${live.originCards.cards} of one payer's address in ${hours(live.originCards)}.`,
    `A calling number, for sessions that were created without one (the tool form): ${shareOfDeclines(live.callingNumber)}. A trunk, or an address that sends calls: ${shareOfDeclines(live.callSource)}; its calls without a number count by themselves.`,
    `A merchant: ${shareOfDeclines(live.merchant)}. It then takes no keyed cards until the hour has passed. Saved cards still work.`,
  ];
  return <Markdown text={limits.map((limit) => `- ${limit}`).join('\n')} />;
}

const hours = ({ seconds }: { seconds: number }) => `${seconds / 3_600} h`;

const shareOfDeclines = ({ declines, share, seconds }: ShareRule) =>
  `${declines} declines in ${hours({ seconds })}, if they are ${share * 100}% of its attempts`;

const attempts = ({ attempts: count, seconds }: VelocityRule) => `${count} failed attempts in ${hours({ seconds })}`;
