import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StagedPorts } from '../../test/support/staged-ports.ts';
import { newId } from '../domain/ids.ts';
import { Secret } from '../domain/secret.ts';
import type { FlowEvent } from '../flow/events.ts';
import { startConversation, startMerchantChoice } from '../flow/table.ts';
import type { Terms } from '../flow/terms.ts';
import { Conversation } from './conversation.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

function termsOf(returns = false, canTextLink = false): Terms {
  return {
    asksPostalCode: false,
    asksConfirmation: false,
    tips: [],
    asksToKeepCard: false,
    acceptedBrands: ['visa'],
    returns,
    takesKeypad: true,
    offersLanguage: false,
    savedCards: [],
    canTextLink,
    back: null,
    today: { month: 11, year: 2026 },
  };
}

function started(returns = false, canTextLink = false): { ports: StagedPorts; conversation: Conversation } {
  const ports = new StagedPorts();
  const conversation = new Conversation(startConversation(termsOf(returns, canTextLink)), ports);
  conversation.handle({ type: 'answered' });
  return { ports, conversation };
}

function keys(conversation: Conversation, text: string): void {
  for (const key of text) conversation.handleKey(Secret.of(key));
}

async function toTheCharge(returns = false) {
  const { ports, conversation } = started(returns);
  await settle();
  keys(conversation, '4242424242424242');
  keys(conversation, '0431');
  keys(conversation, '123');
  await settle();
  return { ports, conversation };
}

describe('a link that is being texted', () => {
  const SENT: FlowEvent = { type: 'link', result: 'sent', lastTwo: '34' };

  it('is announced when it is on its way', async () => {
    const { ports, conversation } = started(true, true);
    await settle();
    keys(conversation, '##');
    ports.linked(SENT);
    await settle();
    expect(ports.lines.at(-1)).toMatchObject({ name: 'link_sent', lastTwo: '34' });
    expect([conversation.stage, ports.stages]).toEqual(['by_link', ['card_number', 'by_link']]);
  });

  it('is not the answer to a charge if its session has ended', async () => {
    const { ports, conversation } = started(true, true);
    await settle();
    keys(conversation, '##42424242424242420431123');
    ports.linked({ type: 'refused', reason: 'expired' });
    await settle();
    expect(ports.cards).toHaveLength(1);
    expect(ports.lines.at(-1)).toEqual({ name: 'one_moment' });
  });

  it('is ignored after the end of the call', async () => {
    const { ports, conversation } = started(true, true);
    keys(conversation, '##');
    conversation.handle({ type: 'hung_up' });
    ports.linked(SENT);
    await settle();
    expect(ports.outcomes).toEqual([{ kind: 'canceled' }]);
    expect(ports.failures).toEqual([]);
  });
});

describe('a sentence', () => {
  it('is followed by silence, which is waited out', async () => {
    const { ports } = started();
    await settle();
    ports.played('finished');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(ports.lines.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ports.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number', attempt: 2 });
  });

  it('is followed by no silence if a blocked process has an unread key', async () => {
    const { ports, conversation } = started();
    await settle();
    ports.played('finished');
    await settle();
    vi.advanceTimersByTime(10_000);
    // Timers run before sockets.
    keys(conversation, '4');
    await new Promise((resolve) => setImmediate(resolve));
    expect(ports.lines.length).toBe(1);
    vi.advanceTimersByTime(5_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ports.lines.length).toBe(2);
  });

  it('counts as spoken if it cannot be played', async () => {
    const { ports } = started();
    await settle();
    ports.played('failed');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ports.lines.length).toBe(2);
    expect(ports.unplayed).toEqual(ports.lines.slice(0, 1));
  });

  it('stops at the first key, and its end is ignored', async () => {
    const { ports, conversation } = started();
    await settle();
    keys(conversation, '4');
    expect(ports.stops).toBe(1);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(ports.lines.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ports.lines.length).toBe(2);
  });

  it('is not spoken if its audio is found too late', async () => {
    const { ports, conversation } = started();
    ports.slowFiles = true;
    keys(conversation, '*');
    await settle();
    keys(conversation, '4');
    const playing = ports.playing;
    ports.found();
    await settle();
    expect(ports.playing).toBe(playing);
  });
});

