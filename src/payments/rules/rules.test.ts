import { expect, test } from 'vitest';
import { newId } from '../../domain/ids.ts';
import { type ChargeFacts, type ChargeRules, type StartRefusal, whyNotCharge } from './rules.ts';

const SESSION: ChargeFacts['session'] = {
  status: 'open',
  verdict: 'required',
  purpose: 'payment',
  capture: 'automatic',
  callerPhone: '+15550101234',
  isOver: false,
  processor: 'sandbox',
  credentials: null,
  screening: { lookup: null, attestations: [] },
  amount: { amountCents: 100 },
};
const CARD: NonNullable<ChargeFacts['card']> = {
  id: newId('Instrument'),
  processor: 'sandbox',
  processorHandle: 'key.sealed',
  handleSealed: true,
  brand: 'VISA',
  lastFour: '4242',
  isCallers: true,
  isChargeable: true,
};
const limit = { attempts: 3, seconds: 60 };
const cards = { cards: 3, seconds: 60 };
const share = { declines: 3, share: 0.5, seconds: 60 };
const RULES: ChargeRules = {
  velocity: {
    caller: limit,
    card: limit,
    origin: limit,
    callerCards: cards,
    originCards: cards,
    callingNumber: share,
    callSource: share,
    merchant: share,
  },
  savedCards: true,
  processors: ['sandbox'],
  holders: [],
  verifiers: [],
  isTokenOf: () => true,
  canOpen: (sealed) => sealed.startsWith('key.'),
};

const NONE = { declines: 0, all: 0 };

interface Change {
  session?: Partial<ChargeFacts['session']>;
  charges?: ChargeFacts['charges'];
  orderCharge?: ChargeFacts['orderCharge'];
  attempts?: Partial<ChargeFacts['attempts']>;
  card?: Partial<typeof CARD> | null;
}

function factsWith(
  { session, charges = [], orderCharge = null, attempts, card = {} }: Change,
  isSaved: boolean,
): ChargeFacts {
  return {
    session: { ...SESSION, ...session },
    charges,
    orderCharge,
    hasConsent: false,
    attempts: {
      caller: 0,
      card: 0,
      origin: 0,
      callerCards: 0,
      originCards: 0,
      callingNumber: NONE,
      callSource: NONE,
      merchant: NONE,
      ...attempts,
    },
    isSaved,
    card: isSaved && card !== null ? { ...CARD, ...card } : null,
  };
}

const failed = (times: number) =>
  Array.from({ length: times }, () => ({
    status: 'failed' as const,
    declineCode: 'do_not_honor' as const,
    duplicateOf: null,
  }));
const refused = (times: number) => failed(times).map((charge) => ({ ...charge, declineCode: null }));
const live = (status: 'succeeded' | 'pending') => ({ status, declineCode: null, duplicateOf: null });

test.each<[StartRefusal | null, Change]>([
  [null, {}],
  ['already_paid', { charges: [...failed(1), live('succeeded')] }],
  ['already_paid', { session: { status: 'complete' } }],
  // Its charge had succeeded, and failed later.
  ['expired', { charges: failed(1), session: { status: 'complete' } }],
  ['in_progress', { charges: [live('pending')], session: { isOver: true } }],
  ['expired', { session: { isOver: true } }],
  ['expired', { session: { status: 'expired' } }],
  ['order_paid', { orderCharge: { status: 'succeeded' } }],
  ['order_in_progress', { orderCharge: { status: 'pending' }, session: { processor: null } }],
  ['expired', { orderCharge: { status: 'succeeded' }, session: { isOver: true } }],
  ['merchant_not_connected', { session: { processor: null } }],
  ['merchant_not_connected', { session: { processor: 'another' } }],
  [null, { charges: failed(4), attempts: { caller: 2, card: 2, origin: 2 } }],
  ['too_many_declines', { charges: failed(5) }],
  [null, { charges: [...failed(4), ...refused(5)] }],
  ['too_many_attempts', { attempts: { caller: 3 } }],
  ['too_many_attempts', { attempts: { card: 3 } }],
  ['too_many_attempts', { attempts: { origin: 3 } }],
  [null, { attempts: { callerCards: 2, originCards: 2 } }],
  ['too_many_attempts', { attempts: { callerCards: 3 } }],
  ['too_many_attempts', { attempts: { originCards: 3 } }],
  ['too_many_attempts', { attempts: { callingNumber: { declines: 3, all: 6 } } }],
  ['too_many_attempts', { attempts: { callSource: { declines: 5, all: 5 } } }],
  [null, { attempts: { callingNumber: { declines: 2, all: 2 }, callSource: { declines: 30, all: 61 } } }],
])('%s, for any card', (reason, change) => {
  expect(whyNotCharge(factsWith(change, false), RULES)).toBe(reason);
  expect(whyNotCharge(factsWith(change, true), RULES)).toBe(reason);
});

