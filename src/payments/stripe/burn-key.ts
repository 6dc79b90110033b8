/**
 * Uses up the idempotency key of a charge that Stripe does not have, so that it never will: a request may still be on
 * its way. "The idempotency layer compares incoming parameters to those of the original request and errors if they're
 * not the same". The first executed request with a key is stored, whatever its outcome
 * (docs.stripe.com/api/idempotent_requests). A key is remembered for at least a day, much longer than a request is on
 * its way.
 */
import type { ChargeId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { OpenStripe } from './client.ts';
import { isStripeError } from './errors.ts';

const BURNT_KEY = 'ringkey_lost_charge';

/**
 * `used`: Stripe executed a request with this key. `in_progress`: it is executing one. `unknown`: nothing is certain.
 */
type BurntKey = 'burnt' | 'used' | 'in_progress' | 'unknown';

/** Never throws. */
export async function burnKey(
  open: OpenStripe,
  request: ProcessorAccess & { chargeId: ChargeId; amount: Money; isVerification?: boolean },
  signal: AbortSignal,
): Promise<BurntKey> {
  const { chargeId, amount } = request;
  try {
    const stripe = await open(request, signal);
    const key = { idempotencyKey: chargeId };
    // Without a card and not confirmed, it cannot take money, but it is executed.
    const draft = { allowed_payment_method_types: ['card' as const], metadata: { [BURNT_KEY]: chargeId } };
    const intents = request.isVerification ? stripe.setupIntents : stripe.paymentIntents;
    const intent = request.isVerification
      ? await stripe.setupIntents.create(draft, key)
      : await stripe.paymentIntents.create(
          { ...draft, amount: amount.amountCents, currency: amount.currency.toLowerCase() },
          key,
        );
    if (intent.metadata?.[BURNT_KEY] !== chargeId) return 'unknown';
    // For a tidy dashboard. An open intent would do no harm.
    await intents
      .cancel(intent.id, { cancellation_reason: 'abandoned' }, { idempotencyKey: `${chargeId}-lost` })
      .catch(() => undefined);
    return 'burnt';
  } catch (error) {
    if (!isStripeError(error)) return 'unknown';
    // Another request with the key is being processed (docs.stripe.com/error-codes#idempotency-key-in-use). The package
    // uses the class of other errors for it: only errors with status 400 get the class of their type (stripe-node,
    // generateV1Error).
    if (error.statusCode === 409) return 'in_progress';
    return error.type === 'StripeIdempotencyError' ? 'used' : 'unknown';
  }
}
