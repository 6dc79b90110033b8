/** English words of the pages that connect a merchant's processor and prove it. */
import type { VNode } from 'preact';
import type { Mode } from '../../../../../domain/session.ts';
import { plural } from '../../../words/formats.ts';

const kinds = {
  stripe: {
    title: 'Stripe',
    text: 'Accepts cards on the pay page. Also by keypad if Stripe has enabled MOTO payments and raw card data for the account.',
    credentials: {
      secret_key: { label: 'Secret or restricted key', hint: 'sk_… or rk_…' },
      publishable_key: { label: 'Publishable key', hint: 'pk_…, for the pay page.' },
      account_id: { label: 'Connected account', hint: 'acct_…, if the account belongs to your platform.' },
    },
  },
  square: {
    title: 'Square',
    text: 'Accepts cards on the pay page only. Callers are texted the link immediately.',
    credentials: {
      access_token: { label: 'Access token' },
      application_id: { label: 'Application ID' },
      location_id: { label: 'Location ID' },
    },
  },
  authorizenet: {
    title: 'Authorize.net',
    text: 'Accepts cards by keypad, and on the pay page by Accept.js.',
    credentials: {
      api_login_id: { label: 'API login ID' },
      transaction_key: { label: 'Transaction key' },
      public_client_key: { label: 'Public client key', hint: 'For the pay page.' },
    },
  },
  checkoutcom: {
    title: 'Checkout.com',
    text: 'Accepts cards by keypad, and tokens on your own pages. Has no card fields on the pay page.',
    credentials: {
      secret_key: { label: 'Secret key', hint: 'sk_…' },
      public_key: { label: 'Public key', hint: 'pk_…, for tokens.' },
      processing_channel_id: { label: 'Processing channel', hint: 'pc_…, if you have several.' },
      prefix: { label: 'Prefix of your API address', hint: 'As in prefix.api.checkout.com.' },
    },
  },
  worldpay: {
    title: 'Worldpay',
    text: 'Accepts cards by keypad and on the pay page, at Access Worldpay.',
    credentials: {
      username: { label: 'User name' },
      password: { label: 'Password' },
      entity: { label: 'Entity', hint: 'From Worldpay, such as default.' },
      narrative: { label: 'Statement text', hint: 'What payers read, up to 24 characters.' },
      checkout_id: { label: 'Checkout ID', hint: 'For the pay page.' },
    },
  },
  braintree: {
    title: 'Braintree',
    text: 'Accepts cards by keypad and on the pay page.',
    credentials: {
      public_key: { label: 'Public key' },
      private_key: { label: 'Private key' },
      merchant_account_id: { label: 'Merchant account ID', hint: 'Not the merchant ID.' },
      currency: { label: 'Currency', hint: 'Of this merchant account, such as USD.' },
      tokenization_key: { label: 'Tokenization key', hint: 'For the pay page.' },
    },
  },
  hyperswitch: {
    title: 'Hyperswitch',
    text: 'Accepts cards by keypad at your own Hyperswitch server. No saved cards or pay page.',
    credentials: {
      base_url: { label: 'Address of the server', hint: 'https://…' },
      api_key: { label: 'API key', hint: 'snd_… or prd_…' },
      connector: { label: 'Connector', hint: 'adyen, checkout or worldpayvantiv.' },
      profile_id: { label: 'Profile ID', hint: 'pro_…, if you have several.' },
    },
  },
  adyen: {
    title: 'Adyen',
    text: 'Accepts cards by keypad and on the pay page. Needs its notifications: without them, captures and refunds stay pending.',
    credentials: {
      api_key: { label: 'API key' },
      merchant_account: { label: 'Merchant account', hint: 'One that takes MOTO payments.' },
      url_prefix: { label: 'Prefix of your live addresses', hint: 'In live mode only.' },
      client_key: { label: 'Client key', hint: 'test_… or live_…, for the pay page.' },
      environment: { label: 'Environment of the client key', hint: 'In live mode, such as live-us.' },
      report_api_key: { label: 'API key for reports', hint: 'For payouts.' },
    },
  },
  payconnector: {
    title: 'Pay connector',
    text: 'Accepts cards by keypad, and sends them to the endpoint of a Generic Pay Connector (Twilio). No saved cards, refunds or pay page.',
    credentials: {
      url: { label: 'Endpoint URL', hint: 'https://…' },
      username: { label: 'User name' },
      password: { label: 'Password' },
      lookup_url: { label: 'Lookup URL', hint: 'For charges whose answer was lost.' },
    },
  },
  sandbox: { title: 'Sandbox', text: 'Accepts test cards. No money moves.', credentials: {} },
  sandbox_page: {
    title: 'Sandbox, pay page only',
    text: 'Accepts test cards on the pay page only.',
    credentials: {},
  },
};

const notifications = {
  title: 'Notifications of the processor',
  notices: {
    set: 'Secret saved. Notifications are accepted',
    removed: 'Secret removed. No more notifications are accepted',
  },
  about: (docs: (text: string) => VNode) => (
    <>
      The processor notifies Ringkey of pending payments, of disputes, and of refunds, captures and voids in its own
      dashboard. {docs('Notifications in the docs')}
    </>
  ),
  back: 'Back to the merchant',
  connectFirst: 'Connect a processor first',
  cannot: (processor: string) => `${processor} sends no notifications that can be verified`,
  atProcessor: 'At the processor',
  facts: {
    processor: 'Processor',
    where: 'Where',
    url: 'URL',
    events: 'Events',
    status: 'Status',
    former: 'Former secret accepted until',
  },
  noUrl: 'Set RINGKEY_PUBLIC_URL first.',
  copyUrl: 'Copy the URL',
  secret: 'Secret',
  set: 'Set',
  notSet: 'Not set',
  save: 'Save secret',
  replace: 'Replace secret',
  remove: 'Remove secret',
  label: 'Secret from the processor',
  currentStays: 'The current one is accepted for 24 more hours.',
  /** Where at the processor the address is entered, which events to choose, and which secret to enter here. */
  places: {
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
  },
};

