/** A demo checkout, created at the start. The welcome shows its pay link. */
import type { BaseLogger } from 'pino';
import { payLinkOf } from '../checkout/pay-link.ts';
import { insertSession } from '../db/sessions/sessions.ts';
import { newId } from '../domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../local/standalone/demo-data.ts';
import { linkBaseOf } from './addresses.ts';
import type { Infrastructure } from './infrastructure.ts';

const A_DAY_SECONDS = 86_400;
/** Not the number of the demo's scripted caller, whose calls would find this checkout. */
const PAYER_PHONE = '+15550101299';

type DemoCheckoutDeps = Pick<Infrastructure, 'config' | 'database' | 'vault'>;

/**
 * @returns the link; null if it cannot be created, for example because the database is busy. The service then runs
 * without it
 */
export async function openDemoCheckout(deps: DemoCheckoutDeps, log: Pick<BaseLogger, 'warn'>): Promise<string | null> {
  try {
    return await openPayableCheckout(deps);
  } catch (error) {
    log.warn({ err: error }, 'could not create the demo checkout');
    return null;
  }
}

async function openPayableCheckout({ config, database, vault }: DemoCheckoutDeps): Promise<string | null> {
  const linkBase = linkBaseOf(config);
  if (vault === null || linkBase('test') === null) return null;
  const session = { id: newId('CheckoutSession'), accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  await insertSession(database, {
    ...session,
    merchantId: DEMO_DINER,
    consumerId: null,
    verdict: 'required',
    transferToken: null,
    amount: { amountCents: 4_250, currency: 'USD' },
    amountSource: 'request',
    callerPhone: PAYER_PHONE,
    orderId: null,
    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    lineItems: [
      { name: 'Margherita', quantity: 2, amountCents: 1_600 },
      { name: 'Lemonade', quantity: 3, amountCents: 350 },
    ],
    metadata: {},
    ttlSeconds: A_DAY_SECONDS,
  });
  return (await payLinkOf({ database, vault, linkBase }, session)).shortUrl;
}
