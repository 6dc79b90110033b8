/** What the REST API is given by `app/`. */
import type { CheckoutDeps } from '../../checkout/create.ts';
import type { ManualSettlement } from '../../checkout/manual-settlement.ts';
import type { PayLinkDeps } from '../../checkout/pay-link.ts';
import type { Database } from '../../db/pool.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { TextLimits } from '../../domain/text-limits.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Progress } from '../../notifications/progress/ports.ts';
import type { Processor } from '../../payments/ports.ts';
import type { RefundOrder, RefundResult } from '../../payments/refund.ts';
import type { PaymentRequest, PaymentResult } from '../../payments/take-payment.ts';
import type { LocalRequestsDeps } from './plugins/local-requests.ts';
import type { PressureLimits } from './plugins/unavailable.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { TextReplies } from './routes/text-replies.ts';
import type { ServerDeps } from './server.ts';

export interface ApiDeps
  extends LocalRequestsDeps,
    Omit<CheckoutDeps, 'background' | 'checkouts' | 'canSendLinks' | 'takesKeypad'>,
    ServerDeps {
  database: Database;
  rateLimiter: RateLimiter;
  /** Tells the process of a call that it is to end. */
  progress: Pick<Progress, 'publish'>;
  /** By which saved cards expire. A session's end is judged by the clock of the database. */
  now: () => Date;
  /** Null where no encryption keys are set. */
  vault: Vault | null;
  /** Integrators' URLs of test mode may lead to private addresses, too (RINGKEY_PRIVATE_TARGETS). */
  privateTargets: boolean;
  /** They may by local requests only: a demo on its user's own machine. Off where not given. */
  privateTargetsLocally?: boolean;
  /** The address that pay links of a mode begin with; null where none can be made. */
  linkBase: PayLinkDeps['linkBase'];
  /** A text was queued by a request: wakes the workers of all processes. */
  onTextQueued?: () => void;
  processors: readonly Processor[];
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** The one path that refunds a charge. */
  refund: (order: RefundOrder) => Promise<RefundResult>;
  /** Manual settlement of charges and refunds. */
  settle: ManualSettlement['settle'];
  /** A card was deleted: wakes the worker of this process, where there is one. */
  onCardDeleted?: () => void;
  /** How long a request waits for the first one with its Idempotency-Key; 10 s where not given. */
  idempotencyWaitMs?: number;
  /** The account of requests without a key, in test mode; null where there is no keyless demo. */
  demoAccount: AccountId | null;
  /** The demo can be reached from other machines: see plugins/public-demo.ts. Off where not given. */
  isPublicDemo?: boolean;
  /** Whether callers can be spoken to in this voice, `<synthesizer>:<voice>`. */
  mayHaveVoice: (voice: string) => boolean;
  /** RINGKEY_SMS names a carrier: texts of live mode go out. */
  hasSmsCarrier: boolean;
  /** Requests are refused while the process is held up; none are, where not given. */
  pressure?: PressureLimits;
  /** RINGKEY_TEXTS_…; the defaults where not given. */
  textLimits?: TextLimits;
  /** SMS carriers whose webhooks are served; none where not given. */
  textReplies?: TextReplies;
}
