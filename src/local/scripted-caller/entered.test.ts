import { expect, test } from 'vitest';
import { addEntered, withEntered } from './entered.ts';
import { DECLINED_CARD, GOOD_CARD, SCRIPTS } from './scripts.ts';

const ADYEN = { card: '4111111111111111', expiry: '0330', security_code: '737', declined_security_code: '999' };

test('enters another processor’s card wherever the script has its own', () => {
  const { answers } = withEntered(SCRIPTS.mistype, ADYEN);
  expect(answers.card_number).toEqual(['4242424242424241', '4111111111111111']);
  expect(answers.expiry).toEqual(['0124', '0330']);
  expect(answers.security_code).toEqual(['737']);
});

test('enters a card in a row during the greeting, and after calling back', () => {
  expect(withEntered(SCRIPTS['type-ahead'], ADYEN).answers.card_number).toEqual(['41111111111111110330737']);
  expect(withEntered(SCRIPTS['call-back'], ADYEN).callsBack?.card_number).toEqual(['4111111111111111']);
});

test('enters the digits that decline with each card that the script expects to be declined', () => {
  const { answers } = withEntered(SCRIPTS['decline-then-ok'], { ...ADYEN, declined_postal_code: '46282' });
  expect(answers.card_number).toEqual(['4111111111111111', '4111111111111111']);
  expect(answers.security_code).toEqual(['999', '737']);
  expect(answers.postal_code).toEqual(['46282', '94105']);
  const byCard = withEntered(SCRIPTS['decline-then-ok'], {
    card: '5436031030606378',
    declined_card: '4544249167673670',
  });
  expect(byCard.answers.card_number).toEqual(['4544249167673670', '5436031030606378']);
});

test('enters four digits as the security code of an American Express card', () => {
  expect(withEntered(SCRIPTS.pay, { card: '370000000000002' }).answers.security_code).toEqual(['1234']);
});

test('enters another routing number, and keeps the mistyped one', () => {
  const { answers } = withEntered(SCRIPTS.ach, { routing_number: '011000015' });
  expect(answers.routing_number).toEqual(['110000001', '011000015']);
});

test('leaves a script as it is without digits to enter', () => {
  expect(withEntered(SCRIPTS['decline-then-ok'], {}).answers.card_number).toEqual([DECLINED_CARD, GOOD_CARD]);
});

test.each([
  ['expiry=0330', { expiry: '0330' }],
  ['expiry=03/30', null],
  ['name=123', null],
  ['constructor=123', null],
  ['security_code', null],
])('reads --enter %s as %j', (text, entered) => {
  expect(addEntered({}, text)).toEqual(entered);
});
