/** The dependencies of the REST API, wired in `app/`. */
import type { CheckoutDeps } from '../../checkout/create.ts';
import type { ChangeHold } from '../../checkout/hold.ts';
import type { ManualSettlement } from '../../checkout/manual-settlement.ts';
import type { PayLinkDeps } from '../../checkout/pay-link.ts';
import type { Database } from '../../db/pool.ts';
import type { AccountLimits } from '../../domain/account-limits.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { TextLimits } from '../../domain/texts.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { CallProgress, Progress } from '../../notifications/progress/ports.ts';
import type { PaymentRequest, PaymentResult } from '../../payments/charges/take-payment.ts';
import type { Processor } from '../../payments/port/processor.ts';
import type { RefundOrder, RefundResult } from '../../payments/refunds/refund.ts';
import type { LocalRequestsDeps } from './plugins/local-requests.ts';
import type { PressureLimits } from './plugins/unavailable.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { TextReplies } from './routes/text-replies.ts';
import type { ServerDeps } from './server.ts';

export interface ApiDeps
  extends LocalRequestsDeps,
    Omit<
      CheckoutDeps,
      | 'background'
      | 'checkouts'
      | 'canSendLinks'
      | 'takesOnPage'
      | 'takesKeypad'
      | 'canHold'
      | 'canDebit'
      | 'canVerify'
      | 'canChargeAlone'
      | 'canStoreCards'
    >,
    ServerDeps {
  database: Database;
  rateLimiter: RateLimiter;
  /** Tells the process of a call to end it, and reports the changes of sessions. */
  progress: Pick<Progress, 'publish' | 'subscribe'> & Pick<CallProgress, 'subscribeCalls'>;
  /** For the expiry of saved cards. Sessions expire by the clock of the database. */
  now: () => Date;
  /** Null without encryption keys. */
  vault: Vault | null;
  /** Integrators' URLs in test mode can have private addresses (RINGKEY_PRIVATE_TARGETS). */
  privateTargets: boolean;
  /** Only local requests can set such URLs: a demo on the user's own machine. Off by default. */
  privateTargetsLocally?: boolean;
  /** The base URL of pay links in a mode. Null if none can be created. */
  linkBase: PayLinkDeps['linkBase'];
  /** Called when a request has queued a text: wakes the workers of all processes. */
  onTextQueued?: () => void;
  processors: readonly Processor[];
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** The one path that refunds a charge. */
  refund: (order: RefundOrder) => Promise<RefundResult>;
  /** The one path that captures or voids a hold. */
  changeHold: ChangeHold;
  /** Manual settlement of charges and refunds. */
  settle: ManualSettlement['settle'];
  /** Called when a card was deleted: wakes the worker of this process, if it has one. */
  onCardDeleted?: () => void;
  /** How long a request waits for the first one with its Idempotency-Key. The default is 10 s. */
  idempotencyWaitMs?: number;
  /** The account of requests without a key, in test mode. Null if there is no keyless demo. */
  demoAccount: AccountId | null;
  /** The demo can be reached from other machines: see plugins/public-demo.ts. Off by default. */
  isPublicDemo?: boolean;
  /** Whether the line can use this voice, `<synthesizer>:<voice>`. */
  mayHaveVoice: (voice: string) => boolean;
  /** RINGKEY_SMS names a carrier, so texts of live mode are sent. */
  hasSmsCarrier: boolean;
  /** When requests are refused with 503. If absent, never. */
  pressure?: PressureLimits;
  /** RINGKEY_TEXTS_…. If absent, the defaults. */
  textLimits?: TextLimits;
  /** RINGKEY_MAX_CALLS_PER_ACCOUNT, RINGKEY_NUMBER_LOOKUPS_…; optional. */
  accountLimits?: AccountLimits;
  /** RINGKEY_PUBLIC_URL. Null or absent without one. */
  publicUrl?: string | null;
  /** A processor's notification was stored: wakes the worker of this process, if it has one. */
  onNotified?: () => void;
  /** SMS carriers whose webhooks are served. If absent, none. */
  textReplies?: TextReplies;
}
