/**
 * Which calls count as broken off: the caller or the audio was lost before the end, nothing was paid, and no link was
 * texted.
 */
import { expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import type { FlowEvent } from './events.ts';

const GOOD_CARD = '42424242424242420928123';
const { chargeId } = new ConversationDriver();
const PAYING: FlowEvent = { type: 'paying_elsewhere', by: 'page', chargeId };
const greeted = () => ConversationDriver.afterGreeting({ canTextLink: true });
const charging = () => greeted().pressKeys(GOOD_CARD).finishSentence();
const gone = (call: ConversationDriver) => call.send({ type: 'hung_up' });

function brokeOff(call: ConversationDriver): boolean {
  const end = call.effects.at(-1);
  if (end?.type !== 'hang_up') throw new Error('the call has not ended');
  return end.brokeOff === true;
}

it.each<[string, () => ConversationDriver]>([
  ['hung up before the answer', () => gone(new ConversationDriver())],
  ['hung up while keying a card', () => gone(greeted().pressKeys('4242'))],
  ['lost audio while keying a card', () => greeted().pressKeys('4242').send({ type: 'media_lost' })],
  [
    'hung up while the card was being declined',
    () => gone(charging()).send({ type: 'declined', chargeId, code: 'do_not_honor' }),
  ],
  [
    'hung up when the page had been declined',
    () => gone(greeted().send(PAYING).send({ type: 'declined_elsewhere', by: 'page', chargeId, code: null })),
  ],
])('counts a call as broken off: %s', (_, call) => expect(brokeOff(call())).toBe(true));

it.each<[string, () => ConversationDriver]>([
  ['returned to the agent', () => greeted().pressKeys('**').finishSentence().send({ type: 'returned' })],
  ['hung up after the line said that nothing was charged', () => gone(greeted().pressKeys('**'))],
  ['hung up while paying, and paid', () => gone(charging()).send({ type: 'paid', chargeId })],
  ['hung up while paying, and the outcome is unknown', () => gone(charging()).send({ type: 'unconfirmed', chargeId })],
  ['hung up while the page pays', () => gone(greeted().send(PAYING))],
  [
    'hung up beside the link that was texted',
    () => gone(greeted().pressKeys('##').send({ type: 'link', result: 'sent', lastTwo: '34' }).finishSentence()),
  ],
  [
    'to its end without an agent',
    () => new ConversationDriver({ returns: false }).send({ type: 'answered' }).pressKeys('**').finishSentence(),
  ],
])('does not count a call as broken off: %s', (_, call) => expect(brokeOff(call())).toBe(false));
