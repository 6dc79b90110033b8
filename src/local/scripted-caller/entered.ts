/** What the caller enters instead of the script's own digits: the test cards and accounts of another processor. */
import { TEST_ROUTING_NUMBER } from '../../payments/sandbox/bank-accounts.ts';
import {
  DECLINED_CARD,
  EVERYTHING,
  FUTURE_EXPIRY,
  GOOD_CARD,
  POSTAL_CODE,
  type Script,
  SECURITY_CODE,
} from './scripts.ts';

/** `declined_…`: with each card that the script expects to be declined. */
const DIGITS = {
  card: /^\d{12,19}$/,
  expiry: /^\d{4}$/,
  security_code: /^\d{3,4}$/,
  postal_code: /^\d{3,10}$/,
  declined_card: /^\d{12,19}$/,
  declined_security_code: /^\d{3,4}$/,
  declined_postal_code: /^\d{3,10}$/,
  routing_number: /^\d{9}$/,
} as const;

export type Entered = Partial<Record<keyof typeof DIGITS, string>>;

export const ENTERED_FIELDS = Object.keys(DIGITS);

/** Adds `field=digits`; null if it has another form. */
export function addEntered(entered: Entered, text: string): Entered | null {
  const [field = '', digits = ''] = text.split('=', 2);
  if (!Object.hasOwn(DIGITS, field)) return null;
  const name = field as keyof Entered;
  return DIGITS[name].test(digits) ? { ...entered, [name]: digits } : null;
}

const AMEX = /^3[47]/;
const AMEX_SECURITY_CODE = '1234';

/** A security code of the length that is on the card. */
export const securityCodeFor = (card: string) => (AMEX.test(card) ? AMEX_SECURITY_CODE : SECURITY_CODE);

/** The script with these digits instead of its own. Mistyped digits stay. */
export function withEntered(script: Script, entered: Entered): Script {
  const { callsBack } = script;
  return {
    ...script,
    answers: replaced(script.answers, entered),
    ...(callsBack !== undefined && { callsBack: replaced(callsBack, entered) }),
  };
}

function replaced(answers: Script['answers'], entered: Entered): Script['answers'] {
  const { card = GOOD_CARD, expiry = FUTURE_EXPIRY, postal_code: postalCode = POSTAL_CODE } = entered;
  const code = entered.security_code ?? securityCodeFor(card);
  const digits = new Map([
    [GOOD_CARD, card],
    [DECLINED_CARD, entered.declined_card ?? (entered.card === undefined ? DECLINED_CARD : card)],
    [EVERYTHING, `${card}${expiry}${code}`],
    [FUTURE_EXPIRY, expiry],
    [SECURITY_CODE, code],
    [POSTAL_CODE, postalCode],
    [TEST_ROUTING_NUMBER, entered.routing_number ?? TEST_ROUTING_NUMBER],
  ]);
  const changed = Object.entries(answers).map(([field, keys]) => [field, keys.map((one) => digits.get(one) ?? one)]);
  const numbers = answers.card_number ?? [];
  if (!numbers.includes(DECLINED_CARD)) return Object.fromEntries(changed);
  const byCard = (declined: string, other: string) => numbers.map((one) => (one === DECLINED_CARD ? declined : other));
  return {
    ...Object.fromEntries(changed),
    security_code: byCard(entered.declined_security_code ?? code, code),
    postal_code: byCard(entered.declined_postal_code ?? postalCode, postalCode),
  };
}
