/** Finds the field that the line asks for from its words, and masks the keys of the answer in the timeline. */
import type { Field } from '../../flow/terms.ts';

const FIELD_PATTERNS: readonly [Field, RegExp][] = [
  ['part', /to pay a part|para pagar una parte/i],
  ['part_amount', /amount you would like to pay|importe que desea pagar/i],
  ['tip', /no tip|sin propina/i],
  ['method', /pay by card, press one|for a card, or two|press one to pay by card/i],
  ['account_type', /checking/i],
  ['debit_terms', /authorize this, press one/i],
  ['routing_number', /routing number|left of your checks/i],
  ['account_number_again', /account number (again|a second time)/i],
  ['account_number', /account number/i],
  ['keep_card', /without keeping|sin guardarla|if not, press two|si no lo está, marque dos/i],
  ['confirmation', /press two|marque dos/i],
  [
    'security_code',
    /security code|small digits|digits on the (back|front)|código de seguridad|dígitos (pequeños|del (reverso|frente))/i,
  ],
  ['postal_code', /postal code|zip code|código postal/i],
  ['expiry', /expiration|september|the month|vencimiento|septiembre|para el mes/i],
  ['card_number', /card number|long number|another card|número de (su )?tarjeta|número largo|otra tarjeta/i],
];
/** The start of a question, as opposed to a remark about the previous keys; in English and Spanish. */
const REQUEST_START =
  /^(now (the|your)|to pay by card|to pay the full|para pagar el total|press one for|for a checking|press one if this is|please press one for|if you authorize|to be sure|on your keypad|please enter|or enter|once more|to use another card|to pay without|for no tip|if not, press|ahora (la|el)|por favor, marque|en su teclado|marque por favor|o marque (el|su) número|una vez más|para usar otra|para pagar sin|sin propina|si no lo está, marque)/i;

/** The field that a sentence asks for; null if it is no question. */
export function fieldAskedFor(text: string): Field | null {
  return (REQUEST_START.test(text) && FIELD_PATTERNS.find(([, pattern]) => pattern.test(text))?.[0]) || null;
}

/**
 * A key sequence as the timeline may show it: the last four digits of a card number, and only the number of keys for
 * other fields.
 */
export function maskKeys(field: Field, keys: string): string {
  if (field === 'part' || field === 'method' || field === 'account_type' || field === 'debit_terms') return keys;
  const digits = keys.replace(/[*#]/g, '').length;
  if (field === 'confirmation' || field === 'keep_card' || field === 'tip' || keys === '##' || keys === '1')
    return keys;
  const stars = keys.endsWith('**') ? ' **' : keys.endsWith('*') ? ' *' : '';
  const shown =
    field === 'card_number' && digits >= 15 && digits <= 16
      ? `${'•'.repeat(digits - 4)}${keys.slice(-4)}`
      : '•'.repeat(digits);
  return `${shown}${stars}`;
}