describe('a move to another leg', () => {
  it('repeats the interrupted sentence, whose end then counts', async () => {
    const { ports, conversation } = started();
    await settle();
    const lost = new StagedPorts();
    ports.played('stopped');
    await settle();
    conversation.switchMedia(lost.media);
    await settle();
    expect(ports.lines).toEqual([{ name: 'greeting' }, { name: 'greeting' }]);
    expect([ports.playing, lost.playing]).toEqual([0, 1]);
    lost.played('finished');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ports.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number', attempt: 2 });
  });

  it.each(['has ended', 'was stopped'])('does not repeat a sentence that %s', async (how) => {
    const { ports, conversation } = started();
    await settle();
    if (how === 'has ended') ports.played('finished');
    else keys(conversation, '4');
    await settle();
    const other = new StagedPorts();
    conversation.switchMedia(other.media);
    await settle();
    expect([ports.lines.length, other.playing]).toEqual([1, 0]);
  });

  it('says nothing after the end', async () => {
    const { ports, conversation } = started();
    await settle();
    conversation.close();
    conversation.switchMedia(new StagedPorts().media);
    await settle();
    expect(ports.lines).toHaveLength(1);
  });
});

describe('a charge', () => {
  it('is ordered with the whole card, and its result is said', async () => {
    const { ports, conversation } = await toTheCharge();
    expect(conversation.charging).toBe(true);
    expect(ports.cards.map(({ number }) => number.reveal((digits) => digits))).toEqual(['4242424242424242']);
    ports.charged({ type: 'paid', chargeId: newId('Charge') });
    await settle();
    expect(conversation.charging).toBe(false);
    ports.played('finished');
    await settle();
    expect(ports.lines.at(-1)).toEqual({ name: 'succeeded' });
    ports.played('finished');
    await settle();
    expect(ports.outcomes).toMatchObject([{ kind: 'succeeded' }]);
    expect(ports.stages).toEqual(['card_number', 'expiry', 'security_code', 'paying', 'leaving', 'ended']);
  });

  it('continues after a hang-up, and then ends the call', async () => {
    const { ports, conversation } = await toTheCharge();
    conversation.handle({ type: 'hung_up' });
    expect(ports.outcomes).toEqual([]);
    ports.charged({ type: 'paid', chargeId: newId('Charge') });
    await settle();
    expect(ports.outcomes).toMatchObject([{ kind: 'succeeded' }]);
  });

  it('fails the conversation once if it throws', async () => {
    const { ports, conversation } = await toTheCharge();
    ports.charge = () => Promise.reject(new Error('broken'));
    ports.charged({ type: 'declined', chargeId: newId('Charge'), code: 'incorrect_cvc' });
    ports.played('finished');
    await settle();
    keys(conversation, '999');
    await settle();
    expect(ports.failures.map(String)).toEqual(['Error: broken']);
    expect(ports.outcomes).toEqual([]);
  });
});

describe('the end', () => {
  it('comes after the return to the agent', async () => {
    const { ports, conversation } = started(true);
    keys(conversation, '**');
    await settle();
    ports.played('finished');
    ports.played('finished');
    await settle();
    expect(ports.returns).toMatchObject([{ kind: 'canceled' }]);
    ports.back({ type: 'returned' });
    await settle();
    expect(ports.outcomes).toMatchObject([{ kind: 'canceled' }]);
  });

  it('wipes waiting and later keys', () => {
    const { conversation } = started();
    conversation.close();
    const key = Secret.of('7');
    conversation.handleKey(key);
    expect(key.length).toBe(0);
    conversation.close();
  });

  it('leaves no timer behind', async () => {
    const { ports, conversation } = started();
    await settle();
    ports.played('finished');
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    conversation.handle({ type: 'hung_up' });
    expect(vi.getTimerCount()).toBe(0);
    expect(ports.outcomes.length).toBe(1);
  });
});

