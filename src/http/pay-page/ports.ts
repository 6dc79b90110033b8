/** What the pay page is given by `app/`. */

import type { Database } from '../../db/pool.ts';
import type { Charge } from '../../domain/charge.ts';
import type { Mode } from '../../domain/session.ts';
import type { TextLimits } from '../../domain/text-limits.ts';
import type { Metrics } from '../../lib/observability/metrics.ts';
import type { Fingerprint } from '../../lib/vault/fingerprint.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Progress } from '../../notifications/progress/ports.ts';
import type { ConfirmRequest } from '../../payments/confirm.ts';
import type { CardAction, Processor } from '../../payments/ports.ts';
import type { PaymentRequest, PaymentResult } from '../../payments/take-payment.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { PageScripts } from './assets.ts';

export interface PageDeps {
  database: Database;
  processors: readonly Processor[];
  /** Opens merchants' credentials, for what is public of them; null where no encryption keys are set. */
  vault: Vault | null;
  scripts: PageScripts;
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** A charge whose bank asks the payer for something: what it asks, and how the charge goes on. */
  actionOf: (charge: Charge) => Promise<CardAction | null>;
  confirm: (request: ConfirmRequest) => Promise<PaymentResult | null>;
  abandon: (request: ConfirmRequest) => Promise<PaymentResult | null>;
  rateLimiter: RateLimiter;
  /** By which a typed expiry is past; a session's end is judged by the clock of the database. */
  now: () => Date;
  /** Hashes codes that are texted; null where no encryption keys are set: then no saved cards are offered. */
  fingerprint?: Fingerprint | null;
  /** The address that links of a mode begin with; null where there are none. */
  linkBase?: (mode: Mode) => string | null;
  /** RINGKEY_SAVED_CARDS: whether saved cards are offered; true where not given. */
  savedCards?: boolean;
  /** A text was queued, and is committed. */
  onTextQueued?: () => void;
  /** RINGKEY_SMS names a carrier: texts of live mode go out. */
  hasSmsCarrier: boolean;
  /** RINGKEY_TEXTS_…; the defaults where not given. */
  textLimits?: TextLimits;
  /** The demo can be reached from other machines. Off where not given. */
  isPublicDemo?: boolean;
  metrics?: Pick<Metrics, 'cspReport'>;
  /** Tells of the page's payer, and hears of the phone. */
  progress: Progress;
}
