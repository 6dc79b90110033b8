import { expect, test } from 'vitest';
import { newId } from '../domain/ids.ts';
import { type BeginRefusal, type ChargeFacts, type ChargeRules, whyNotCharge } from './rules.ts';

const SESSION: ChargeFacts['session'] = {
  ...{ status: 'open', verdict: 'required', callerPhone: '+15550101234' },
  ...{ isOver: false, processor: 'sandbox', credentials: null },
};
const CARD: NonNullable<ChargeFacts['card']> = {
  ...{ id: newId('Instrument'), processor: 'sandbox', processorHandle: 'key.sealed', handleSealed: true },
  ...{ brand: 'VISA', lastFour: '4242', isCallers: true, isChargeable: true },
};
const limit = { attempts: 3, seconds: 60 };
const RULES: ChargeRules = {
  velocity: { caller: limit, card: limit, origin: limit },
  processors: ['sandbox'],
  canOpen: (sealed) => sealed.startsWith('key.'),
};

interface Change {
  session?: Partial<ChargeFacts['session']>;
  charges?: ChargeFacts['charges'];
  attempts?: Partial<ChargeFacts['attempts']>;
  card?: Partial<typeof CARD> | null;
}

function factsWith({ session, charges = [], attempts, card = {} }: Change, isSaved: boolean): ChargeFacts {
  return {
    session: { ...SESSION, ...session },
    charges,
    attempts: { caller: 0, card: 0, origin: 0, ...attempts },
    isSaved,
    card: isSaved && card !== null ? { ...CARD, ...card } : null,
  };
}

const failed = (times: number) => Array.from({ length: times }, () => ({ status: 'failed' as const }));

test.each<[BeginRefusal | null, Change]>([
  [null, {}],
  ['already_paid', { charges: [...failed(1), { status: 'succeeded' }] }],
  ['already_paid', { session: { status: 'complete' } }],
  ['in_progress', { charges: [{ status: 'pending' }], session: { isOver: true } }],
  ['expired', { session: { isOver: true } }],
  ['expired', { session: { status: 'expired' } }],
  ['merchant_not_connected', { session: { processor: null } }],
  ['merchant_not_connected', { session: { processor: 'another' } }],
  [null, { charges: failed(4), attempts: { caller: 2, card: 2, origin: 2 } }],
  ['too_many_declines', { charges: failed(5) }],
  ['too_many_attempts', { attempts: { caller: 3 } }],
  ['too_many_attempts', { attempts: { card: 3 } }],
  ['too_many_attempts', { attempts: { origin: 3 } }],
])('%s, for any card', (reason, change) => {
  expect(whyNotCharge(factsWith(change, false), RULES)).toBe(reason);
  expect(whyNotCharge(factsWith(change, true), RULES)).toBe(reason);
});

test.each<[BeginRefusal | null, Change]>([
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

test('the rules of saved cards hold for no other card', () => {
  expect(whyNotCharge(factsWith({ session: { callerPhone: null, verdict: 'none' } }, false), RULES)).toBeNull();
});
