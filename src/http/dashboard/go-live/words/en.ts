/** English words of the go-live checklist. */
export const en = {
  title: 'Go live',
  inLiveMode: {
    title: 'The checklist is in live mode',
    text: 'It checks the live merchants, keys, endpoints and alerts of this account.',
    action: 'Open the checklist',
  },
  lead: 'What live payments need, checked now against this service, this account and its processors.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  progressLabel: (done: number, all: number) => `${done} of ${all} checks passed`,
  allDone: 'Everything is in place',
  newestOnly: (most: number) =>
    `Only the newest ${most} merchants are checked. The page of each merchant shows its state.`,
  of: (merchant: string, message: string) => `${merchant}: ${message}`,
  merchantsPage: 'Merchants',
  endpointsPage: 'Webhook endpoints',
  https: {
    title: 'The service is reached over HTTPS',
    todo: 'Put a proxy with a certificate in front of the service, and set RINGKEY_PUBLIC_URL to its https address.',
    docs: 'Operating Ringkey',
  },
  standby: {
    title: 'PostgreSQL commits to a synchronous standby',
    todo: 'Set synchronous_standby_names, so that a failover loses no payment. If your managed PostgreSQL replicates synchronously by itself, this is done: SQL cannot see it.',
    docs: 'Operating Ringkey',
  },
  keys: {
    title: 'The voice agent has a live key of its own, with the scope “agent”',
    todo: 'Create a live key with the scope “agent”. It takes payments, and cannot refund or change settings.',
    page: 'API keys',
    docs: 'Live keys',
  },
  merchants: {
    title: 'Every live merchant can take payments',
    todo: 'Add a live merchant, and connect its processor.',
    docs: 'What is missing',
  },
  keypad: {
    title: 'The processors accept telephone payments (MOTO) and keyed cards',
    todo: 'Connect a live merchant’s processor. Ringkey then checks it.',
    docs: 'Connect its processor',
  },
  notifications: {
    title: 'The processors notify Ringkey',
    addMerchant: 'Add a live merchant first.',
    todo: (merchant: string) =>
      `${merchant}: enter the address of the notifications at the processor, and their secret here. Pending payments are then settled at once.`,
    page: 'Notifications',
    docs: 'Notifications',
  },
  returns: {
    title: 'Calls can return to your agent, and only there',
    anyHost: 'The list of hosts allows every public host (*). Name the hosts of your voice platform instead.',
    todo: 'List the SIP hosts or number prefixes of your voice platform. Without them, live calls cannot return.',
    page: 'Account',
    docs: 'Connect the phone line',
  },
  webhook: {
    title: 'A webhook endpoint has acknowledged a live event',
    add: 'Add a live webhook endpoint, and send it a test event.',
    send: 'Send the endpoint a test event, from its page. It must verify the signature and answer with 2xx.',
    docs: 'Verify signatures',
  },
  alerts: {
    title: 'Alerts reach your team',
    todo: 'Add an email address or a Slack channel for alerts of live mode.',
    page: 'Alerts',
    docs: 'Alerts',
  },
  testData: {
    title: 'Live mode has no test data',
    number: (merchant: string) => `${merchant} has an example phone number. Replace it.`,
    host: (host: string) => `A webhook endpoint is at ${host}, an example host. Delete it.`,
    docs: 'Going live',
  },
};

export type GoLiveWords = typeof en;
