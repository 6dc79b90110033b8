/**
 * Payments at Authorize.net: cards keyed on the phone as MOTO transactions, saved cards as customer profiles, tokens of
 * Accept.js, and bank debits as eChecks. Plain HTTP: the official package writes log files.
 */
import { z } from 'zod';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { AUTHORIZE_NET_TOKEN, chargeAuthorizeNet } from './charge.ts';
import {
  AUTHORIZE_NET_URLS,
  type AuthorizeNet,
  type AuthorizeNetUrls,
  authorizeNetAt,
  type OpenAuthorizeNet,
} from './client.ts';
import { authorizeNetCredentials, authorizeNetTokenization } from './credentials.ts';
import { authorizeNetDebits } from './debits.ts';
import { faultOf } from './errors.ts';
import { authorizeNetHolds } from './holds.ts';
import { lookUpAuthorizeNet } from './look-up.ts';
import { authorizeNetNotifications } from './notifications.ts';
import { authorizeNetPage } from './page.ts';
import { authorizeNetRecords } from './records.ts';
import { authorizeNetRefunds } from './refunds.ts';
import { AUTHORIZENET_TEST_DATA } from './test-data.ts';
import { lookUpAuthorizeNetCard, verifyAuthorizeNetCard } from './verify.ts';
import { authorizeNetWallet } from './wallet.ts';

interface AuthorizeNetOptions {
  urls?: AuthorizeNetUrls;
}

/** Authorize.net publishes no limit for its lists. This is long: a charge that is missing after it counts as failed. */
const LOOK_UP_LAG_MS = 600_000;

export function createAuthorizeNet({ urls = AUTHORIZE_NET_URLS }: AuthorizeNetOptions = {}): Processor {
  const open = authorizeNetAt(urls);
  return {
    name: 'authorizenet',
    can: {
      keypad: true,
      savedCards: true,
      verifiesCards: true,
      verifiesTokens: true,
      pageTokens: true,
      wallets: false,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: authorizeNetCredentials,
    needsCredentials: true,
    testData: AUTHORIZENET_TEST_DATA,
    wallet: authorizeNetWallet(open),
    refunds: authorizeNetRefunds(open),
    holds: authorizeNetHolds(open),
    debits: authorizeNetDebits(open),
    records: authorizeNetRecords(open),
    notifications: authorizeNetNotifications(open),
    actions: null,
    tokenForm: AUTHORIZE_NET_TOKEN,
    tokenization: authorizeNetTokenization,
    page: authorizeNetPage,
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) =>
      (request.isVerification ? verifyAuthorizeNetCard : chargeAuthorizeNet)(open, request, signal),
    lookUp: (request, signal) =>
      (request.isVerification ? lookUpAuthorizeNetCard : lookUpAuthorizeNet)(open, request, signal),
  };
}

const MERCHANT = z.object({
  isTestMode: z.boolean().optional(),
  gatewayId: z.string(),
  /** Such as `Visa`. */
  paymentMethods: z.array(z.string()).optional(),
});
const ECHECK = 'Echeck';

/**
 * Also reads a list, because without the Transaction Details API, which is enabled in the merchant interface (otherwise
 * E00011), a lost answer could never be looked up.
 */
async function checkConnection(
  open: OpenAuthorizeNet,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const api = await open(access, signal);
    const {
      isTestMode,
      gatewayId,
      paymentMethods = [ECHECK],
    } = await api.ask('getMerchantDetails', MERCHANT, { body: {} });
    // Its transactions are not stored (testing guide).
    if (isTestMode === true || !(await readsLists(api))) return { status: 'not_provisioned' };
    const restrictions = paymentMethods.includes(ECHECK) ? {} : { restrictions: ['bank_debits_disabled'] as const };
    return { status: 'ok', account: gatewayId, ...restrictions };
  } catch (error) {
    return { status: faultOf(error).kind === 'credentials' ? 'invalid' : 'unavailable' };
  }
}

async function readsLists(api: AuthorizeNet): Promise<boolean> {
  try {
    const body = { paging: { limit: 1, offset: 1 } };
    await api.ask('getUnsettledTransactionList', z.object({}), { body });
    return true;
  } catch (error) {
    if (faultOf(error).kind === 'credentials') return false;
    throw error;
  }
}
