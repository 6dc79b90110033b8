import { expect, it } from 'vitest';
import { countSegments } from './segments.ts';
import { codeTextOf, linkTextOf, type PaymentFacts, textOf } from './words.ts';

const FACTS: PaymentFacts = {
  businessName: 'Demo Diner',
  amount: { amountCents: 4_250, currency: 'USD' },
  brand: 'VISA',
  lastFour: '4242',
  wallet: null,
  orderId: 'order_1001',
  at: new Date('2026-07-04T18:05:00Z'),
  timeZone: 'America/New_York',
  language: 'en-US',
};

it('a receipt names the merchant, the amount, the card, the order, and the merchant’s local time', () => {
  expect(textOf('receipt', FACTS)).toBe(
    'Demo Diner: you paid $42.50 with Visa ending 4242. Order order_1001. Jul 4, 2026, 2:05 PM EDT. Reply STOP to opt out.',
  );
});

it.each([
  ['apple_pay', 'en-US', ' with Apple Pay. '],
  ['google_pay', 'en-US', ' with Google Pay. '],
  ['apple_pay', 'es-MX', ' con Apple Pay. '],
  ['apple_pay', 'fr-FR', ' par Apple Pay. '],
  ['apple_pay', 'de-DE', ' per Apple Pay. '],
] as const)(
  'a payment by %s is called so in %s, not by the number that the wallet has for its card',
  (wallet, language, said) => {
    const text = textOf('receipt', { ...FACTS, wallet, language });
    expect(text).toContain(said);
    expect(text).not.toContain('4242');
  },
);

it.each([
  ['en-US', 'you paid $50.15 (tip of $7.65 included) with Visa'],
  ['de-DE', '50,15 $ (mit 7,65 $ Trinkgeld) bezahlt'],
  ['fr-FR', 'de 50,15 $ (dont 7,65 $ de pourboire) par'],
  ['es-US', 'pago de $50.15 (con $7.65 de propina) con'],
])('a receipt names the tip in the amount (%s)', (language, words) => {
  const amount = { amountCents: 5_015, currency: 'USD' } as const;
  const text = textOf('receipt', { ...FACTS, amount, tipCents: 765, language });
  expect(text.replaceAll('US', '')).toContain(words);
});

it.each([
  ['en-US', '$23.00 (tip of $3.00 included) ($22.50 left to pay)'],
  ['de-DE', '23,00 $ (mit 3,00 $ Trinkgeld) (noch offen: 22,50 $)'],
  ['fr-FR', '23,00 $ (dont 3,00 $ de pourboire) (reste 22,50 $ à payer)'],
  ['es-US', '$23.00 (con $3.00 de propina) (quedan $22.50 por pagar)'],
])('a receipt says what a partial payment leaves (%s)', (language, words) => {
  const amount = { amountCents: 2_300, currency: 'USD' } as const;
  const facts = { ...FACTS, amount, tipCents: 300, remainingCents: 2_250, language };
  expect(textOf('receipt', facts).replaceAll('US', '')).toContain(words);
  expect(textOf('not_charged', facts)).not.toMatch(/22[.,]50/);
});

it.each([
  ['en-US', 'could not be collected after all. You were not charged, so it is not paid. Reply STOP'],
  ['de-DE', 'konnte doch nicht eingezogen werden. Es wurde nichts abgebucht, der Betrag ist also noch offen.'],
  ['fr-FR', "n'a finalement pas abouti. Rien n'a été débité, le montant reste donc à payer."],
  ['es-US', 'finalmente no se pudo cobrar. No se le ha cobrado nada, por lo que sigue pendiente.'],
])('a text about a payment or hold that could not be collected says that it is not paid (%s)', (language, words) => {
  const text = textOf('not_collected', { ...FACTS, language, isHold: true, remainingCents: 2_250 });
  expect(text).toContain(words);
  expect(text).not.toMatch(/22[.,]50/);
});

