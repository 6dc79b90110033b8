/** Dependencies that `app/` passes to the pay page. */

import type { Database } from '../../db/pool.ts';
import type { Charge } from '../../domain/charge.ts';
import type { Mode } from '../../domain/session.ts';
import type { TextLimits } from '../../domain/texts.ts';
import type { Metrics } from '../../lib/observability/metrics.ts';
import type { Fingerprint } from '../../lib/vault/fingerprint.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Progress } from '../../notifications/progress/ports.ts';
import type { ConfirmRequest } from '../../payments/charges/confirm.ts';
import type { PaymentRequest, PaymentResult } from '../../payments/charges/take-payment.ts';
import type { CardAction } from '../../payments/port/answers.ts';
import type { Processor } from '../../payments/port/processor.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { PageScripts } from './assets.ts';

export interface PageDeps {
  database: Database;
  processors: readonly Processor[];
  /** Decrypts merchants' credentials, for their public parts. Null if no encryption keys are set. */
  vault: Vault | null;
  scripts: PageScripts;
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** Reads the bank's challenge of a charge (3-D Secure), and continues the charge. */
  actionOf: (charge: Charge) => Promise<CardAction | null>;
  confirm: (request: ConfirmRequest) => Promise<PaymentResult | null>;
  abandon: (request: ConfirmRequest) => Promise<PaymentResult | null>;
  rateLimiter: RateLimiter;
  /** Judges expiry dates. The end of a session is judged by the database's clock. */
  now: () => Date;
  /** Hashes texted codes. Null if no encryption keys are set; saved cards are then not offered. */
  fingerprint?: Fingerprint | null;
  /** The base URL of a mode's links, or null. */
  linkBase?: (mode: Mode) => string | null;
  /** RINGKEY_SAVED_CARDS: whether saved cards are offered. Default true. */
  savedCards?: boolean;
  /** Called when a text was queued and committed. */
  onTextQueued?: () => void;
  /** Whether RINGKEY_SMS names a carrier, so that live texts are sent. */
  hasSmsCarrier: boolean;
  /** RINGKEY_TEXTS_…; optional. */
  textLimits?: TextLimits;
  /** Whether the demo can be reached from other machines. Default false. */
  isPublicDemo?: boolean;
  metrics?: Pick<Metrics, 'cspReport'>;
  /** Publishes the page's events and receives those of the phone. */
  progress: Progress;
}
