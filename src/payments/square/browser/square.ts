/**
 * Square's fields on the pay page: the Web Payments SDK (developer.squareup.com/reference/sdks/web/payments).
 * `tokenize` with the payment's details runs 3-D Secure itself, so nothing is left to do after the charge.
 */
import type {
  ApplePay,
  Card,
  CardClassSelectors,
  GooglePay,
  PaymentRequest,
  Payments,
  TokenResult,
} from '@square/web-payments-sdk-types';
import type { Fields, Places, Tools } from '../../browser/fields.ts';
import type { FieldError, FieldsConfig, PageWallet, Tokenized } from '../../port/page-fields.ts';

type OnWallet = (result: Tokenized) => void;

window.ringkeyFields = {
  create(config, tools): Fields {
    let card: Card | undefined;
    return {
      async mount(places, onWallet) {
        const payments = await openPayments(config, tools);
        card = await payments.card({ style: cardStyle() });
        await card.attach(places.card);
        if (config.wallets && config.country !== null) await addWallets(payments, config, places, onWallet);
      },
      async tokenize({ keepsCard }) {
        if (card === undefined) return { error: 'unavailable' };
        const field = card;
        const payer = { billingContact: {}, customerInitiated: true, sellerKeyedIn: false };
        if (config.savesOnly) return tokenOf(() => field.tokenize({ intent: 'STORE', ...payer }));
        return tokenOf(() =>
          field.tokenize({
            amount: config.amount,
            currencyCode: config.currency,
            intent: keepsCard ? 'CHARGE_AND_STORE' : 'CHARGE',
            ...payer,
          }),
        );
      },
      act: async () => 'not_shown',
    };
  },
};

async function openPayments(
  { scripts, publicKey, locationId, language }: FieldsConfig,
  tools: Tools,
): Promise<Payments> {
  for (const script of scripts) await tools.loadScript(script);
  if (window.Square === undefined) throw new Error('no Square');
  const payments = window.Square.payments(publicKey, locationId ?? undefined);
  // Some applications do not support this. Then the field has the browser's language.
  await payments.setLocale(language).catch(() => undefined);
  return payments;
}

/** The page's design in Square's terms. */
function cardStyle(): CardClassSelectors {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  const danger = color('--bad', '#a12d1b');
  return {
    input: { fontSize: '16px', color: color('--ink', '#15201b'), backgroundColor: color('--slip', '#ffffff') },
    'input::placeholder': { color: color('--quiet', '#55615b') },
    'input.is-error': { color: danger },
    '.input-container': { borderColor: color('--edge', '#77847d'), borderRadius: '8px' },
    '.input-container.is-focus': { borderColor: color('--accent', '#0b6b53') },
    '.input-container.is-error': { borderColor: danger },
    '.message-text.is-error': { color: danger },
  };
}

async function addWallets(
  payments: Payments,
  { country, currency, amount, businessName }: FieldsConfig,
  { wallets: place }: Places,
  onWallet: OnWallet,
): Promise<void> {
  const request = payments.paymentRequest({
    countryCode: country ?? '',
    currencyCode: currency,
    total: { amount, label: businessName },
  });
  const added = [
    await addApplePay(payments, request, place, onWallet),
    await addGooglePay(payments, request, place, onWallet),
  ];
  place.hidden = !added.includes(true);
}

/** @returns false if this browser or this merchant does not support it: the SDK throws */
async function addApplePay(payments: Payments, request: PaymentRequest, place: HTMLElement, onWallet: OnWallet) {
  const wallet = await payments.applePay(request).catch(() => null);
  if (wallet === null) return false;
  // Square leaves the button to the page, and Safari draws it (developer.apple.com/documentation/apple_pay_on_the_web).
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'apple-pay';
  button.setAttribute('aria-label', 'Apple Pay');
  button.style.setProperty('-webkit-appearance', '-apple-pay-button');
  button.style.setProperty('width', '100%');
  button.style.setProperty('height', '48px');
  place.append(button);
  payBy(wallet, 'apple_pay', button, onWallet);
  return true;
}

async function addGooglePay(payments: Payments, request: PaymentRequest, place: HTMLElement, onWallet: OnWallet) {
  const wallet = await payments.googlePay(request).catch(() => null);
  if (wallet === null) return false;
  const holder = document.createElement('div');
  holder.id = 'google-pay';
  place.append(holder);
  await wallet.attach(holder, { buttonSizeMode: 'fill', buttonType: 'long' });
  payBy(wallet, 'google_pay', holder, onWallet);
  return true;
}

/** For online payments Square does not report the wallet, so the pressed button does. */
function payBy(method: ApplePay | GooglePay, wallet: PageWallet, button: HTMLElement, onWallet: OnWallet): void {
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    const result = await tokenOf(() => method.tokenize());
    onWallet('error' in result ? result : { ...result, wallet });
  });
}

async function tokenOf(ask: () => Promise<TokenResult>): Promise<Tokenized> {
  try {
    const result = await ask();
    switch (result.status) {
      case 'OK':
        return { token: result.token };
      case 'Invalid':
        return { error: 'incomplete' };
      case 'Error':
        return { error: kindOf(result.errors) };
      case 'Abort':
      case 'Cancel':
        return { error: 'canceled' };
      default:
        return { error: 'unavailable' };
    }
  } catch (error) {
    const errors = (error as { errors?: unknown }).errors;
    return { error: Array.isArray(errors) ? kindOf(errors) : 'unavailable' };
  }
}

const UNVERIFIED = /VERIFICATION_REQUIRED|verif|challenge/i;
const FIELD = /^(cardNumber|cvv|expirationDate|postalCode)$/;

/** Errors have a type and a message, and a field if the card is wrong. */
function kindOf(errors: readonly object[]): FieldError {
  const parts = errors.map((error) => error as { type?: string; code?: string; message?: string; field?: string });
  if (parts.some(({ field }) => FIELD.test(field ?? ''))) return 'incomplete';
  const isUnverified = parts.some(({ type, code, message }) => UNVERIFIED.test(`${type} ${code} ${message}`));
  return isUnverified ? 'not_verified' : 'unavailable';
}