it('leaves out unknown facts', () => {
  const facts = { ...FACTS, brand: null, lastFour: null, orderId: null, timeZone: 'UTC' };
  expect(textOf('receipt', facts)).toBe(
    'Demo Diner: you paid $42.50. Jul 4, 2026, 6:05 PM UTC. Reply STOP to opt out.',
  );
});

it.each([
  ['es-MX', /^Demo Diner: pago de USD? ?\$?42[.,]50.* con Visa terminada en 4242\. Pedido order_1001\./],
  ['fr-CA', /^Demo Diner : paiement de 42,50 \$ US par Visa se terminant par 4242\. Commande order_1001\./],
  ['de-DE', /^Demo Diner: 42,50 \$ bezahlt per Visa mit Endziffern 4242\. Bestellung order_1001\. 4\. Juli 2026/],
  ['tlh', /^Demo Diner: you paid \$42\.50/],
])('in %s', (language, words) => {
  expect(textOf('receipt', { ...FACTS, language })).toMatch(words);
});

it('a usual English receipt is one segment of GSM-7, without Intl’s typographic spaces', () => {
  for (const kind of ['receipt', 'not_charged'] as const) {
    expect(countSegments(textOf(kind, FACTS))).toEqual({ encoding: 'GSM-7', segments: 1 });
  }
});

it.each([
  ['AMERICAN_EXPRESS', 'American Express'],
  ['DINERS_CLUB', 'Diners Club'],
  ['JCB', 'JCB'],
  ['UNIONPAY', 'UnionPay'],
  ['EFTPOS_AU', 'Eftpos Au'],
  ['UNKNOWN', 'card'],
  ['OTHER_BRAND', 'card'],
])('names a card of %s as people do: %s', (brand, name) => {
  expect(textOf('receipt', { ...FACTS, brand })).toContain(` with ${name} ending 4242.`);
});

it.each(['en-US', 'en-GB', 'es-ES', 'es-MX', 'fr-FR', 'fr-CA', 'de-DE', 'de-AT'])(
  'no word of ours in %s, in no month and nowhere, is beyond GSM-7',
  (language) => {
    for (const timeZone of ['America/New_York', 'America/St_Johns', 'Europe/Paris', 'Asia/Kolkata', 'UTC']) {
      for (let month = 0; month < 12; month += 1) {
        const facts = { ...FACTS, language, timeZone, at: new Date(Date.UTC(2026, month, 21, 18, 5)) };
        for (const kind of ['receipt', 'not_charged', 'not_collected', 'late_receipt'] as const) {
          const text = textOf(kind, facts);
          expect({ text, ...countSegments(text) }).toMatchObject({ encoding: 'GSM-7' });
        }
      }
    }
  },
);

const LINK = 'https://ringkey.example.com/p/u4jhvmgnzged';
const LINK_FACTS = { businessName: 'Demo Diner', amount: FACTS.amount, link: LINK, language: 'en-US' };

it.each([
  ['en-US', `Demo Diner: pay $42.50 here: ${LINK} Reply STOP to opt out.`],
  ['es-MX', `Demo Diner: pague USD 42.50 en ${LINK} Responda STOP para no recibir mensajes.`],
  ['fr-CA', `Demo Diner : payez 42,50 $ US sur ${LINK} Répondez STOP pour ne plus rien recevoir.`],
  ['de-DE', `Demo Diner: Bitte zahlen Sie 42,50 $ hier: ${LINK} Mit STOP abbestellen.`],
  ['tlh', `Demo Diner: pay $42.50 here: ${LINK} Reply STOP to opt out.`],
])('a pay link in %s', (language, words) => {
  expect(linkTextOf({ ...LINK_FACTS, language })).toBe(words);
});