test.each<[StartRefusal | null, Change]>([
  [null, { session: { credentials: 'key.sealed' } }],
  [null, { card: { handleSealed: false, processorHandle: 'sandbox_visa' } }],
  ['caller_unknown', { session: { callerPhone: null, processor: null } }],
  ['nothing_to_pay', { session: { verdict: 'none', processor: null } }],
  ['credentials_unreadable', { session: { credentials: 'old.sealed' } }],
  ['card_unknown', { card: null }],
  ['card_of_other_caller', { card: { isCallers: false, processor: 'another', isChargeable: false } }],
  ['card_of_other_processor', { card: { processor: 'another', isChargeable: false } }],
  ['card_not_chargeable', { card: { isChargeable: false }, charges: failed(5) }],
  ['handle_unreadable', { card: { processorHandle: 'old.sealed' } }],
])('%s, for a saved card', (reason, change) => {
  expect(whyNotCharge(factsWith(change, true), RULES)).toBe(reason);
});

test.each<[StartRefusal | null, Change, ChargeFacts['mandate']]>([
  [null, {}, { maxAmountCents: null, agreedPaymentId: null }],
  [null, {}, { maxAmountCents: 100, agreedPaymentId: 'p_1' }],
  ['consent_exceeded', {}, { maxAmountCents: 99, agreedPaymentId: null }],
  ['consent_missing', {}, null],
  ['card_not_chargeable', { card: { isChargeable: false } }, null],
  ['too_many_attempts', { attempts: { card: 3 } }, { maxAmountCents: null, agreedPaymentId: null }],
])('%s, for a saved card without its caller', (reason, change, mandate) => {
  expect(whyNotCharge(Object.assign(factsWith(change, true), { mandate }), RULES)).toBe(reason);
});

test('a merchant with too many declines takes no keyed card, but saved ones', () => {
  const change = { attempts: { merchant: { declines: 3, all: 6 } } };
  expect(whyNotCharge(factsWith(change, false), RULES)).toBe('merchant_paused');
  expect(whyNotCharge(factsWith(change, true), RULES)).toBeNull();
  expect(whyNotCharge(factsWith({ attempts: { merchant: { declines: 3, all: 7 } } }, false), RULES)).toBeNull();
});

test('without saved cards only others are charged', () => {
  const rules = { ...RULES, savedCards: false };
  expect(whyNotCharge(factsWith({}, true), rules)).toBe('saved_cards_off');
  expect(whyNotCharge(factsWith({}, false), rules)).toBeNull();
});

test('a caller whom screening steps up pays with any card but a saved one', () => {
  const attested = (attestation: 'A' | 'C') => ({ source: 'http', attestation, note: null, attestedAtMs: 0 });
  const session = (attestation: 'A' | 'C') => ({ screening: { lookup: null, attestations: [attested(attestation)] } });
  expect(whyNotCharge(factsWith({ session: session('C') }, true), RULES)).toBe('stepped_up');
  expect(whyNotCharge(factsWith({ session: session('C') }, false), RULES)).toBeNull();
  expect(whyNotCharge(factsWith({ session: session('A') }, true), RULES)).toBeNull();
  // No caller is there to be screened.
  const mandate = { maxAmountCents: null, agreedPaymentId: null };
  const alone = Object.assign(factsWith({ session: session('C') }, true), { mandate });
  expect(whyNotCharge(alone, RULES)).toBeNull();
});

test('the rules of saved cards hold for no other card', () => {
  expect(whyNotCharge(factsWith({ session: { callerPhone: null, verdict: 'none' } }, false), RULES)).toBeNull();
});

test('a token that is none of the processor is not sent; other reasons to refuse come first', () => {
  const rules = { ...RULES, isTokenOf: (processor: string) => processor === 'another' };
  expect(whyNotCharge(factsWith({}, false), rules)).toBe('token_unusable');
  expect(whyNotCharge(factsWith({ session: { processor: null } }, false), rules)).toBe('merchant_not_connected');
  expect(whyNotCharge(factsWith({ charges: [live('pending')] }, false), rules)).toBe('in_progress');
  const both = { ...rules, processors: ['another'] };
  expect(whyNotCharge(factsWith({ session: { processor: 'another' } }, false), both)).toBeNull();
});
