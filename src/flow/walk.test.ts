/**
 * 100,000 random conversations, which take seconds because the table has no clock: callers who key well or badly, hang
 * up or stay silent; processors that are slow, decline or never answer; unreachable agents; late and repeated events.
 * RINGKEY_TEST_CONVERSATIONS sets another number, for a change of the table.
 */
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../test/support/random.ts';
import { RandomConversation } from '../../test/support/random-conversation.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import { Secret } from '../domain/secret.ts';

const CONVERSATIONS = Number(process.env.RINGKEY_TEST_CONVERSATIONS ?? 100_000);
const SEED = 20_260_901;

/** Every Secret created since the list was last emptied. */
const secrets: Secret[] = [];
const original = { of: Secret.of, empty: Secret.empty, append: Secret.prototype.append, copy: Secret.prototype.copy };

beforeAll(() => {
  const recorded = (secret: Secret) => {
    secrets.push(secret);
    return secret;
  };
  Secret.of = (text) => recorded(original.of.call(Secret, text));
  Secret.empty = () => recorded(original.empty.call(Secret));
  Secret.prototype.append = function (other) {
    return recorded(original.append.call(this, other));
  };
  Secret.prototype.copy = function () {
    return recorded(original.copy.call(this));
  };
});

afterAll(() => {
  Secret.of = original.of;
  Secret.empty = original.empty;
  Secret.prototype.append = original.append;
  Secret.prototype.copy = original.copy;
});

function expectedOutcomes(call: RandomConversation): OutcomeKind[] {
  if (call.announced === 'paid') return ['succeeded'];
  if (call.announced === 'pending') return ['pending'];
  switch (call.answers.at(-1)) {
    case 'paid':
      return ['succeeded'];
    case 'unconfirmed':
      return ['pending'];
    case 'refused':
      return ['expired', 'failed'];
    default:
      return call.inFlight ? ['pending'] : ['canceled', 'failed', ...(call.isLinkSent ? (['agent'] as const) : [])];
  }
}

function check(call: RandomConversation): void {
  const { effects, endedWith } = call.driver;
  const hangUps = effects.filter((effect) => effect.type === 'hang_up').length;
  if (hangUps !== 1 || effects.at(-1)?.type !== 'hang_up') throw new Error('not one hang_up, at the end');
  const saysSaved = call.driver.lines.some((line) => line.name === 'succeeded' && line.cardSaved === true);
  if (saysSaved && !(call.agreed && endedWith?.kind === 'succeeded')) throw new Error('a falsehood about the card');
  if (endedWith === null || !expectedOutcomes(call).includes(endedWith.kind)) {
    throw new Error(`${endedWith?.kind} after ${call.answers.at(-1)}`);
  }
  call.wipeCharges();
  if (secrets.some((secret) => secret.length > 0)) throw new Error('a secret is left');
}

/** Digits in a row in places that should contain only words, IDs and the last four. */
function showsDigits(call: RandomConversation): boolean {
  const shown = { state: call.driver.state, effects: call.driver.effects };
  const text = `${inspect(shown, { depth: 9 })}${JSON.stringify(shown)}`.replaceAll(call.driver.chargeId, '');
  return /\d{6}|0928|0825|94107/.test(text.replaceAll(/"?ms"?: ?\d+/g, ''));
}

it('no conversation charges twice, saves a card without consent, loses its outcome, runs forever, or leaves a digit behind', {
  timeout: 400_000,
}, () => {
  const ends = new Map<string, number>();
  let longest = 0;
  let savedCards = 0;
  let waited = 0;
  let byLink = 0;
  let reminded = 0;
  let unknown = 0;
  let saved = 0;
  let unusable = 0;
  let chosen = 0;
  let unchosen = 0;
  let ended = 0;
  let endedPaid = 0;
  for (let number = 0; number < CONVERSATIONS; number += 1) {
    secrets.length = 0;
    const call = new RandomConversation(seededRandom(SEED + number));
    try {
      call.run();
      check(call);
    } catch (error) {
      throw new Error(`conversation ${number}`, { cause: error });
    }
    if (number % 100 === 0) expect(showsDigits(call), `conversation ${number}`).toBe(false);
    longest = Math.max(longest, call.events);
    savedCards += call.driver.lines.some((line) => line.name === 'succeeded' && line.cardSaved === true) ? 1 : 0;
    waited += call.driver.lines.some(({ name }) => name === 'paying_elsewhere') ? 1 : 0;
    byLink += call.driver.lines.some(({ name }) => name === 'link_sent') ? 1 : 0;
    reminded += call.driver.lines.some(({ name }) => name === 'link_waiting') ? 1 : 0;
    unknown += call.driver.lines.some(({ name }) => name === 'still_confirming') ? 1 : 0;
    saved += call.driver.savedCharges.length;
    unusable += call.driver.lines.some(({ name }) => name === 'saved_card_unusable') ? 1 : 0;
    chosen += call.driver.notes.includes('session taken') ? 1 : 0;
    unchosen += call.driver.lines.some((line) => line.name === 'gave_up' && line.reason === 'no_choice') ? 1 : 0;
    ended += call.driver.lines.some(({ name }) => name === 'call_ended') ? 1 : 0;
    endedPaid += call.endRequested && call.driver.endedWith?.kind === 'succeeded' ? 1 : 0;
    const kind = call.driver.endedWith?.kind ?? 'none';
    ends.set(kind, (ends.get(kind) ?? 0) + 1);
  }
  // The walk must have covered everything for its result to mean something.
  for (const kind of ['succeeded', 'failed', 'pending', 'canceled', 'expired']) {
    expect(ends.get(kind), kind).toBeGreaterThan(200);
  }
  expect(savedCards).toBeGreaterThan(100);
  expect(waited).toBeGreaterThan(1_000);
  expect(ends.get('agent')).toBeGreaterThan(80);
  expect(byLink).toBeGreaterThan(1_000);
  expect(reminded).toBeGreaterThan(200);
  expect(unknown).toBeGreaterThan(400);
  expect(saved).toBeGreaterThan(1_000);
  expect(unusable).toBeGreaterThan(100);
  expect(chosen).toBeGreaterThan(2_000);
  expect(unchosen).toBeGreaterThan(40);
  expect(ended).toBeGreaterThan(400);
  expect(endedPaid).toBeGreaterThan(20);
  expect(longest).toBeGreaterThan(150);
});
