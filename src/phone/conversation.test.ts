import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallStage } from '../domain/call-stage.ts';
import { type InstrumentId, newId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { Secret } from '../domain/secret.ts';
import { startConversation, startMerchantChoice } from '../flow/table.ts';
import type { FlowEvent, KeyedCard, Line, Terms } from '../flow/types.ts';
import { Conversation, type ConversationPorts } from './conversation.ts';
import { KeyBuffer } from './key-buffer.ts';
import type { PlayResult } from './ports.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stage on which every wait is ended by the test. */
class Hand implements ConversationPorts {
  readonly lines: Line[] = [];
  readonly notes: string[] = [];
  readonly stages: CallStage[] = [];
  readonly cards: KeyedCard[] = [];
  readonly savedCards: InstrumentId[] = [];
  readonly returns: CallOutcome[] = [];
  readonly outcomes: CallOutcome[] = [];
  readonly failures: unknown[] = [];
  stops = 0;
  #plays: ((result: PlayResult) => void)[] = [];
  #files: (() => void)[] = [];
  #charge: (event: FlowEvent) => void = () => undefined;
  #back: (event: FlowEvent) => void = () => undefined;
  linked: (event: FlowEvent) => void = () => undefined;
  slowFiles = false;
  readonly media = {
    play: () =>
      new Promise<PlayResult>((resolve) => {
        this.#plays.push(resolve);
      }),
    stop: () => {
      this.stops += 1;
      this.played('stopped');
    },
  };

  files(line: Line): Promise<readonly string[]> {
    this.lines.push(line);
    if (!this.slowFiles) return Promise.resolve(['/a.wav']);
    return new Promise((resolve) => {
      this.#files.push(() => resolve(['/a.wav']));
    });
  }
  changeLanguage(): void {
    this.notes.push('language');
  }
  chargeSaved(cardId: InstrumentId): Promise<FlowEvent> {
    this.savedCards.push(cardId);
    return new Promise((resolve) => {
      this.#charge = resolve;
    });
  }
  charge(card: KeyedCard): Promise<FlowEvent> {
    this.cards.push(card);
    return new Promise((resolve) => {
      this.#charge = resolve;
    });
  }
  sendLink(): Promise<FlowEvent> {
    return new Promise((resolve) => {
      this.linked = resolve;
    });
  }
  readonly places: number[] = [];
  taken: () => void = () => undefined;
  /** Between the keys and the conversation, as in a call. */
  readonly keys = new KeyBuffer(null);
  takeSession(place: number): Promise<void> {
    this.keys.hold();
    this.places.push(place);
    return new Promise((resolve) => {
      this.taken = resolve;
    });
  }
  returnToAgent(outcome: CallOutcome): Promise<FlowEvent> {
    this.returns.push(outcome);
    return new Promise((resolve) => {
      this.#back = resolve;
    });
  }
  note(step: string): void {
    this.notes.push(step);
  }
  stage(stage: CallStage): void {
    this.stages.push(stage);
  }
  ended(outcome: CallOutcome): void {
    this.outcomes.push(outcome);
  }
  failed(error: unknown): void {
    this.failures.push(error);
  }

  get playing(): number {
    return this.#plays.length;
  }
  played(result: PlayResult): void {
    this.#plays.shift()?.(result);
  }
  found(): void {
    this.#files.shift()?.();
  }
  charged(event: FlowEvent): void {
    this.#charge(event);
  }
  back(event: FlowEvent): void {
    this.#back(event);
  }
}

const settle = () => vi.advanceTimersByTimeAsync(0);

function termsOf(returns = false, canTextLink = false): Terms {
  return {
    asksPostalCode: false,
    asksConfirmation: false,
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

function begun(returns = false, canTextLink = false): { hand: Hand; talk: Conversation } {
  const hand = new Hand();
  const talk = new Conversation(startConversation(termsOf(returns, canTextLink)), hand);
  talk.handle({ type: 'answered' });
  return { hand, talk };
}

function keys(talk: Conversation, text: string): void {
  for (const key of text) talk.handleKey(Secret.of(key));
}

async function toTheCharge(returns = false) {
  const { hand, talk } = begun(returns);
  await settle();
  keys(talk, '4242424242424242');
  keys(talk, '0431');
  keys(talk, '123');
  await settle();
  return { hand, talk };
}

describe('a link that is being texted', () => {
  const SENT: FlowEvent = { type: 'link', result: 'sent', lastTwo: '34' };

  it('is told of when it is on its way', async () => {
    const { hand, talk } = begun(true, true);
    await settle();
    keys(talk, '##');
    hand.linked(SENT);
    await settle();
    expect(hand.lines.at(-1)).toMatchObject({ name: 'link_sent', lastTwo: '34' });
    expect([talk.stage, hand.stages]).toEqual(['by_link', ['card_number', 'by_link']]);
  });

  it('whose session is over is not the answer to a charge', async () => {
    const { hand, talk } = begun(true, true);
    await settle();
    keys(talk, '##42424242424242420431123');
    hand.linked({ type: 'refused', reason: 'expired' });
    await settle();
    expect(hand.cards).toHaveLength(1);
    expect(hand.lines.at(-1)).toEqual({ name: 'one_moment' });
  });

  it('asked for on a call that has ended is nobody’s', async () => {
    const { hand, talk } = begun(true, true);
    keys(talk, '##');
    talk.handle({ type: 'hung_up' });
    hand.linked(SENT);
    await settle();
    expect(hand.outcomes).toEqual([{ kind: 'canceled' }]);
    expect(hand.failures).toEqual([]);
  });
});

describe('speaking', () => {
  it('ends in silence that is waited out', async () => {
    const { hand } = begun();
    await settle();
    hand.played('finished');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(hand.lines.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(hand.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number', attempt: 2 });
  });

  it('is followed by no silence where a key is still to be read: its process was held up', async () => {
    const { hand, talk } = begun();
    await settle();
    hand.played('finished');
    await settle();
    vi.advanceTimersByTime(10_000);
    // Timers have their turn before sockets.
    keys(talk, '4');
    await new Promise((resolve) => setImmediate(resolve));
    expect(hand.lines.length).toBe(1);
    vi.advanceTimersByTime(5_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(hand.lines.length).toBe(2);
  });

  it('that can not be played counts as spoken', async () => {
    const { hand } = begun();
    await settle();
    hand.played('failed');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(hand.lines.length).toBe(2);
  });

  it('stops at the first key, and its end is not told', async () => {
    const { hand, talk } = begun();
    await settle();
    keys(talk, '4');
    expect(hand.stops).toBe(1);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(hand.lines.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(hand.lines.length).toBe(2);
  });

  it('whose audio is found too late is not spoken', async () => {
    const { hand, talk } = begun();
    hand.slowFiles = true;
    keys(talk, '*');
    await settle();
    keys(talk, '4');
    const playing = hand.playing;
    hand.found();
    await settle();
    expect(hand.playing).toBe(playing);
  });
});

describe('on another leg', () => {
  it('the sentence that broke off is said again, and its end counts', async () => {
    const { hand, talk } = begun();
    await settle();
    const lost = new Hand();
    hand.played('stopped');
    await settle();
    talk.switchMedia(lost.media);
    await settle();
    expect(hand.lines).toEqual([{ name: 'greeting' }, { name: 'greeting' }]);
    expect([hand.playing, lost.playing]).toEqual([0, 1]);
    lost.played('finished');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(hand.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number', attempt: 2 });
  });

  it.each(['was heard', 'was hushed'])('a sentence that %s is not said again', async (how) => {
    const { hand, talk } = begun();
    await settle();
    if (how === 'was heard') hand.played('finished');
    else keys(talk, '4');
    await settle();
    const other = new Hand();
    talk.switchMedia(other.media);
    await settle();
    expect([hand.lines.length, other.playing]).toEqual([1, 0]);
  });

  it('nothing is said after the end', async () => {
    const { hand, talk } = begun();
    await settle();
    talk.close();
    talk.switchMedia(new Hand().media);
    await settle();
    expect(hand.lines).toHaveLength(1);
  });
});

describe('a charge', () => {
  it('is ordered with the whole card, and told of', async () => {
    const { hand, talk } = await toTheCharge();
    expect(talk.charging).toBe(true);
    expect(hand.cards.map(({ number }) => number.reveal((digits) => digits))).toEqual(['4242424242424242']);
    hand.charged({ type: 'paid', chargeId: newId('Charge') });
    await settle();
    expect(talk.charging).toBe(false);
    hand.played('finished');
    await settle();
    expect(hand.lines.at(-1)).toEqual({ name: 'succeeded' });
    hand.played('finished');
    await settle();
    expect(hand.outcomes).toMatchObject([{ kind: 'succeeded' }]);
    expect(hand.stages).toEqual(['card_number', 'expiry', 'security_code', 'paying', 'leaving', 'ended']);
  });

  it('goes on when the caller has hung up, and ends the call then', async () => {
    const { hand, talk } = await toTheCharge();
    talk.handle({ type: 'hung_up' });
    expect(hand.outcomes).toEqual([]);
    hand.charged({ type: 'paid', chargeId: newId('Charge') });
    await settle();
    expect(hand.outcomes).toMatchObject([{ kind: 'succeeded' }]);
  });

  it('that throws is a failure of ours, once', async () => {
    const { hand, talk } = await toTheCharge();
    hand.charge = () => Promise.reject(new Error('broken'));
    hand.charged({ type: 'declined', chargeId: newId('Charge'), code: 'incorrect_cvc' });
    hand.played('finished');
    await settle();
    keys(talk, '999');
    await settle();
    expect(hand.failures.map(String)).toEqual(['Error: broken']);
    expect(hand.outcomes).toEqual([]);
  });
});

describe('the end', () => {
  it('comes after the return to the agent', async () => {
    const { hand, talk } = begun(true);
    keys(talk, '**');
    await settle();
    hand.played('finished');
    hand.played('finished');
    await settle();
    expect(hand.returns).toMatchObject([{ kind: 'canceled' }]);
    hand.back({ type: 'returned' });
    await settle();
    expect(hand.outcomes).toMatchObject([{ kind: 'canceled' }]);
  });

  it('wipes what is keyed from then on, and what waits', () => {
    const { talk } = begun();
    talk.close();
    const key = Secret.of('7');
    talk.handleKey(key);
    expect(key.length).toBe(0);
    talk.close();
  });

  it('leaves no timer behind', async () => {
    const { hand, talk } = begun();
    await settle();
    hand.played('finished');
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    talk.handle({ type: 'hung_up' });
    expect(vi.getTimerCount()).toBe(0);
    expect(hand.outcomes.length).toBe(1);
  });
});

it('lets an event that comes during a step wait for its turn', async () => {
  const { hand, talk } = begun();
  await settle();
  hand.media.stop = () => {
    hand.stops += 1;
    if (hand.stops === 1) talk.handleKey(Secret.of('5'));
  };
  keys(talk, '4');
  keys(talk, '00000000000000');
  await settle();
  expect(hand.failures).toEqual([]);
  expect(hand.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number' });
});

describe('a caller who has the line on hold', () => {
  /** Asked for the card, and silent for an hour at most. */
  async function onHold(ms: number) {
    const { hand, talk } = begun();
    await settle();
    hand.played('finished');
    await settle();
    talk.hold();
    talk.hold();
    await vi.advanceTimersByTimeAsync(ms);
    return { hand, talk, before: hand.lines.length };
  }

  it('is not asked again until it is back, and then is', async () => {
    const { hand, talk } = await onHold(240_000);
    expect(hand.lines.map(({ name }) => name)).toEqual(['greeting']);
    talk.resume();
    await settle();
    expect(hand.lines.at(-1)).toMatchObject({ name: 'ask', field: 'card_number', attempt: 2 });
    expect(hand.notes).toEqual(expect.arrayContaining(['on hold', 'back from hold']));
    talk.close();
  });

  it('and keys at once has lost nothing', async () => {
    const { hand, talk } = await onHold(5_000);
    talk.resume();
    keys(talk, '4242424242424242');
    await settle();
    expect(hand.lines.at(-1)).toMatchObject({ name: 'ask', field: 'expiry', error: null });
    talk.close();
  });

  it('is given up after five minutes and the tries', async () => {
    const { hand } = await onHold(300_000);
    expect(hand.lines.at(-1)).toMatchObject({ name: 'ask', attempt: 2 });
    for (let at = 0; at < 4 && hand.outcomes.length === 0; at += 1) {
      hand.played('finished');
      await vi.advanceTimersByTimeAsync(10_000);
    }
    hand.played('finished');
    await settle();
    expect(hand.outcomes).toEqual([{ kind: 'failed', reason: 'no_input' }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a caller who chooses among merchants', () => {
  function choosing() {
    const hand = new Hand();
    const merchants = ['Diner', 'Books'].map((businessName) => ({
      businessName,
      amount: { amountCents: 100, currency: 'USD' as const },
    }));
    const talk = new Conversation(startMerchantChoice(merchants), hand);
    talk.handle({ type: 'answered' });
    return { hand, talk };
  }

  it('and types ahead loses no key while the session is claimed', async () => {
    const { hand, talk } = choosing();
    const press = (text: string) => {
      for (const key of text) hand.keys.press(Secret.of(key), 'telephone_event');
    };
    hand.keys.connect({ onKey: (key) => talk.handleKey(key), note: () => undefined, kind: () => undefined });
    press('242');
    hand.keys.release();
    press('424242');
    await settle();
    expect([hand.places, hand.lines.map(({ name }) => name)]).toEqual([[1], ['choose_merchant']]);
    talk.handle({ type: 'session_taken', terms: termsOf() });
    press('42424242');
    talk.handle({ type: 'answered' });
    hand.keys.release();
    hand.taken();
    await settle();
    expect(hand.lines.at(-1)).toMatchObject({ name: 'ask', field: 'expiry', error: null });
    talk.close();
  });
});
