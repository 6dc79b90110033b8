/** What opening a checkout needs. */
import type { Verdict } from '../domain/session.ts';
import type { OrderSource } from '../orders/ports.ts';
import type { Speech } from '../speech/ports.ts';
import type { Sql } from '../db/pool.ts';
import type { KnownMerchants } from '../db/merchants/known-merchants.ts';
import type { CheckoutOpener } from '../db/sessions/open-checkout.ts';
import type { Background } from '../concurrency/background.ts';

export interface CheckoutDeps {
  database: Sql;
  merchants: KnownMerchants;
  open: CheckoutOpener;
  orders: OrderSource;
  speech: Pick<Speech, 'prepare'>;
  background: Background;
  now: () => Date;
  transfer: TransferTarget;
  /** A checkout was opened: for the counts. */
  onCheckout?: (verdict: Verdict) => void;
}

/** Where calls are sent. */
export interface TransferTarget {
  /** What stands behind the `@`: host, port where not 5060, transport where not UDP. */
  domain: string;
  /** E.164 number that reaches the line; null where there is none. */
  number: string | null;
}
