/** What opening a checkout needs. */
import type { Verdict } from '../domain/session.ts';
import type { OrderSource } from '../orders/ports.ts';
import type { Speech } from '../speech/ports.ts';
import type { Checkouts } from '../db/sessions/batched-checkouts.ts';
import type { Background } from '../concurrency/background.ts';

export interface CheckoutDeps {
  checkouts: Pick<Checkouts, 'findContext' | 'insert'>;
  orders: OrderSource;
  speech: Pick<Speech, 'prepare'>;
  background: Background;
  now: () => Date;
  transfer: TransferTarget;
  /** Counts opened checkouts. */
  onCheckout?: (verdict: Verdict) => void;
}

/** Where calls are sent. */
export interface TransferTarget {
  /** Right-hand side of the SIP URI: host, port unless 5060, transport unless UDP. */
  domain: string;
  /** E.164 number that reaches the payment line; null where there is none. */
  number: string | null;
}
