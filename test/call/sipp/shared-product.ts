/** The one product that all of SIPp's calls of a run go to. */
import { afterAll, beforeAll } from 'vitest';
import { hostOf } from '../../support/sipp-calls.ts';
import { startProduct, type TestProduct } from '../../support/product.ts';
import { createCheckout } from '../../support/checkouts.ts';

/** Another address of this machine's loopback: the one trunk that is believed. */
export const TRUNK = '127.0.0.2';
export const TRANSFER_NUMBER = '+15550109999';

/** The first file of a run also builds, and waits for a cold PostgreSQL. */
const START_LIMIT_MS = 120_000;

let running: { product: TestProduct; line: string } | null = null;

/** Starts it before the file's tests and ends it after them. */
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

/** `host:port` of the line. */
export const line = (): string => stage().line;
