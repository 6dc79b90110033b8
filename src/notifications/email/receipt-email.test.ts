import { expect, it } from 'vitest';
import { parseId } from '../../domain/ids.ts';
import { type ReceiptFacts, receiptEmail } from './receipt-email.ts';

const chargeId = parseId('Charge', 'ch_x6ueh4kxj94cewxy97eft8edv6');
if (chargeId === null) throw new Error('no charge ID');

const FACTS: ReceiptFacts = {
  kind: 'receipt',
  chargeId,
  orderId: 'order_1001',
  amountCents: 4_250,
  tipCents: 0,
  remainingCents: 0,
  currency: 'USD',
  isHold: false,
  paymentMethod: 'card',
  brand: 'VISA',
  lastFour: '4242',
  wallet: null,
  lineItems: [{ name: 'Margherita', quantity: 2, amountCents: 2_125 }],
  at: new Date('2026-07-04T18:05:00Z'),
  businessName: 'Demo Diner',
  language: 'en-US',
  timeZone: 'America/New_York',
  branding: null,
};

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

it('has the items, the amount, the order, the card, the merchant’s local time and the reference', () => {
  const { subject, text } = receiptEmail(FACTS);
  expect(subject).toBe('Your receipt from Demo Diner: $42.50');
  expect(plain(text)).toBe(`Paid
Thank you. Demo Diner has received your payment.

Margherita × 2: $42.50
Amount: $42.50
Order: order_1001
Card: Visa ending 4242
Date: July 4, 2026 at 2:05 PM EDT
Reference: ch_x6ueh4kxj94cewxy97eft8edv6

You get this email because you gave Demo Diner your address for a receipt.
`);
});

it('escapes what merchants write, and shows their support contacts and color', () => {
  const branding = {
    accentColor: '#336699',
    supportPhone: '+15550100001',
    supportEmail: 'help@example.com',
    termsUrl: null,
    privacyUrl: null,
  } as ReceiptFacts['branding'];
  const { html, text } = receiptEmail({ ...FACTS, businessName: '<b>Diner</b>', branding });
  expect(html).not.toContain('<b>');
  expect(html).toContain('&lt;b&gt;Diner');
  expect(html).toContain('color:#336699');
  expect(text).toContain('Questions about this payment? +15550100001 · help@example.com');
});

it('calls a hold a hold, and a failed one not charged', () => {
  expect(receiptEmail({ ...FACTS, isHold: true }).text).toContain('You have not been charged yet.');
  const failed = receiptEmail({ ...FACTS, isHold: true, kind: 'not_charged' }).text;
  expect(failed).toContain('You were not charged.');
  expect(failed).not.toContain('4242');
});

it('names the bank account of a debit by its last digits', () => {
  const debit = { ...FACTS, paymentMethod: 'us_bank_account', brand: null, lastFour: '7771' } as const;
  expect(receiptEmail(debit).text).toContain('Bank account: Account ending 7771\n');
  const returned = receiptEmail({ ...debit, kind: 'debit_returned', remainingCents: 500 });
  expect(returned.subject).toBe('Demo Diner: your bank returned your payment of $42.50');
  expect(plain(returned.text)).toMatch(
    /so it is not paid\.[\s\S]*Total: \$42\.50\n[\s\S]*Bank account: Account ending 7771/,
  );
  expect(returned.text).not.toContain('Left to pay');
});

it('corrects the receipt of a payment or a hold that could not be collected', () => {
  const { subject, text } = receiptEmail({ ...FACTS, kind: 'not_collected', isHold: true });
  expect(subject).toBe('Demo Diner: your payment of $42.50 could not be collected');
  expect(text).toContain('You were not charged, so it is not paid.');
  expect(text).toContain('Card: Visa ending 4242');
});

it('has what a partial payment leaves', () => {
  const { text } = receiptEmail({ ...FACTS, amountCents: 2_000, remainingCents: 2_250 });
  expect(text).toContain('Amount: $20.00\nLeft to pay: $22.50\n');
});

it('has the tip beside the amount', () => {
  const { text } = receiptEmail({ ...FACTS, amountCents: 5_015, tipCents: 765 });
  expect(text).toContain('Amount: $50.15\nincluding a tip of: $7.65\n');
});

it('shows a wallet by its name, not the number that the wallet has for its card', () => {
  const { text } = receiptEmail({ ...FACTS, wallet: 'apple_pay' });
  expect(text).toContain('Card: Apple Pay');
  expect(text).not.toContain('4242');
});

it.each([
  ['de-DE', 'Ihr Beleg von Demo Diner: 42,50 $', 'Bestellung: order_1001'],
  ['es-MX', 'Su recibo de Demo Diner: USD 42.50', 'Pedido: order_1001'],
  ['fr-FR', 'Votre reçu de Demo Diner : 42,50 $US', 'Commande : order_1001'],
  ['tlh', 'Your receipt from Demo Diner: $42.50', 'Order: order_1001'],
])('is in the caller’s language: %s', (language, subject, order) => {
  const email = receiptEmail({ ...FACTS, language });
  expect(plain(email.subject)).toBe(subject);
  expect(plain(email.text)).toContain(order);
  expect(email.html).toContain(`<html lang="${language}">`);
});

it.each(['en', 'de', 'es', 'fr'])(
  'says in %s that a card was only saved, or not saved, without an amount',
  (language) => {
    const saved = receiptEmail({ ...FACTS, language, amountCents: 0, orderId: null, lineItems: [] });
    const not = receiptEmail({ ...FACTS, language, amountCents: 0, orderId: null, lineItems: [], kind: 'not_charged' });
    expect(saved.subject).toMatch(/saved|gespeichert|guardado|enregistrée/);
    expect(not.subject).toMatch(/not saved|nicht gespeichert|no se ha guardado|n’a pas été enregistrée/);
    expect(saved.text).toContain('4242');
    for (const { subject, text, html } of [saved, not]) expect(subject + text + html).not.toMatch(/\b0[.,]00\b/);
  },
);