it.each([
  ['en-US', `Demo Diner: save your card here: ${LINK} Reply STOP to opt out.`],
  ['es-MX', `Demo Diner: guarde su tarjeta en ${LINK} Responda STOP para no recibir mensajes.`],
  ['fr-CA', `Demo Diner : enregistrez votre carte sur ${LINK} Répondez STOP pour ne plus rien recevoir.`],
  ['de-DE', `Demo Diner: Bitte speichern Sie Ihre Karte hier: ${LINK} Mit STOP abbestellen.`],
])('a link to save a card in %s names no amount and is one segment', (language, words) => {
  const text = linkTextOf({ ...LINK_FACTS, language, purpose: 'save_card' });
  expect(text).toBe(words);
  expect(countSegments(text)).toMatchObject({ segments: 1, encoding: 'GSM-7' });
});

it.each(['en-US', 'en-GB', 'es-ES', 'es-MX', 'fr-FR', 'fr-CA', 'de-DE', 'de-AT'])(
  'a pay link in %s is one segment, whatever the amount, for a name of 30 characters',
  (language) => {
    for (const currency of ['USD', 'EUR', 'GBP', 'CAD', 'AUD'] as const) {
      for (const amountCents of [1, 4_250, 99_999_999]) {
        const businessName = 'Café Müller & Söhne, Nürnberg ';
        const text = linkTextOf({ ...LINK_FACTS, language, businessName, amount: { amountCents, currency } });
        expect({ text, ...countSegments(text) }).toMatchObject({ encoding: 'GSM-7', segments: 1 });
      }
    }
  },
);

it.each([
  ['en-US', 'Demo Diner: 012345 is your code for the payment page. Do not share it.'],
  ['es-MX', 'Demo Diner: 012345 es su clave para pagar en la web. No la dé a nadie.'],
  ['fr-CA', 'Demo Diner : 012345 est votre code pour la page de paiement. Ne le donnez à personne.'],
  ['de-DE', 'Demo Diner: 012345 ist Ihr Code für die Zahlungsseite. Sagen Sie ihn niemandem.'],
])('a code in %s, whose last line is for the browser', (language, words) => {
  const text = codeTextOf({ businessName: 'Demo Diner', language, host: 'pay.example.com', code: '012345' });
  expect(text).toBe(`${words}\n\n@pay.example.com #012345`);
  expect(countSegments(text)).toMatchObject({ segments: 1, encoding: 'GSM-7' });
});

it('a pay link stays intact whatever the merchant’s name', () => {
  const text = linkTextOf({ ...LINK_FACTS, businessName: `Joe’s\r\nhttps://elsewhere.example ${'x'.repeat(500)}` });
  expect(text).toMatch(/^Joe's https:.* here: https:\/\/ringkey\.example\.com\/p\/u4jhvmgnzged Reply STOP/);
  expect(text.split('\n')).toHaveLength(1);
  expect([...text].length).toBeLessThan(180);
});

it('shortens a long name and removes its line breaks', () => {
  const businessName = `Joe’s\r\n“Diner”\u0007\u2028${'x'.repeat(500)}`;
  const text = textOf('receipt', { ...FACTS, businessName, orderId: 'o'.repeat(500) });
  expect(text).toMatch(/^Joe's "Diner" x+\.\.\.: you paid/);
  expect([...text].length).toBeLessThan(220);
  for (const mark of ['\r', '\n', '\u0007', '\u2028']) expect(text).not.toContain(mark);
});

it('an unknown time zone counts as UTC', () => {
  expect(textOf('receipt', { ...FACTS, timeZone: 'Mars/Olympus' })).toContain('6:05 PM UTC');
});

it.each([
  ['a'.repeat(160), 'GSM-7', 1],
  ['a'.repeat(161), 'GSM-7', 2],
  ['a'.repeat(306), 'GSM-7', 2],
  ['a'.repeat(307), 'GSM-7', 3],
  ['€'.repeat(80), 'GSM-7', 1],
  ['€'.repeat(81), 'GSM-7', 2],
  ['á'.repeat(70), 'UCS-2', 1],
  ['á'.repeat(71), 'UCS-2', 2],
  ['😀'.repeat(35), 'UCS-2', 1],
  ['😀'.repeat(36), 'UCS-2', 2],
])('segments of %j', (text, encoding, segments) => {
  expect(countSegments(text)).toEqual({ encoding, segments });
});
