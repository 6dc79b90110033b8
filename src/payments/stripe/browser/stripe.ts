/**
 * Stripe's fields on the pay page: Elements with a deferred intent
 * (docs.stripe.com/payments/finalize-payments-on-the-server). They create a ConfirmationToken, which our server
 * confirms, so the browser moves no money.
 */
import type {
  Appearance,
  Stripe,
  StripeElementLocale,
  StripeElements,
  StripeError,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js';
import type { Fields, Places, Tools } from '../../browser/fields.ts';
import type { FieldError, FieldsConfig, PageWallet, Tokenized } from '../../port/page-fields.ts';

window.ringkeyFields = {
  create(config, tools): Fields {
    let opened: { stripe: Stripe; elements: StripeElements } | undefined;
    return {
      async mount(places, onWallet) {
        const stripe = await openStripe(config, tools);
        const elements = stripe.elements(elementsOptions(config));
        if (config.wallets) addWallets(stripe, elements, places, onWallet);
        await addCardField(elements, places.card, config);
        opened = { stripe, elements };
      },
      async tokenize({ keepsCard }) {
        if (opened === undefined) return { error: 'unavailable' };
        // A SetupIntent always saves the card.
        if (!config.savesOnly) await opened.elements.update({ setupFutureUsage: keepsCard ? 'off_session' : null });
        return makeToken(opened.stripe, opened.elements);
      },
      async act({ clientSecret }) {
        try {
          const stripe = opened?.stripe ?? (await openStripe(config, tools));
          const { error } = await stripe.handleNextAction({ clientSecret });
          if (error === undefined) return 'done';
          return ANSWERED.test(error.code ?? '') ? 'refused' : 'not_shown';
        } catch {
          return 'not_shown';
        }
      },
    };
  },
};

/** The bank has its answer, from this window or another one (docs.stripe.com/error-codes). */
const ANSWERED = /^(?:payment|setup)_intent_(?:authentication_failure|unexpected_state)$/;

async function openStripe({ scripts, publicKey, locationId, language }: FieldsConfig, tools: Tools): Promise<Stripe> {
  for (const script of scripts) await tools.loadScript(script);
  if (window.Stripe === undefined) throw new Error('no Stripe');
  const locale = language as StripeElementLocale;
  return window.Stripe(publicKey, { locale, ...(locationId !== null && { stripeAccount: locationId }) });
}

const elementsOptions = ({ amountCents, currency, language, savesOnly }: FieldsConfig) => ({
  ...(savesOnly ? { mode: 'setup' as const } : { mode: 'payment' as const, amount: amountCents }),
  currency: currency.toLowerCase(),
  allowedPaymentMethodTypes: ['card'],
  locale: language as StripeElementLocale,
  appearance: appearance(),
});

/** The page's design in Stripe's terms. */
function appearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const colors = {
    colorPrimary: color('--accent'),
    colorText: color('--ink'),
    colorDanger: color('--bad'),
    colorBackground: color('--slip'),
  };
  const known = Object.entries(colors).filter(([, value]) => value !== '');
  return {
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe',
    disableAnimations: matchMedia('(prefers-reduced-motion: reduce)').matches,
    variables: { ...Object.fromEntries(known), fontFamily: 'system-ui, sans-serif', fontSizeBase: '16px' },
  };
}

/** The page asks for the consent to save the card itself, and wallets have their own element: both are off here. */
function addCardField(elements: StripeElements, place: HTMLElement, { businessName }: FieldsConfig): Promise<void> {
  const element = elements.create('payment', {
    layout: 'tabs',
    business: { name: businessName },
    terms: { card: 'never' },
    wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
  });
  return new Promise((resolve, reject) => {
    element.on('ready', () => resolve());
    element.on('loaderror', ({ error }) => reject(new Error(error.type)));
    element.mount(place);
  });
}

const WALLETS: Readonly<Record<string, PageWallet>> = { apple_pay: 'apple_pay', google_pay: 'google_pay' };

function addWallets(
  stripe: Stripe,
  elements: StripeElements,
  { wallets: place }: Places,
  onWallet: (result: Tokenized) => void,
): void {
  const element = elements.create('expressCheckout', {
    buttonHeight: 48,
    paymentMethods: { applePay: 'auto', googlePay: 'auto', ...NO_OTHERS },
  });
  element.on('ready', ({ availablePaymentMethods }) => {
    place.hidden = availablePaymentMethods === undefined;
  });
  element.on('loaderror', () => {
    place.hidden = true;
  });
  let updated = Promise.resolve();
  element.on('click', (event) => {
    // A wallet's card is never saved. Apple Pay opens only within the click, so the update is awaited later.
    updated = elements.update({ setupFutureUsage: null });
    event.resolve();
  });
  element.on('cancel', () => onWallet({ error: 'canceled' }));
  element.on('confirm', async (event) => {
    await updated;
    onWallet(await walletToken(stripe, elements, event));
  });
  place.hidden = false;
  element.mount(place);
}

const NO_OTHERS = { link: 'never', paypal: 'never', amazonPay: 'never', klarna: 'never' } as const;

async function walletToken(
  stripe: Stripe,
  elements: StripeElements,
  event: StripeExpressCheckoutElementConfirmEvent,
): Promise<Tokenized> {
  const result = await makeToken(stripe, elements);
  const wallet = WALLETS[event.expressPaymentType];
  if ('error' in result) event.paymentFailed({ reason: 'fail' });
  return 'error' in result || wallet === undefined ? result : { ...result, wallet };
}

async function makeToken(stripe: Stripe, elements: StripeElements): Promise<Tokenized> {
  try {
    const submitted = await elements.submit();
    if (submitted.error !== undefined) return { error: kindOf(submitted.error) };
    const { confirmationToken, error } = await stripe.createConfirmationToken({ elements });
    return error === undefined ? { token: confirmationToken.id } : { error: kindOf(error) };
  } catch {
    return { error: 'unavailable' };
  }
}

function kindOf({ type }: StripeError): FieldError {
  if (type === 'validation_error') return 'incomplete';
  return type === 'card_error' ? 'declined' : 'unavailable';
}
