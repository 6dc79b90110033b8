import { expect, test } from 'vitest';
import { callOptionsOf, createCallCommand } from '../local/scripted-caller/options.ts';
import { withTestCards } from './call-cards.ts';

const optionsOf = (...words: string[]) => callOptionsOf(createCallCommand().parse(words, { from: 'user' }));

test('enters the test cards of a processor, and replaces them by those of --enter', () => {
  expect(withTestCards(optionsOf(), 'adyen').enter).toMatchObject({ card: '4111111111111111', expiry: '0330' });
  const { enter } = withTestCards(optionsOf('--enter', 'expiry=1231'), 'adyen');
  expect(enter).toMatchObject({ card: '4111111111111111', expiry: '1231' });
});

test('enters what the processor declines for a script with a declined card', () => {
  expect(withTestCards(optionsOf('--script', 'declined'), 'checkoutcom').enter).toMatchObject({
    declined_card: '4544249167673670',
  });
  expect(withTestCards(optionsOf('--script', 'declined'), 'braintree').amount).toBe(200_100);
  expect(withTestCards(optionsOf(), 'braintree').amount).toBe(4_250);
});