it('an event during a step waits for its turn', async () => {
  const { ports, conversation } = started();
  await settle();
  ports.media.stop = () => {
    ports.stops += 1;
    if (ports.stops === 1) conversation.handleKey(Secret.of('5'));
  };
  keys(conversation, '4');
  keys(conversation, '00000000000000');
  await settle();
  expect(ports.failures).toEqual([]);
  expect(ports.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number' });
});

describe('a caller who has the line on hold', () => {
  /** A caller who was asked for the card, and then puts the line on hold. */
  async function onHold(ms: number) {
    const { ports, conversation } = started();
    await settle();
    ports.played('finished');
    await settle();
    conversation.hold();
    conversation.hold();
    await vi.advanceTimersByTimeAsync(ms);
    return { ports, conversation, before: ports.lines.length };
  }

  it('is asked again only after coming back', async () => {
    const { ports, conversation } = await onHold(240_000);
    expect(ports.lines.map(({ name }) => name)).toEqual(['greeting']);
    conversation.resume();
    await settle();
    expect(ports.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number', attempt: 2 });
    expect(ports.notes).toEqual(expect.arrayContaining(['on hold', 'back from hold']));
    conversation.close();
  });

  it('can key at once after coming back', async () => {
    const { ports, conversation } = await onHold(5_000);
    conversation.resume();
    keys(conversation, '4242424242424242');
    await settle();
    expect(ports.lines.at(-1)).toMatchObject({ name: 'ask', field: 'expiry', error: null });
    conversation.close();
  });

  it('is returned after five minutes and the tries', async () => {
    const { ports } = await onHold(300_000);
    expect(ports.lines.at(-1)).toMatchObject({ name: 'ask', attempt: 2 });
    for (let at = 0; at < 4 && ports.outcomes.length === 0; at += 1) {
      ports.played('finished');
      await vi.advanceTimersByTimeAsync(10_000);
    }
    ports.played('finished');
    await settle();
    expect(ports.outcomes).toEqual([{ kind: 'failed', reason: 'no_input' }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a caller who chooses among merchants', () => {
  function choosing() {
    const ports = new StagedPorts();
    const merchants = ['Diner', 'Books'].map((businessName) => ({
      businessName,
      amount: { amountCents: 100, currency: 'USD' as const },
    }));
    const conversation = new Conversation(startMerchantChoice(merchants), ports);
    conversation.handle({ type: 'answered' });
    return { ports, conversation };
  }

  it('loses no key typed ahead while the session is claimed', async () => {
    const { ports, conversation } = choosing();
    const press = (text: string) => {
      for (const key of text) ports.keys.press(Secret.of(key), 'telephone_event');
    };
    ports.keys.connect({ onKey: (key) => conversation.handleKey(key), note: () => undefined, kind: () => undefined });
    press('242');
    ports.keys.release();
    press('424242');
    await settle();
    expect([ports.places, ports.lines.map(({ name }) => name)]).toEqual([[1], ['choose_merchant']]);
    conversation.handle({ type: 'session_claimed', terms: termsOf() });
    press('42424242');
    conversation.handle({ type: 'answered' });
    ports.keys.release();
    ports.taken();
    await settle();
    expect(ports.lines.at(-1)).toMatchObject({ name: 'ask', field: 'expiry', error: null });
    conversation.close();
  });
});

describe('the record of a call', () => {
  it('gets the end of each sentence, the start of each answer, and the number of wrong digits', async () => {
    const { ports, conversation } = started();
    await settle();
    const heard = (what: string) => () => void ports.notes.push(what);
    Object.assign(ports, {
      sentenceEnded: heard('sentence ended'),
      answerStarted: heard('answer started'),
      numberIncomplete: (digits: number) => void ports.notes.push(`${digits} digits`),
    });
    ports.notes.length = 0;
    keys(conversation, '424242424242');
    conversation.handle({ type: 'silence' });
    await settle();
    ports.played('finished');
    await settle();
    keys(conversation, '4242424242424242');
    expect(ports.notes).toEqual([
      'sentence ended',
      'answer started',
      'card_number incomplete',
      '12 digits',
      'sentence ended',
      'answer started',
      'ask expiry',
    ]);
  });
});
