/** Each state × each event: the next state and its effects. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConversationDriver, MERCHANTS, TERMS } from '../../test/support/conversation-driver.ts';
import { Secret } from '../domain/secret.ts';
import type { FlowEvent } from './events.ts';
import type { EventType, Kind, State } from './state.ts';
import { step, TABLE, wipeState } from './table.ts';

const GOOD_CARD = '42424242424242420928123';
const { chargeId } = new ConversationDriver();

const paying = () => ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).finishSentence();
const paid = () => paying().send({ type: 'paid', chargeId });

const sendingLink = () => ConversationDriver.afterGreeting({ canTextLink: true }).pressKeys('##');
const linkSent = (): FlowEvent => ({ type: 'link', result: 'sent', lastTwo: '34' });

const payingOnPage = (): FlowEvent => ({ type: 'paying_elsewhere', by: 'page', chargeId });

const choosing = () => new ConversationDriver({}, MERCHANTS).send({ type: 'answered' }).finishSentence();

const CALLS: Record<Kind, () => ConversationDriver> = {
  choosing_merchant: choosing,
  claiming_session: () => choosing().pressKeys('2'),
  ringing: () => new ConversationDriver(),
  collecting: () => ConversationDriver.afterGreeting().pressKeys('4242'),
  sending_link: sendingLink,
  by_link: () => sendingLink().send(linkSent()).finishSentence(),
  charging: paying,
  waiting: () => ConversationDriver.afterGreeting().send(payingOnPage()).finishSentence(),
  settling: () => paying().send({ type: 'hung_up' }),
  leaving: paid,
  returning: () => paid().finishSentence(),
  goodbye: () => paid().finishSentence().send({ type: 'return_failed' }),
  ended: () => paid().finishSentence().send({ type: 'returned' }),
};

const EVENTS: Record<EventType, () => FlowEvent> = {
  answered: () => ({ type: 'answered' }),
  key: () => ({ type: 'key', key: Secret.of('4') }),
  prompt_ended: () => ({ type: 'prompt_ended' }),
  silence: () => ({ type: 'silence' }),
  debited: () => ({ type: 'debited', chargeId }),
  paid: () => ({ type: 'paid', chargeId }),
  declined: () => ({ type: 'declined', chargeId, code: 'generic_decline' }),
  unconfirmed: () => ({ type: 'unconfirmed', chargeId }),
  refused: () => ({ type: 'refused', reason: 'expired' }),
  saved_card_unusable: () => ({ type: 'saved_card_unusable' }),
  link: linkSent,
  page_opened: () => ({ type: 'page_opened' }),
  paying_elsewhere: payingOnPage,
  paid_elsewhere: () => ({ type: 'paid_elsewhere', chargeId }),
  declined_elsewhere: () => ({ type: 'declined_elsewhere', by: 'page', chargeId, code: 'do_not_honor' }),
  session_claimed: () => ({ type: 'session_claimed', terms: TERMS }),
  session_not_claimed: () => ({ type: 'session_not_claimed' }),
  end_requested: () => ({ type: 'end_requested' }),
  returned: () => ({ type: 'returned' }),
  return_failed: () => ({ type: 'return_failed' }),
  hung_up: () => ({ type: 'hung_up' }),
  media_lost: () => ({ type: 'media_lost' }),
};

/** `next state: effects`, without notes. An event that is not listed leaves the state unchanged and has no effects. */
const EXPECTED: Record<Kind, Partial<Record<EventType, string>>> = {
  choosing_merchant: {
    key: 'choosing_merchant: start_timer',
    prompt_ended: 'choosing_merchant: start_timer',
    silence: 'choosing_merchant: cancel_timer say',
    refused: 'leaving: cancel_timer say',
    end_requested: 'leaving: cancel_timer say',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  claiming_session: {
    end_requested: 'claiming_session:',
    prompt_ended: 'claiming_session:',
    silence: 'claiming_session: say',
    session_claimed: 'ringing: cancel_timer',
    session_not_claimed: 'leaving: cancel_timer say',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  ringing: {
    end_requested: 'ringing:',
    answered: 'collecting: cancel_timer say',
    key: 'collecting: cancel_timer say stop_speaking start_timer',
    unconfirmed: 'leaving: cancel_timer say',
    refused: 'leaving: cancel_timer say',
    paying_elsewhere: 'waiting: cancel_timer say start_timer',
    paid_elsewhere: 'leaving: cancel_timer say',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  collecting: {
    end_requested: 'leaving: cancel_timer say',
    key: 'collecting: start_timer',
    prompt_ended: 'collecting:',
    silence: 'collecting: cancel_timer say',
    unconfirmed: 'leaving: cancel_timer say',
    refused: 'leaving: cancel_timer say',
    link: 'collecting:',
    page_opened: 'collecting:',
    paying_elsewhere: 'waiting: cancel_timer say start_timer',
    paid_elsewhere: 'leaving: cancel_timer say',
    declined_elsewhere: 'collecting:',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  sending_link: {
    end_requested: 'leaving: cancel_timer say',
    key: 'collecting: start_timer',
    prompt_ended: 'sending_link:',
    silence: 'sending_link: say start_timer',
    unconfirmed: 'leaving: cancel_timer say',
    refused: 'leaving: cancel_timer say',
    link: 'by_link: say start_timer',
    page_opened: 'sending_link:',
    paying_elsewhere: 'waiting: cancel_timer say start_timer',
    paid_elsewhere: 'leaving: cancel_timer say',
    declined_elsewhere: 'sending_link:',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  by_link: {
    end_requested: 'leaving: cancel_timer say',
    key: 'collecting: start_timer',
    prompt_ended: 'by_link:',
    silence: 'by_link: say start_timer',
    unconfirmed: 'leaving: cancel_timer say',
    refused: 'leaving: cancel_timer say',
    page_opened: 'by_link: say',
    paying_elsewhere: 'waiting: cancel_timer say start_timer',
    paid_elsewhere: 'leaving: cancel_timer say',
    declined_elsewhere: 'by_link: say start_timer',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  charging: {
    end_requested: 'charging:',
    link: 'charging:',
    prompt_ended: 'charging:',
    silence: 'charging: say start_timer',
    paid: 'leaving: cancel_timer say',
    declined: 'collecting: cancel_timer say',
    debited: 'leaving: cancel_timer say',
    saved_card_unusable: 'collecting: cancel_timer say',
    unconfirmed: 'leaving: cancel_timer say',
    refused: 'leaving: cancel_timer say',
    paying_elsewhere: 'waiting: cancel_timer say start_timer',
    hung_up: 'settling: stop_speaking start_timer',
    media_lost: 'settling: stop_speaking start_timer',
  },
  waiting: {
    end_requested: 'waiting:',
    link: 'waiting:',
    key: 'waiting:',
    prompt_ended: 'waiting:',
    silence: 'waiting: say start_timer',
    unconfirmed: 'leaving: cancel_timer say',
    refused: 'leaving: cancel_timer say',
    paid_elsewhere: 'leaving: cancel_timer say',
    declined_elsewhere: 'collecting: cancel_timer say',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  settling: {
    silence: 'ended: hang_up',
    paid: 'ended: hang_up',
    declined: 'ended: hang_up',
    debited: 'ended: hang_up',
    saved_card_unusable: 'ended: hang_up',
    unconfirmed: 'ended: hang_up',
    refused: 'ended: hang_up',
    paying_elsewhere: 'ended: hang_up',
    paid_elsewhere: 'ended: hang_up',
  },
  leaving: { prompt_ended: 'returning: return', hung_up: 'ended: hang_up', media_lost: 'ended: hang_up' },
  returning: {
    returned: 'ended: hang_up',
    return_failed: 'goodbye: say',
    hung_up: 'ended: hang_up',
    media_lost: 'ended: hang_up',
  },
  goodbye: { prompt_ended: 'ended: hang_up', hung_up: 'ended: hang_up', media_lost: 'ended: hang_up' },
  ended: {},
};

const kinds = Object.keys(CALLS) as Kind[];
const types = Object.keys(EVENTS) as EventType[];

describe.each(kinds)('%s', (kind) => {
  it('is the state of the sample call', () => expect(CALLS[kind]().state.kind).toBe(kind));

  it.each(types)('× %s', (type) => {
    const before: State = CALLS[kind]().state;
    const event = EVENTS[type]();
    const { state, effects } = step(before, event);
    const orders = effects.map((effect) => effect.type).filter((order) => order !== 'note');
    const expected = EXPECTED[kind][type];
    if (expected === undefined) {
      expect(state).toBe(before);
      expect(effects).toEqual([]);
    } else {
      expect([`${state.kind}:`, ...orders].join(' ')).toBe(expected);
    }
    if (event.type === 'key') expect(event.key.length).toBe(0);
    expect(`${inspect({ state, effects }, { depth: 9 })}${JSON.stringify({ state, effects })}`).not.toMatch(
      /4242|0928/,
    );
  });
});

it('the table has exactly one row per state and one entry per event', () => {
  expect(Object.keys(TABLE)).toEqual(kinds);
  for (const row of Object.values(TABLE)) expect(Object.keys(row)).toEqual(types);
});

it('wipeState wipes the card data of every state', () => {
  const collecting = ConversationDriver.afterGreeting({ asksPostalCode: true }).pressKeys(`${GOOD_CARD}9410`).state;
  const charging = paying().state;
  const sending = ConversationDriver.afterGreeting({ canTextLink: true }).pressKeys('42424242424242420928##').state;
  expect(sending.kind).toBe('sending_link');
  for (const state of [collecting, charging, sending]) {
    if (state.kind !== 'collecting' && state.kind !== 'charging' && state.kind !== 'sending_link')
      throw new Error(state.kind);
    const secrets = Object.values(state.context.card).filter((part) => part instanceof Secret);
    if (state.kind === 'collecting') secrets.push(state.keyed);
    expect(secrets.map((secret) => secret.length)).not.toContain(0);
    wipeState(state);
    wipeState(state);
    expect(secrets.every((secret) => secret.length === 0)).toBe(true);
  }
});
