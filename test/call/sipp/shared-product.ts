/** The product for all SIPp calls of a test file. */
import { afterAll, beforeAll } from 'vitest';
import { createCheckout } from '../../support/checkouts.ts';
import { startProduct, type TestProduct } from '../../support/product.ts';
import { hostOf } from '../../support/sipp-calls.ts';

/** Another loopback address: the only trusted trunk. */
export const TRUNK = '127.0.0.2';
export const TRANSFER_NUMBER = '+15550109999';

/** The first file of a run also builds the product and starts PostgreSQL. */
const START_LIMIT_MS = 240_000;

let running: { product: TestProduct; line: string } | null = null;

/** Starts the product before the file's tests and stops it afterwards. */
export function useSharedProduct(): void {
  beforeAll(async () => {
    const product = await startProduct({ RINGKEY_TRUNKS: `${TRUNK}/32`, RINGKEY_TRANSFER_NUMBER: TRANSFER_NUMBER });
    running = { product, line: hostOf((await createCheckout(product)).transferTo) };
  }, START_LIMIT_MS);
  afterAll(async () => {
    await running?.product.close();
  });
}

function stage(): { product: TestProduct; line: string } {
  if (running === null) throw new Error('the product does not run yet');
  return running;
}

export const product = (): TestProduct => stage().product;

/** `host:port` of the payment line. */
export const line = (): string => stage().line;
