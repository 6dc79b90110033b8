/**
 * Uses up the idempotency key of a charge that Stripe does not have, so that it never will: a request may be under way
 * for a long time. "The idempotency layer compares incoming parameters to those of the original request and errors if
 * they're not the same"; the first request with a key is kept as soon as it was executed, whatever came of it
 * (docs.stripe.com/api/idempotent_requests). A key is known for a day at least, a request is not under way for that
 * long.
 */
import type { ChargeId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { ProcessorAccess } from '../ports.ts';
import type { OpenStripe } from './client.ts';
import { isStripeError } from './errors.ts';

const BURNT_KEY = 'ringkey_lost_charge';

/**
 * `used`: Stripe executed the charge, or whatever came under its key. `in_progress`: it is executing it now. `unknown`:
 * nothing is certain.
 */
export type BurntKey = 'burnt' | 'used' | 'in_progress' | 'unknown';

/** Never throws. */
export async function burnKey(
  open: OpenStripe,
  request: ProcessorAccess & { chargeId: ChargeId; amount: Money },
  signal: AbortSignal,
): Promise<BurntKey> {
  const { chargeId, amount } = request;
  try {
    const stripe = await open(request, signal);
    // Without a card, and not confirmed: it cannot take money, and yet is executed.
    const intent = await stripe.paymentIntents.create(
      {
        amount: amount.amountCents,
        currency: amount.currency.toLowerCase(),
        allowed_payment_method_types: ['card'],
        metadata: { [BURNT_KEY]: chargeId },
      },
      { idempotencyKey: chargeId },
    );
    if (intent.metadata?.[BURNT_KEY] !== chargeId) return 'unknown';
    // For a tidy dashboard. Left open it would do no harm.
    await stripe.paymentIntents
      .cancel(intent.id, { cancellation_reason: 'abandoned' }, { idempotencyKey: `${chargeId}-lost` })
      .catch(() => undefined);
    return 'burnt';
  } catch (error) {
    if (!isStripeError(error)) return 'unknown';
    // Another request with the key is being worked on (docs.stripe.com/error-codes#idempotency-key-in-use). The package
    // gives this error the class of any other: only errors with status 400 get that of their type (stripe-node,
    // generateV1Error).
    if (error.statusCode === 409) return 'in_progress';
    return error.type === 'StripeIdempotencyError' ? 'used' : 'unknown';
  }
}