/** The test charge. `processor`: its name. */
const proof = {
  title: 'Test charge',
  connected: 'Processor connected. Now make a test charge',
  theProcessor: 'The processor',
  nothingCharged: 'Nothing was charged',
  about: (amount: string, processor: string, card: VNode) => (
    <>
      Charges {amount} at {processor} to a published test card ({card}), as if a caller had entered it on the keypad,
      and refunds it. No real money moves.
    </>
  ),
  placeCall: 'Place a test call',
  done: 'Done',
  back: 'Back to the merchant',
  make: 'Make a test charge',
  makeAnother: 'Make another test charge',
  checkoutCreated: (amount: string) => `Checkout created for ${amount}`,
  reference: (id: VNode) => <>Processor reference {id}</>,
  notAboutCard: (processor: string) =>
    `${processor} refused because of the merchant’s account, its credentials or the request, not because of the card.`,
  code: (code: VNode) => <>Processor code {code}</>,
  reports: (processor: string) => `What ${processor} reports`,
  charge: 'The charge',
  charged: (processor: string) => `Test card charged by ${processor}`,
  chargedIn: (processor: string, duration: string) => `Test card charged by ${processor} in ${duration}`,
  underASecond: 'less than a second',
  verdict: {
    open: (count: number) =>
      plural(count, {
        one: 'The test charge worked. # requirement above is still open',
        other: 'The test charge worked. # requirements above are still open',
      }),
    works: (processor: string, amount: string) => `It works: ${processor} charged and refunded ${amount}`,
    charges: (processor: string, amount: string) => `It works: ${processor} charged ${amount}, which is not refunded`,
    pending: (processor: string, amount: string) => `It works: ${processor} charged ${amount}. The refund is pending`,
    failsMore: (processor: string) => `Correct the cause at ${processor}, then make another test charge.`,
    unknown: (processor: string) => `Not known yet: ${processor} has not confirmed the charge`,
    fails: (processor: string) => `It does not work yet: ${processor} charged nothing`,
  },
  notCharged: (processor: string) => `${processor} did not charge the test card`,
  notConfirmed: (processor: string) => `${processor} has not confirmed the outcome of the charge`,
  keepsLooking: 'Ringkey keeps looking it up. Reload this page in a minute.',
  refunded: 'Refunded',
  refundSent: (processor: string) => `Refund sent to ${processor}, not confirmed yet`,
  refundLater: 'Some processors confirm it later. Reload this page in a minute.',
  notRefunded: 'Not refunded',
  cannotRefund: (processor: string, charge: VNode) => (
    <>
      Ringkey cannot refund payments at {processor}. The test charge stays in its test environment. Charge {charge}
    </>
  ),
  refundRefused: (processor: string, charge: VNode) => (
    <>
      {processor} refused the refund. Charge {charge}
    </>
  ),
  noCard: {
    connectFirst: 'Connect a processor first.',
    pageOnly:
      'This processor takes cards on the pay page only. Place a test call, and pay with the link that it texts.',
    noneKnown: 'This processor publishes no test card.',
  },
  testModeOnly: 'Test charges are only available in test mode.',
  refusals: {
    notMade: 'The charge was not made.',
    nothingToPay: 'The merchant’s payment policy requires no payment for this amount.',
    limit:
      'Too many charges have failed here recently, so the limits against card testing refuse this one. Try again in an hour.',
    credentials: 'The merchant’s credentials cannot be used. Connect the processor again.',
    unavailable: 'The database did not respond in time. Try again.',
    other: (reason: string) => `The charge was refused (${reason}).`,
  },
};

export const en = {
  steps: 'Steps',
  step: { choose: 'Choose the processor', credentials: 'Enter its credentials', test: 'Make a test charge' },
  connect: 'Connect processor',
  connectTo: (processor: string) => `Connect ${processor}`,
  processors: 'Processors',
  kinds,
  optional: (label: string) => `${label} (optional)`,
  otherProcessors: 'Other processors',
  mustBegin: (label: string, prefixes: readonly string[]) => `“${label}” must begin with ${prefixes.join(' or ')}.`,
  wrongForm: (label: string, processor: string, mode: Mode) =>
    `“${label}” does not have the form that ${processor} uses in ${mode} mode. Copy it again.`,
  isMissing: (label: string) => `“${label}” is missing.`,
  /** By the code of REST's error. */
  connectErrors: {
    invalid_credentials: (processor: string) =>
      `${processor} rejected these credentials. Check that they belong to this mode and to one account, and copy them again.`,
    vendor_not_provisioned: (processor: string) =>
      `${processor} accepts these credentials, but the account cannot take payments yet. Complete its setup at ${processor}, then connect it again.`,
    processor_unavailable: (processor: string) =>
      `${processor} could not be reached to test these credentials. Try again in a minute.`,
  } as Readonly<Record<string, (processor: string) => string>>,
  notificationSecret: 'Secret of its notifications (optional)',
  notificationSecretHint: 'If you leave it empty, an earlier one is kept.',
  notificationSecretFault:
    'A notification secret has 10 to 250 characters: letters, digits and symbols, without spaces. Copy it again.',
  replaces: 'Replaces the current processor from the next charge.',
  notifications,
  proof,
};

export type ProcessorWords = typeof en;
