/** English words of "Getting started". */
export const en = {
  title: 'Getting started',
  allDone: 'All done. This account can take payments by phone.',
  lead: 'From a new account to a paid call. Each step is checked off once you complete it here or through the API.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  progressLabel: (done: number, all: number) => `${done} of ${all} steps done`,
  done: 'done',
  notDone: 'not done yet',
  copyCommand: (title: string) => `Copy the command: ${title}`,
  merchant: {
    title: 'Create a merchant',
    about: 'A merchant is the business that gets paid. Each checkout names one.',
    page: 'Create a merchant',
    docs: 'Going live',
  },
  processor: {
    title: 'Connect its processor',
    about: {
      test: 'The sandbox accepts test cards. You can also connect a processor’s own test account.',
      live: 'Payments go to the merchant’s own account at its processor.',
    },
    merchants: 'Merchants',
    merchant: 'The merchant',
    docs: 'Processors and credentials',
  },
  key: {
    title: 'Create a key',
    about:
      'Your agent’s backend authenticates with it. A key with the scope “agent” can take payments but cannot create refunds or keys.',
    page: 'API keys',
    docs: 'About keys',
  },
  checkout: {
    title: 'Create a checkout',
    about:
      'Your agent’s tool does this when the order is ready to pay. The response has the message to say and the address to transfer the call to.',
    docs: 'Quickstart',
  },
  call: {
    title: 'Take a payment on a call',
    about: {
      test: 'Place a test call from the browser, or dial transfer_to yourself and enter 4242 4242 4242 4242.',
      live: 'Your agent transfers a caller, who pays during the call.',
    },
    page: { test: 'Try it', live: 'Calls' },
    docs: 'Connect your voice platform',
  },
  webhook: {
    title: 'Receive a webhook',
    about: 'Register an endpoint. “checkout.completed” is the final outcome of each checkout.',
    aboutEndpoint: 'Your endpoint has not responded with 2xx to any event yet. Its page lists the failed deliveries.',
    page: 'Webhook endpoints',
    docs: 'Events and webhooks',
  },
};

export type StartWords = typeof en;
