/** Payments at Braintree: cards keyed on the phone as MOTO transactions, cards in its vault, and tokens. Plain HTTP. */
import { z } from 'zod';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { BRAINTREE_TOKEN, chargeBraintree, lookUpBraintree } from './charge.ts';
import { BRAINTREE_URLS, type BraintreeUrls, braintreeAt, type OpenBraintree } from './client.ts';
import { braintreeCredentials, braintreeTokenization } from './credentials.ts';
import { braintreeDisputes } from './disputes.ts';
import { faultOf } from './errors.ts';
import { braintreeHolds } from './holds.ts';
import { braintreeNotifications } from './notifications.ts';
import { braintreePage } from './page.ts';
import { braintreeRecords } from './records.ts';
import { braintreeRefunds } from './refunds.ts';
import { BRAINTREE_TEST_DATA } from './test-data.ts';
import { lookUpBraintreeCard, verifyBraintreeCard } from './verify.ts';
import { braintreeWallet } from './wallet.ts';

interface BraintreeOptions {
  urls?: BraintreeUrls;
}

/** Braintree publishes no limit for its search. This is long: a charge that is missing after it counts as failed. */
const LOOK_UP_LAG_MS = 600_000;

export function createBraintree({ urls = BRAINTREE_URLS }: BraintreeOptions = {}): Processor {
  const open = braintreeAt(urls);
  return {
    name: 'braintree',
    can: {
      keypad: true,
      savedCards: true,
      merchantInitiated: true,
      verifiesCards: true,
      verifiesTokens: true,
      pageTokens: true,
      wallets: false,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: braintreeCredentials,
    needsCredentials: true,
    testData: BRAINTREE_TEST_DATA,
    wallet: braintreeWallet(open),
    refunds: braintreeRefunds(open),
    holds: braintreeHolds(open),
    records: braintreeRecords(open),
    notifications: braintreeNotifications(open),
    disputes: braintreeDisputes(open),
    actions: null,
    tokenForm: BRAINTREE_TOKEN,
    tokenization: braintreeTokenization,
    page: braintreePage,
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) =>
      (request.isVerification ? verifyBraintreeCard : chargeBraintree)(open, request, signal),
    lookUp: (request, signal) =>
      (request.isVerification ? lookUpBraintreeCard : lookUpBraintree)(open, request, signal),
  };
}

const MERCHANT = `query CheckMerchant($input: MerchantAccountSearchInput!) {
  viewer { merchant { id merchantAccounts(input: $input, first: 1) { edges { node { id currencyCode status } } } } }
}`;
const ACCOUNTS = z.object({
  edges: z.array(z.object({ node: z.object({ id: z.string(), currencyCode: z.string(), status: z.string() }) })),
});
const VIEWER = z.object({
  viewer: z.object({ merchant: z.object({ id: z.string(), merchantAccounts: ACCOUNTS }) }),
});

/** `invalid`, too, if the merchant account is another merchant's, or has another currency than the merchant entered. */
async function checkConnection(
  open: OpenBraintree,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const api = await open(access, signal);
    const { merchant_account_id: id, currency } = api.settings;
    const { merchant } = (await api.ask(MERCHANT, { input: { id: { is: id } } }, VIEWER)).viewer;
    const account = merchant.merchantAccounts.edges.find(({ node }) => node.id === id)?.node;
    if (account?.currencyCode !== currency) return { status: 'invalid' };
    if (account.status !== 'ACTIVE') return { status: 'not_provisioned' };
    return { status: 'ok', account: merchant.id, recordsOf: id };
  } catch (error) {
    return { status: faultOf(error).kind === 'credentials' ? 'invalid' : 'unavailable' };
  }
}
