import { expect, it } from 'vitest';
import { stepWords } from './step-words.ts';

it.each([
  ['invite', 'Call: The call came in'],
  ['say greeting', 'Line: Greets the caller, says the amount'],
  ['say ask expiry 1', 'Line: Asks for the expiry date'],
  ['say ask card_number 2 looks_wrong', 'Line: Asks again for the card number: it looked wrong'],
  ['say ask saved_card 1', 'Line: Asks which saved card'],
  ['say ask confirmation 2 nothing_keyed', 'Line: Asks again to confirm: nothing was entered'],
  ['say link_waiting', 'Line: Says: link waiting'],
  ['refer timeout 408', 'Call: Refer timeout 408'],
])('%s is %s', (step, said) => {
  const told = stepWords(step);
  expect(`${told?.kind}: ${told?.what}`).toBe(said);
});

it.each(['ask expiry', 'card_number looks_wrong', 'call_ended'])('%s is told by the sentence beside it', (step) => {
  expect(stepWords(step)).toBeNull();
});
